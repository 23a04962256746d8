import { type CausedBy, type ErrorCode, errorCatalogue } from './catalogue.ts';

type MerchantText = {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
};

/**
 * The options of an error. `internal` and `cause` are only logged, and `forMerchants` is only for merchants; all others are
 * public.
 */
type ServiceErrorOptions = {
  /** Replaces the public message of the catalogue. Must not contain a secret or another person's data. */
  readonly message?: string;
  /** A public explanation in addition to the message, for example what is wrong with a token. */
  readonly details?: string;
  /** A text for the log. Must not contain a secret. */
  readonly internal?: string;
  /** The message and the additional extensions that merchants get at the admin endpoint. */
  readonly forMerchants?: MerchantText;
  readonly retryAfterSeconds?: number;
  /** Replaces `causedBy` of the catalogue. Set it to `us` when the service certainly caused the error. */
  readonly causedBy?: CausedBy | undefined;
  /** Public fields of a GraphQL error's extensions in addition to the code, for example `cost`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Headers of the response, for example `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/**
 * The only error class for responses. Only the outermost layer (lib/http/respond-to-errors.ts) converts it to a response
 * body.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly publicMessage: string;
  readonly details: string | undefined;
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly causedBy: CausedBy;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly forMerchants: MerchantText | undefined;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(
      options.internal ?? options.message ?? code,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'ServiceError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.publicMessage = options.message ?? errorCatalogue[code].message;
    this.details = options.details;
    this.internal = options.internal;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.causedBy = options.causedBy ?? errorCatalogue[code].causedBy;
    this.extensions = options.extensions ?? {};
    this.headers = options.headers ?? {};
    this.forMerchants = options.forMerchants;
  }
}

/** Returns the error with its message and extensions for merchants, if it has them. */
export function withMerchantMessage(error: ServiceError): ServiceError {
  const { code, internal, causedBy, forMerchants, cause } = error;
  if (forMerchants === undefined) return error;
  return new ServiceError(code, { ...forMerchants, ...(internal && { internal }), causedBy, cause });
}
