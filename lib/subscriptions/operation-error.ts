import type { Brand } from '../domain/brand.ts';
import type { Message } from '../messages/message.ts';
import type { PlatformError, PlatformText } from '../platform/admin-api/admin-answer.ts';
import type { DetailName, DetailsOf, ErrorDetails, RefusalCode } from './error-details.ts';

/**
 * One entry of `userErrors`: why a change was not made. `field` is the path in the client's own arguments. Only
 * `refuse` and `refuseAsPlatform` create it, so every entry has the details that its code requires.
 */
export type OperationError = Brand<
  {
    readonly field: readonly string[] | null;
    /** A message that is translated into the reader's language, or the platform's text. */
    readonly message: Message | PlatformText;
    readonly code: string;
    readonly details: Partial<ErrorDetails> | null;
  },
  'OperationError'
>;

/** One entry of `userErrors` in a payload of the platform. */
export type PlatformUserError = {
  readonly field: readonly string[] | null;
  readonly message: PlatformText;
  readonly code: string | null;
};

/** The result of an operation: the changed object in the client's selection, or why nothing was changed. */
export type OperationOutcome = {
  /** The response by the selection's response keys; null when nothing was changed. */
  readonly answered: Readonly<Record<string, unknown>> | null;
  readonly userErrors: readonly OperationError[];
  /** The platform's errors below the returned object; their paths start with its response key. */
  readonly errors: readonly PlatformError[];
  /** Fields of the payload that the service fills itself, by name: plain values in the schema's form. */
  readonly locals?: Readonly<Record<string, unknown>>;
  /** The returned object's id by the payload's field, if the arguments do not name it. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Whether the timeline has an intent or an entry of the change. */
  readonly isRecorded?: boolean;
};

/** Returns an outcome without a change, with the reasons. */
export function refusedWith(
  userErrors: readonly OperationError[],
  locals?: OperationOutcome['locals'],
): OperationOutcome {
  return { answered: null, userErrors, errors: [], ...(locals && { locals }) };
}

/** The invalid argument, with list positions as numbers or texts, or null for none; and the message. */
export type Fault = {
  readonly field: readonly (string | number)[] | null;
  readonly message: Message | PlatformText;
};
/** A code without details takes no argument for them. */
type DetailsArgument<Code extends RefusalCode> = [DetailName<Code>] extends [never]
  ? []
  : Record<never, never> extends DetailsOf<Code>
    ? [details?: DetailsOf<Code>]
    : [details: DetailsOf<Code>];

/** Creates a refusal of the service, with the details that its code requires. */
export function refuse<Code extends RefusalCode>(
  code: Code,
  fault: Fault,
  ...[details]: DetailsArgument<Code>
): OperationError {
  return made(code, fault, details);
}

/** Creates a refusal from the platform's, with the same code; `details`: known facts about its subject. */
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
