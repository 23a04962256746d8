/**
 * Sends a change that is one mutation of the platform, with the client's selection. If the response is lost, a read
 * may find out the outcome.
 */
import { ifAnswered } from '../errors/if-answered.ts';
import { isOutcomeUnknown } from '../errors/is-outcome-unknown.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { PlatformError } from '../platform/admin-api/admin-answer.ts';
import { type AnswerSelection, documentWith } from './answer-selection.ts';
import type { AppliedOutcome, OperationDeps } from './operation.ts';
import type { PlatformUserError } from './operation-error.ts';

/** The selection of a payload's user errors; the client's selection is in the same payload. */
export const USER_ERRORS = '_svcErrors: userErrors { field message code }';

export type Change = {
  readonly selection: AnswerSelection;
  /** Declarations of the operation's own variables. */
  readonly own: readonly string[];
  /** The mutation's alias. */
  readonly name: string;
  /** The mutation with its arguments. */
  readonly mutation: string;
  /** The selection below the payload, including `USER_ERRORS`. */
  readonly payload: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

export type ChangeAnswer = {
  /** The payload's fields, by response key. */
  readonly answered: Readonly<Record<string, unknown>>;
  readonly userErrors: readonly PlatformUserError[];
  /** The platform's errors; their paths start below the payload. */
  readonly errors: readonly PlatformError[];
};

/**
 * Sends one mutation with the client's selection.
 * @throws OUTCOME_UNKNOWN when the response is lost, or has no payload
 */
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
 * Returns the outcome of `change`, or after a lost response the outcome that `find` returns.
 * @throws OUTCOME_UNKNOWN when `find` does not see the change: it may still arrive
 */
export async function settleLostAnswer(
  change: () => Promise<AppliedOutcome>,
  find: () => Promise<AppliedOutcome | undefined>,
): Promise<AppliedOutcome> {
  try {
    return await change();
  } catch (lost) {
    if (!isOutcomeUnknown(lost)) throw lost;
    const found = await ifAnswered(find);
    if (found === undefined) throw lost;
    return { ...found, isSeen: true };
  }
}
