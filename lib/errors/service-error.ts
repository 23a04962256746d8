import { type CausedBy, catalogue, type ErrorCode } from './catalogue.ts';

type MerchantWords = {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
};

/**
 * The details that may go with a code. All are public but `internal` and `cause`, which only the log sees, and
 * `forMerchants`.
 */
type ErrorDetail = {
  /** The public words that replace the catalogue's. They must not hold a secret or another person's data. */
  readonly message?: string;
  /** A public explanation beside the message, for example what is wrong with a token. */
  readonly details?: string;
  /** Words for the log alone. They must not hold a secret. */
  readonly internal?: string;
  /** The words that the admin endpoint uses instead of the message, and its extensions beside the code. */
  readonly forMerchants?: MerchantWords;
  readonly retryAfterSeconds?: number;
  /** The cause that replaces the catalogue's, where an error is surely ours. */
  readonly causedBy?: CausedBy | undefined;
  /** Public fields beside the code in a GraphQL error, for example `cost`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Response headers that belong to the error, for example `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** The one error class of the service. Only the edge (lib/http/answer-errors.ts) turns it into a body. */
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
  readonly forMerchants: MerchantWords | undefined;

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

/** The same error in the words for merchants. */
export function toldToMerchants(error: ServiceError): ServiceError {
  const { code, internal, causedBy, forMerchants, cause } = error;
  if (forMerchants === undefined) return error;
  return new ServiceError(code, { ...forMerchants, ...(internal && { internal }), causedBy, cause });
}
