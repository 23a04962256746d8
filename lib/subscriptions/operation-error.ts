import type { Brand } from '../domain/brand.ts';
import type { Message } from '../messages/message.ts';
import type { PlatformError, PlatformText } from '../platform/admin-api/admin-response.ts';
import type { EventRecord } from '../timeline/event-record.ts';
import type { DetailName, DetailsOf, ErrorDetails, ServiceUserErrorCode } from './error-details.ts';

/**
 * One entry of `userErrors`: why a change was not made. `field` is the path of the client's argument. Only
 * `createUserError` and `fromPlatformUserError` create this type, so every entry has the details that its code
 * requires.
 */
export type OperationError = Brand<
  {
    readonly field: readonly string[] | null;
    /** A message that is translated into the client's language, or the platform's own text. */
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

/** The result of an operation: the changed object in the client's selection, or the user errors. */
export type OperationOutcome = {
  /** The client's selection by response key. Null when nothing was changed. */
  readonly selectedFields: Readonly<Record<string, unknown>> | null;
  readonly userErrors: readonly OperationError[];
  /** The platform's errors in the client's selection. Each path starts with a response key. */
  readonly errors: readonly PlatformError[];
  /**
   * Values of payload fields that the service computes itself, by field name, in the shape of the types in the
   * schema.
   */
  readonly locals?: Readonly<Record<string, unknown>>;
  /**
   * The id of the returned object, by the name of the payload field. Set when the arguments of the client do not
   * contain the id.
   */
  readonly returnedObjectIds?: Readonly<Record<string, string>>;
  /** Whether the timeline has recorded the change: it was made, or a read showed that it had been made. */
  readonly isRecorded?: boolean;
  /** The timeline entry, if it was written with the change. */
  readonly entry?: EventRecord | undefined;
};

/** Returns the outcome of an operation that changed nothing. */
export function createRefusedOutcome(
  userErrors: readonly OperationError[],
  locals?: OperationOutcome['locals'],
): OperationOutcome {
  return { selectedFields: null, userErrors, errors: [], ...(locals && { locals }) };
}

/** Returns the outcome of an operation that was made, and whose payload has no object of the platform. */
export function createChangedOutcome(locals: NonNullable<OperationOutcome['locals']>): OperationOutcome {
  return { selectedFields: null, userErrors: [], errors: [], locals };
}

/** What is wrong with a client's argument. */
export type ArgumentFault = {
  /** The path of the argument, including list indexes. Null when no single argument is wrong. */
  readonly field: readonly (string | number)[] | null;
  readonly message: Message | PlatformText;
};

/**
 * The third parameter of `createUserError`: none for a code without details, optional for a code whose details are
 * all optional, otherwise required.
 */
type DetailsArgument<Code extends ServiceUserErrorCode> = [DetailName<Code>] extends [never]
  ? []
  : Record<never, never> extends DetailsOf<Code>
    ? [details?: DetailsOf<Code>]
    : [details: DetailsOf<Code>];

/** Creates a user error with one of the service's codes, and the details that the code requires. */
export function createUserError<Code extends ServiceUserErrorCode>(
  code: Code,
  fault: ArgumentFault,
  ...[details]: DetailsArgument<Code>
): OperationError {
  return createErrorWithCode(code, fault, details);
}

/** Converts a user error of the platform and keeps its code. `details` are those that the operation adds. */
export function fromPlatformUserError(
  { field, message, code }: PlatformUserError,
  details?: Partial<ErrorDetails>,
): OperationError {
  return createErrorWithCode(code ?? 'INVALID', { field, message }, details);
}

function createErrorWithCode(
  code: string,
  { field, message }: ArgumentFault,
  details: object = {},
): OperationError {
  const detailEntries = Object.entries(details).filter(([, value]) => value !== undefined);
  return {
    field: field?.map(String) ?? null,
    message,
    code,
    details: detailEntries.length === 0 ? null : Object.fromEntries(detailEntries),
  } as unknown as OperationError;
}
