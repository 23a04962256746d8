/** The client's only error class. An app can translate errors by their code in one place. */
import { type Advice, type ServiceCode, SIGN_IN } from '../generated/error-codes.ts';
import type { ErrorAdvice, Money, Open } from '../operations/generated/shared/types.ts';
import type { ChangeCode, ChangeCodes, ChangeName, DetailsOf, ErrorDetails } from './change-codes.ts';
import { isTransient, mayHaveRun } from './is-transient.ts';

/**
 * The client's own codes. NETWORK: no response, or a response of another server (a captive portal). STORAGE: the
 * device's storage failed; the session is unchanged. SIGNED_OUT: there is no session. CANCELLED: the customer cancelled
 * the sign-in. FOREIGN_REDIRECT: an address of another sign-in. SIGN_IN_REFUSED: the platform's page returned an error.
 * ABSENT: object not found. UNKNOWN: an error without a code. ABORTED: the call's signal ended it; a change that was
 * sent may be made nevertheless.
 */
export type ClientCode =
  | 'NETWORK'
  | 'STORAGE'
  | 'SIGNED_OUT'
  | 'CANCELLED'
  | 'FOREIGN_REDIRECT'
  | 'SIGN_IN_REFUSED'
  | 'ABSENT'
  | 'ABORTED'
  | 'UNKNOWN';

/**
 * By code: the message for developers, if the service sent none, and the advice. ABSENT has no entry, because it is
 * always thrown with a message.
 */
const ERROR_DEFAULTS: Readonly<Record<string, readonly [message: string, advice?: Advice]>> = {
  NETWORK: ['No answer in time.'],
  STORAGE: ['The storage failed.', 'retry'],
  SIGNED_OUT: ['Nobody is signed in.', 'sign-in'],
  CANCELLED: ['The customer refused the sign-in.', 'sign-in'],
  FOREIGN_REDIRECT: ['The address is of no sign-in.', 'sign-in'],
  SIGN_IN_REFUSED: ['The platform refused the sign-in.', 'sign-in'],
  ABSENT: ['', 'reload'],
  ABORTED: ['The call was aborted.', 'reload'],
  UNKNOWN: ['The answer has no code.'],
} satisfies Record<ClientCode, readonly [string, Advice?]>;

/**
 * The catalogue's codes, the client's own, and those of refused changes. A later service, and the platform, can send
 * others: decide about an unknown code by `advice`.
 */
export type ErrorCode = ServiceCode | ClientCode | ChangeCode;

/**
 * What `isServiceError` can ask for: a code, a function whose change was refused, or USER_ERRORS for any refused change.
 */
export type ErrorKind = ErrorCode | ChangeName | 'USER_ERRORS';

/** An entry of a mutation's `userErrors`: `message` is for the person, in the requested language. */
export type UserError = {
  /** The text for the person, in the requested language. */
  readonly message: string;
  /** The reason. A later service can send codes that this client does not know. */
  readonly code?: Open<ChangeCode> | null | undefined;
  /** The path to the argument. */
  readonly field?: readonly string[] | null;
  /** The facts for an app's own message. */
  readonly details?: ErrorDetails | null;
  /** The advice as the service sends it; the error itself has it as `advice`. */
  readonly advice?: Open<ErrorAdvice> | null | undefined;
};

/** A delivery option of the store: `updateDelivery` and `updateLines` accept its `code` as `optionCode`. */
export type DeliveryOption = {
  /** The code to send as `optionCode`. */
  readonly code: string;
  /** The name to show. */
  readonly title: string;
  /** The price of each delivery. */
  readonly price: Money;
};

export type ServiceErrorDetails = {
  readonly message?: string | undefined;
  readonly details?: string | ErrorDetails | null | undefined;
  /** The HTTP status; 0 without a response. */
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly advice?: Advice | undefined;
  readonly change?: ChangeName;
  readonly field?: readonly string[] | null;
  readonly userErrors?: readonly UserError[];
  readonly deliveryOptions?: readonly DeliveryOption[];
  readonly cause?: unknown;
};

/** The error of every call that failed. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** What went wrong. For a refused change, the code of the first of `userErrors`. */
  declare readonly code: ErrorCode;
  /**
   * What an app does about the error: `reload` reads the data again, `retry` offers the same again, `choose-another` lets
   * the customer choose another value, `sign-in` shows the sign-in, and `contact-support` shows the message and how to
   * reach the store. It comes from the service, so it is right for codes that this client does not know.
   */
  declare readonly advice: Advice;
  /** The HTTP status; 0 without a response. */
  declare readonly status: number;
  /** The wait that the service requests, if it requests one. */
  declare readonly retryAfterMs: number | undefined;
  /** The request's id, to quote to the service's operator. */
  declare readonly requestId: string | undefined;
  /**
   * Of a refused change: the facts for an app's own message. Of UNAUTHENTICATED: the reason why a credential was
   * rejected, for developers.
   */
  declare readonly details: string | ErrorDetails | null | undefined;
  /** The function whose change the service refused. */
  declare readonly change: ChangeName | undefined;
  /** The path to the argument that a refused change is about, if it is about one. */
  declare readonly field: readonly string[] | null | undefined;
  /** Why the change was refused; empty for all other errors. */
  declare readonly userErrors: readonly UserError[];
  /** Not empty if the change requires the choice of a delivery option: DELIVERY_OPTION_REQUIRED. */
  declare readonly deliveryOptions: readonly DeliveryOption[];

  constructor(
    code: ErrorCode | (string & {}),
    { message = ERROR_DEFAULTS[code]?.[0] ?? code, ...otherDetails }: ServiceErrorDetails = {},
  ) {
    super(message);
    const { status = 0, advice = adviceOf({ code, status }) } = otherDetails;
    Object.assign(this, { userErrors: [], deliveryOptions: [], ...otherDetails, code, status, advice });
  }
}

function adviceOf(failure: { readonly code: string; readonly status: number }): Advice {
  if (SIGN_IN.includes(failure.code)) return 'sign-in';
  // After a lost response, this also shows whether a change was made: a second call could make it twice.
  if (mayHaveRun(failure)) return 'reload';
  return ERROR_DEFAULTS[failure.code]?.[1] ?? (isTransient(failure) ? 'retry' : 'contact-support');
}

/** The type to which `isServiceError(error, kind)` narrows: the refusal of that change, or the error with that code. */
export type ErrorOf<Kind> = Kind extends ChangeName
  ? ChangeError<Kind>
  : Kind extends 'USER_ERRORS'
    ? RefusedChange
    : ServiceError & { readonly code: Kind };

/** A change that the service refused: nothing was changed. */
export interface RefusedChange extends ServiceError {
  /** The reason. UNKNOWN if the service sent no code. A later service can send codes that this client does not know. */
  readonly code: ChangeCode | 'UNKNOWN';
  /** The function that was called. */
  readonly change: ChangeName;
  /** The facts for an app's own message. */
  readonly details: ErrorDetails | null;
}

/** A refused change of a function: each code has its details. */
export type ChangeError<Name extends ChangeName> = {
  readonly [Code in ChangeCodes[Name] | 'UNKNOWN']: RefusedChange & {
    readonly code: Code;
    readonly details: DetailsOf<Name, Code>;
  };
}[ChangeCodes[Name] | 'UNKNOWN'];

/**
 * Whether the value is a ServiceError of any copy of this package; with kinds, whether it is one of them: a code, a
 * function whose change was refused, such as `skip`, or USER_ERRORS for any refused change.
 */
export function isServiceError<Kind extends ErrorKind = never>(
  error: unknown,
  ...kinds: readonly Kind[]
): error is [Kind] extends [never] ? ServiceError : ErrorOf<Kind> {
  const { name, code, change } = (error ?? {}) as Partial<ServiceError>;
  if (name !== 'ServiceError' || typeof code !== 'string') return false;
  return !kinds[0] || kinds.some((kind) => [code, change, change && 'USER_ERRORS'].includes(kind));
}

/** Whether the service has rejected the sign-in or sign-out, so that a retry is of no use. */
export function isFinal(error: unknown): boolean {
  return isServiceError(error) && !isTransient(error) && !['UNKNOWN', 'STORAGE'].includes(error.code);
}
