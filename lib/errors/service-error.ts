import { type CausedBy, type ErrorCode, errorCatalogue } from './catalogue.ts';

type MerchantText = {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
};

/**
 * Details of an error. `internal` and `cause` are only logged, and `forMerchants` is only for merchants; all others are
 * public.
 */
type ServiceErrorDetail = {
  /** Replaces the public message of the catalogue. Must not contain a secret or another person's data. */
  readonly message?: string;
  /** A public explanation in addition to the message, for example what is wrong with a token. */
  readonly details?: string;
  /** A text for the log. Must not contain a secret. */
  readonly internal?: string;
  /** The message and the additional extensions that merchants get at the admin endpoint. */
  readonly forMerchants?: MerchantText;
  readonly retryAfterSeconds?: number;
  /** Replaces the cause of the catalogue. Set it to `us` when the service certainly caused the error. */
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

  constructor(code: ErrorCode, detail: ServiceErrorDetail = {}) {
    super(
      detail.internal ?? detail.message ?? code,
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = 'ServiceError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.publicMessage = detail.message ?? errorCatalogue[code].message;
    this.details = detail.details;
    this.internal = detail.internal;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.causedBy = detail.causedBy ?? errorCatalogue[code].causedBy;
    this.extensions = detail.extensions ?? {};
    this.headers = detail.headers ?? {};
    this.forMerchants = detail.forMerchants;
  }
}

/** Returns the error with its message and extensions for merchants, if it has them. */
export function withMerchantMessage(error: ServiceError): ServiceError {
  const { code, internal, causedBy, forMerchants, cause } = error;
  if (forMerchants === undefined) return error;
  return new ServiceError(code, { ...forMerchants, ...(internal && { internal }), causedBy, cause });
}
