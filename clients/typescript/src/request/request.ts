/** What `client.request` takes and gives. */
import type { ErrorCode } from '../errors/service-error.ts';
import type { TypedDocument } from './document.ts';

export type RequestOptions = {
  /** Which operation runs, if the document has several. */
  readonly operationName?: string;
  /** The key of `@idempotent(key: $…)`, for a change that is to be repeated by a later call. Made for each call if absent. */
  readonly idempotencyKey?: string;
  /** For all tries and waits of this call. */
  readonly deadlineMs?: number;
  /** Sent beside those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** What could not be answered; `data` has null there, or further up. */
export type FieldError = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: readonly (string | number)[];
};

/** A change whose payload came without `userErrors` was made, whatever `errors` say of what is below it. */
export type RequestResult<Result> = {
  readonly data: Result;
  readonly errors: readonly FieldError[];
  /** Quote it to whoever runs the service. */
  readonly requestId?: string | undefined;
};

/** What a caller gives beside the document: variables only where one of them is needed. */
export type Arguments<Given, Options> =
  Record<never, never> extends Given
    ? [variables?: Given, options?: Options]
    : [variables: Given, options?: Options];

/** By these names the client knows, before it reads a document, the key that it fills in. */
type KeyName = 'idempotencyKey' | 'key';
type WithoutKeys<Variables> = Omit<Variables, KeyName> & Partial<Pick<Variables, KeyName & keyof Variables>>;

// biome-ignore lint/suspicious/noExplicitAny: a text says nothing of its result.
type AnyResult = any;

/** Sends one GraphQL operation. Throws ServiceError if nothing came; a query is repeated, and a change that has a key. */
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
