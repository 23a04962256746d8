/** The client's only error class. An app can translate errors by their code in one place. */
import type { ServiceCode } from '../generated/error-codes.ts';

/**
 * The client's own codes. NETWORK: no response, or a response of another server (a captive portal). STORAGE: the
 * device's storage failed; the session is unchanged. SIGNED_OUT: there is no session. CANCELLED: the customer cancelled
 * the sign-in. FOREIGN_REDIRECT: an address of another sign-in. SIGN_IN_REFUSED: the platform's page returned an error.
 * USER_ERRORS: the change was not made, `userErrors` contain the reasons. ABSENT: object not found. UNKNOWN: a
 * response without a code. ABORTED: the call's signal ended it; a change that was sent may be made nevertheless.
 */
export type ClientCode =
  | 'NETWORK'
  | 'STORAGE'
  | 'SIGNED_OUT'
  | 'CANCELLED'
  | 'FOREIGN_REDIRECT'
  | 'SIGN_IN_REFUSED'
  | 'USER_ERRORS'
  | 'ABSENT'
  | 'ABORTED'
  | 'UNKNOWN';

/** The messages for developers, used if the service sent none. */
const DEFAULT_MESSAGES: Readonly<Record<string, string>> = {
  NETWORK: 'No answer in time.',
  STORAGE: 'The storage failed.',
  SIGNED_OUT: 'Nobody is signed in.',
  CANCELLED: 'The customer refused the sign-in.',
  FOREIGN_REDIRECT: 'The address is of no sign-in.',
  SIGN_IN_REFUSED: 'The platform refused the sign-in.',
  ABORTED: 'The call was aborted.',
  UNKNOWN: 'The answer has no code.',
} satisfies Record<Exclude<ClientCode, 'USER_ERRORS' | 'ABSENT'>, string>;

/** The catalogue's codes and the client's own. The platform's other codes are passed through. */
export type ErrorCode = ServiceCode | ClientCode | (string & {});

/** The details of an error, for apps with their own messages: docs/errors.md lists the details of each code. */
export type ErrorDetails = {
  readonly earliest: string | null;
  readonly latest: string | null;
  readonly limit: number | null;
  readonly actual: number | null;
  readonly date: string | null;
  readonly cycleIndex: number | null;
  readonly lineIds: readonly string[] | null;
  readonly discountIds: readonly string[] | null;
  readonly rejectionReason: string | null;
  readonly offeredIntervals:
    | readonly {
        readonly interval: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
        readonly intervalCount: number;
        readonly deliveriesPerPayment: number;
        readonly sellingPlanId: string;
        readonly name: string;
      }[]
    | null;
};

/** An entry of a mutation's `userErrors`: `message` is for the person, in the requested language. */
export type UserError = {
  readonly message: string;
  readonly code?: string | null;
  readonly field?: readonly string[] | null;
  readonly details?: ErrorDetails | null;
};

/** A delivery option of the store: `updateDelivery` and `updateLines` accept its `code` as `optionCode`. */
export type DeliveryOption = {
  readonly code: string;
  readonly title: string;
  readonly price: { readonly amount: string; readonly currencyCode: string };
};

export type ServiceErrorDetails = {
  readonly message?: string | undefined;
  readonly details?: string | undefined;
  /** The HTTP status; 0 without a response. */
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly userErrors?: readonly UserError[];
  readonly deliveryOptions?: readonly DeliveryOption[];
  readonly cause?: unknown;
};

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  declare readonly code: ErrorCode;
  declare readonly status: number;
  /** The wait that the service requests, if it requests one. */
  declare readonly retryAfterMs: number | undefined;
  /** The request's id, to quote to the service's operator. */
  declare readonly requestId: string | undefined;
  /** The reason why a credential was rejected, for developers: only of UNAUTHENTICATED. */
  declare readonly details: string | undefined;
  /** Empty except for USER_ERRORS. */
  declare readonly userErrors: readonly UserError[];
  /** Not empty if the change requires the choice of a delivery option: DELIVERY_OPTION_REQUIRED. */
  declare readonly deliveryOptions: readonly DeliveryOption[];

  constructor(
    code: ErrorCode,
    { message = DEFAULT_MESSAGES[code] ?? code, ...more }: ServiceErrorDetails = {},
  ) {
    super(message);
    Object.assign(this, { code, status: 0, userErrors: [], deliveryOptions: [], ...more });
  }
}

/** Whether the value is a ServiceError of any copy of this package; with codes, whether it has one of them. */
export function isServiceError(error: unknown, ...codes: readonly ErrorCode[]): error is ServiceError {
  const { name, code } = (error ?? {}) as Partial<ServiceError>;
  return name === 'ServiceError' && typeof code === 'string' && (codes.length === 0 || codes.includes(code));
}
