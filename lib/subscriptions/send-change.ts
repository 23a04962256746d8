/**
 * A change may be one mutation of the platform. It is sent with the client's selection; if its answer is lost, a read
 * may tell what came of it.
 */
import { ifAnswered } from '../errors/if-answered.ts';
import { isOutcomeUnknown } from '../errors/is-outcome-unknown.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { PlatformError } from '../platform/admin-api/admin-answer.ts';
import { type AnswerSelection, documentWith } from './answer-selection.ts';
import type { OperationDeps } from './operation.ts';
import type { PlatformUserError } from './operation-error.ts';
import type { RecordedOutcome } from './recorded-change.ts';

/** The selection of a payload's user errors, beside the client's own selection. */
export const USER_ERRORS = '_svcErrors: userErrors { field message code }';

export type Change = {
  readonly selection: AnswerSelection;
  /** Declarations of the operation's own variables. */
  readonly own: readonly string[];
  /** The mutation's alias. */
  readonly name: string;
  /** The mutation with its arguments. */
  readonly mutation: string;
  /** What is selected of the payload, `USER_ERRORS` too. */
  readonly payload: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

export type ChangeAnswer = {
  /** What the payload holds, by response key. */
  readonly answered: Readonly<Record<string, unknown>>;
  readonly userErrors: readonly PlatformUserError[];
  /** The platform's errors; their paths begin below the payload. */
  readonly errors: readonly PlatformError[];
};

/** Sends one mutation with the client's selection. OUTCOME_UNKNOWN if the answer is lost, or holds no payload. */
export async function sendChange(
  { ask }: Pick<OperationDeps, 'ask'>,
  { selection, own, name, mutation, payload, variables }: Change,
): Promise<ChangeAnswer> {
  const { data, errors } = await ask({
    document: documentWith(selection, {
      head: 'mutation',
      own,
      body: `${name}: ${mutation} { ${payload} }`,
    }),
    variables: { ...selection.variables, ...variables },
    mutates: true,
  });
  const made = data?.[name] as Readonly<Record<string, unknown>> | null | undefined;
  if (!made) throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'no payload' });
  const { _svcErrors, ...answered } = made;
  const below = errors.map((error) => ({ ...error, path: error.path?.slice(1) ?? [] }));
  return { answered, userErrors: (_svcErrors ?? []) as readonly PlatformUserError[], errors: below };
}

/**
 * The outcome of `change`, or what `find` finds of it. OUTCOME_UNKNOWN if that is nothing: a change that is not to
 * be seen may still be on its way.
 */
export async function settleLostAnswer(
  change: () => Promise<RecordedOutcome>,
  find: () => Promise<RecordedOutcome | undefined>,
): Promise<RecordedOutcome> {
  try {
    return await change();
  } catch (lost) {
    if (!isOutcomeUnknown(lost)) throw lost;
    const found = await ifAnswered(find);
    if (found === undefined) throw lost;
    return { ...found, isSeen: true };
  }
}
