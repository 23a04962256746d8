import { type CausedBy, catalogue, type ErrorCode } from './catalogue.ts';

type MerchantText = {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
};

/**
 * The details of an error. All are public except `internal` and `cause`, which are only logged, and `forMerchants`.
 */
type ErrorDetail = {
  /** The public message that replaces the catalogue's. It must not contain a secret or another person's data. */
  readonly message?: string;
  /** A public explanation in addition to the message, for example the problem of a token. */
  readonly details?: string;
  /** Text only for the log. It must not contain a secret. */
  readonly internal?: string;
  /** The admin endpoint's message and additional extensions. */
  readonly forMerchants?: MerchantText;
  readonly retryAfterSeconds?: number;
  /** The cause that replaces the catalogue's, if the service certainly caused the error. */
  readonly causedBy?: CausedBy | undefined;
  /** Public fields in addition to the code in a GraphQL error, for example `cost`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Response headers of the error, for example `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** The service's only error class. Only the outermost layer (lib/http/answer-errors.ts) converts it to a body. */
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

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    super(
      detail.internal ?? detail.message ?? code,
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = 'ServiceError';
    this.code = code;
    this.status = catalogue[code].status;
    this.publicMessage = detail.message ?? catalogue[code].message;
    this.details = detail.details;
    this.internal = detail.internal;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.causedBy = detail.causedBy ?? catalogue[code].causedBy;
    this.extensions = detail.extensions ?? {};
    this.headers = detail.headers ?? {};
    this.forMerchants = detail.forMerchants;
  }
}

/** Returns the same error with the message for merchants. */
export function withInternalMessage(error: ServiceError): ServiceError {
  const { code, internal, causedBy, forMerchants, cause } = error;
  if (forMerchants === undefined) return error;
  return new ServiceError(code, { ...forMerchants, ...(internal && { internal }), causedBy, cause });
}
