/** The input and the result of `client.request`. */
import type { Signal } from '../device/run-with-time-limit.ts';
import type { ErrorCode, ServiceError } from '../errors/service-error.ts';
import type { TypedDocument } from './document.ts';

/** The options of `request`. */
export type RequestOptions = {
  /** The operation to run, if the document has several. */
  readonly operationName?: string;
  /** The key of `@idempotent(key: $…)`, for a change that a later call retries. Generated for each call if absent. */
  readonly idempotencyKey?: string;
  /** The time limit of this call with all its attempts and waits. */
  readonly deadlineMs?: number;
  /** Ends the call with ABORTED. A change that was already sent may be made nevertheless. */
  readonly signal?: Signal;
  /** Receives the error while a retry of this call is pending, and null when the wait is over. */
  readonly onWaiting?: (error: ServiceError | null) => void;
  /** Headers that are sent with the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A field that could not be resolved; in `data` the field or an ancestor of it is null. */
export type FieldError = {
  /** What went wrong. */
  readonly code: ErrorCode;
  /** The message for developers. */
  readonly message: string;
  /** The path to the field in `data`. */
  readonly path: readonly (string | number)[];
};

/** A change was made if its payload has no `userErrors`, even if `errors` contain errors of fields below it. */
export type RequestResult<Result> = {
  /** The data of the operation. */
  readonly data: Result;
  /** The fields that could not be read. */
  readonly errors: readonly FieldError[];
  /** The request's id, to quote to the service's operator. */
  readonly requestId?: string | undefined;
};

/** A caller's arguments after the document. Variables are optional unless one of them is required. */
export type Arguments<Given, Options> =
  Record<never, never> extends Given
    ? [variables?: Given, options?: Options]
    : [variables: Given, options?: Options];

/** The names of key variables. They are optional for the caller, because the client sets them. */
type KeyVariableName = 'idempotencyKey' | 'key';
type WithoutKeys<Variables> = Omit<Variables, KeyVariableName> &
  Partial<Pick<Variables, KeyVariableName & keyof Variables>>;

// biome-ignore lint/suspicious/noExplicitAny: a text says nothing of its result.
type AnyResult = any;

/**
 * Sends one GraphQL operation. Retries queries, and changes with an idempotency key.
 * @throws ServiceError when the response has no data.
 */
export type Request = {
  <Result, Variables>(
    document: TypedDocument<Result, Variables> & object,
    ...given: Arguments<WithoutKeys<Variables>, RequestOptions>
  ): Promise<RequestResult<Result>>;
  (
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<RequestResult<AnyResult>>;
};
