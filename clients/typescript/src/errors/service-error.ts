/** Everything that can go wrong, by its code: one class, so an app has one place that puts errors in words. */
import type { ServiceCode } from '../generated/error-codes.ts';

/**
 * What the client itself tells. NETWORK: no answer, or none of the service's (a captive portal). STORAGE: the device's
 * storage failed; nobody is signed out by it. SIGNED_OUT: nobody is signed in. CANCELLED: the customer refused the
 * sign-in. FOREIGN_REDIRECT: an address that is not this sign-in's. SIGN_IN_REFUSED: the platform's page told an error.
 * USER_ERRORS: the change was not made, `userErrors` say why. ABSENT: there is nothing with that id. UNKNOWN: an answer
 * without a code.
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
  | 'UNKNOWN';

/** For developers, where nothing else is known. */
const MESSAGES: Readonly<Record<string, string>> = {
  NETWORK: 'No answer in time.',
  STORAGE: 'The storage failed.',
  SIGNED_OUT: 'Nobody is signed in.',
  CANCELLED: 'The customer refused the sign-in.',
  FOREIGN_REDIRECT: 'The address is of no sign-in.',
  SIGN_IN_REFUSED: 'The platform refused the sign-in.',
  UNKNOWN: 'The answer has no code.',
} satisfies Record<Exclude<ClientCode, 'USER_ERRORS' | 'ABSENT'>, string>;

/** The catalogue's codes and the client's own. The platform has more, which are passed on as they are. */
export type ErrorCode = ServiceCode | ClientCode | (string & {});

/** For apps that write their own words: docs/errors.md says which of them a code has. */
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

/** An entry of a mutation's `userErrors`: `message` is for the person, in the language that was asked for. */
export type UserError = {
  readonly message: string;
  readonly code?: string | null;
  readonly field?: readonly string[] | null;
  readonly details?: ErrorDetails | null;
};

/** A way of delivery of the store: `code` is what `updateDelivery` and `updateLines` take as `optionCode`. */
export type DeliveryOption = {
  readonly code: string;
  readonly title: string;
  readonly price: { readonly amount: string; readonly currencyCode: string };
};

export type ServiceErrorDetails = {
  readonly message?: string | undefined;
  readonly details?: string | undefined;
  /** HTTP; 0 where no answer came. */
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
  /** How long the service asks to wait, if it does. */
  declare readonly retryAfterMs: number | undefined;
  /** Quote it to whoever runs the service. */
  declare readonly requestId: string | undefined;
  /** Why a credential is not taken, for developers: of UNAUTHENTICATED alone. */
  declare readonly details: string | undefined;
  /** Not empty for USER_ERRORS alone. */
  declare readonly userErrors: readonly UserError[];
  /** Not empty where a change was not made because one of these has to be chosen: DELIVERY_OPTION_REQUIRED. */
  declare readonly deliveryOptions: readonly DeliveryOption[];

  constructor(code: ErrorCode, { message = MESSAGES[code] ?? code, ...more }: ServiceErrorDetails = {}) {
    super(message);
    Object.assign(this, { code, status: 0, userErrors: [], deliveryOptions: [], ...more });
  }
}

/** Whether it is one, of any copy of this package; with codes, whether it has one of them. */
export function isServiceError(error: unknown, ...codes: readonly ErrorCode[]): error is ServiceError {
  const { name, code } = (error ?? {}) as Partial<ServiceError>;
  return name === 'ServiceError' && typeof code === 'string' && (codes.length === 0 || codes.includes(code));
}
