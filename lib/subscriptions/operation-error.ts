import type { Brand } from '../domain/brand.ts';
import type { Message } from '../messages/message.ts';
import type { PlatformError, PlatformWords } from '../platform/admin-api/admin-answer.ts';
import type { DetailName, DetailsOf, ErrorDetails, RefusalCode } from './error-details.ts';

/**
 * One entry of `userErrors`: why a change was not made. `field` is the path in the client's own arguments. Made by
 * `refuse` and `refuseAsPlatform` alone, so that none lacks what its code promises.
 */
export type OperationError = Brand<
  {
    readonly field: readonly string[] | null;
    /** What is told in the reader's language, or the platform's words. */
    readonly message: Message | PlatformWords;
    readonly code: string;
    readonly details: Partial<ErrorDetails> | null;
  },
  'OperationError'
>;

/** One entry of `userErrors` in a payload of the platform. */
export type PlatformUserError = {
  readonly field: readonly string[] | null;
  readonly message: PlatformWords;
  readonly code: string | null;
};

/** An operation answers the changed object in the client's selection, or says why there is none. */
export type OperationOutcome = {
  /** The answer by the response keys of the selection; null: nothing was changed. */
  readonly answered: Readonly<Record<string, unknown>> | null;
  readonly userErrors: readonly OperationError[];
  /** The platform's errors below the answered object; their paths begin with its response key. */
  readonly errors: readonly PlatformError[];
  /** Fields of the payload that are answered here, by name: plain values of the schema's shape. */
  readonly locals?: Readonly<Record<string, unknown>>;
  /** The answered object's id by its field of the payload, where the arguments do not name it. */
  readonly ids?: Readonly<Record<string, string>>;
};

/** Nothing was changed, and why. */
export function refusedWith(
  userErrors: readonly OperationError[],
  locals?: OperationOutcome['locals'],
): OperationOutcome {
  return { answered: null, userErrors, errors: [], ...(locals && { locals }) };
}

/** The argument at fault, with positions in lists as numbers or texts, and the words; null: no argument. */
export type Fault = {
  readonly field: readonly (string | number)[] | null;
  readonly message: Message | PlatformWords;
};
/** The details are left out where a code has none. */
type DetailsArgument<Code extends RefusalCode> = [DetailName<Code>] extends [never]
  ? []
  : Record<never, never> extends DetailsOf<Code>
    ? [details?: DetailsOf<Code>]
    : [details: DetailsOf<Code>];

/** A refusal of ours, with what its code promises. */
export function refuse<Code extends RefusalCode>(
  code: Code,
  fault: Fault,
  ...[details]: DetailsArgument<Code>
): OperationError {
  return made(code, fault, details);
}

/** A refusal of the platform, whose code stays; `details`: what is known of what it is about. */
export function refuseAsPlatform(
  { field, message, code }: PlatformUserError,
  details?: Partial<ErrorDetails>,
): OperationError {
  return made(code ?? 'INVALID', { field, message }, details);
}

function made(code: string, { field, message }: Fault, details: object = {}): OperationError {
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  return {
    field: field?.map(String) ?? null,
    message,
    code,
    details: known.length === 0 ? null : Object.fromEntries(known),
  } as unknown as OperationError;
}
