/**
 * The details of each user error code. An app can write its own messages from them. The parameter type of
 * `createUserError` requires the details under `always`; docs/errors.md is generated from these tables.
 */

/** The value of the schema's type SubscriptionOfferedInterval. Ids are the platform's global ids. */
export type OfferedInterval = {
  /** The unit of the billing frequency: the platform's enum SellingPlanInterval. */
  readonly interval: string;
  readonly intervalCount: number;
  readonly deliveriesPerPayment: number;
  readonly sellingPlanId: string;
  readonly name: string;
};

/**
 * The value of the schema's type SubscriptionOperationErrorDetails. Dates are ISO 8601, ids the platform's global ids.
 */
export type ErrorDetails = {
  readonly earliest: string;
  readonly latest: string;
  readonly limit: number;
  readonly actual: number;
  readonly date: string;
  readonly cycleIndex: number;
  readonly offeredIntervals: readonly OfferedInterval[];
  readonly lineIds: readonly string[];
  readonly discountIds: readonly string[];
  /** The platform's enum SubscriptionDiscountRejectionReason. */
  readonly rejectionReason: string;
  /** The platform's SubscriptionContractSubscriptionStatus. */
  readonly status: string;
  readonly revertableUntil: string;
};

type DetailNames = readonly (keyof ErrorDetails)[];
type DetailGuarantee = { readonly always?: DetailNames; readonly sometimes?: DetailNames };

const ORDER_DETAILS = { always: ['cycleIndex', 'date'] } as const;

/** The details of the codes in the schema's enum SubscriptionOperationErrorCode. */
export const detailsByCode = {
  ANCHORS_DO_NOT_FIT: {},
  BILLING_DATE_SET_ON_SKIPPED: ORDER_DETAILS,
  CHANGED_SINCE: ORDER_DETAILS,
  CONCURRENT_UPDATE: {},
  CONTRACT_NOT_ACTIVE: { always: ['status'] },
  CONTRACT_TERMINATED: {},
  CURRENCY_NOT_SUPPORTED: {},
  CYCLES_IRREGULAR: { always: ['cycleIndex'] },
  CYCLE_ALREADY_BILLED: ORDER_DETAILS,
  CYCLE_DATE_MISMATCH: ORDER_DETAILS,
  CYCLE_NOT_FOUND: { always: ['cycleIndex'] },
  DATE_IN_PAST: { always: ['date'], sometimes: ['earliest', 'latest', 'cycleIndex'] },
  DATE_TOO_FAR: { always: ['date'], sometimes: ['earliest', 'latest'] },
  DELIVERY_OPTION_REQUIRED: {},
  DISCOUNT_REJECTED: { always: ['rejectionReason'] },
  DISCOUNT_TIED_TO_INTERVAL: { always: ['discountIds', 'lineIds'] },
  EMPTY_CONTRACT: { always: ['limit'], sometimes: ['lineIds'] },
  GOODS_WITHOUT_PRICE: { always: ['lineIds'] },
  HAS_FUTURE_EDITS: { sometimes: ['cycleIndex', 'date'] },
  INCOMPLETE_BILLING_ATTEMPTS: ORDER_DETAILS,
  INTERVAL_NOT_OFFERED: { always: ['offeredIntervals'], sometimes: ['lineIds'] },
  INVALID: { sometimes: ['limit', 'actual', 'lineIds', 'cycleIndex', 'date'] },
  LINE_NOT_FOUND: { always: ['lineIds'] },
  MINIMUM_NOT_REACHED: { always: ['limit', 'actual'] },
  NOTHING_TO_REVERT: {},
  NO_UPCOMING_ORDER: {},
  ORDERS_ON_FIXED_DAYS: { sometimes: ['date'] },
  ORDER_IS_POSTPONED: { always: ['cycleIndex', 'date'], sometimes: ['revertableUntil'] },
  ORDER_TOO_CLOSE: { always: ['cycleIndex', 'date', 'limit', 'earliest'] },
  OUT_OF_BOUNDS: { always: ['date'], sometimes: ['earliest', 'latest', 'cycleIndex'] },
  PAYMENT_NOT_OPEN: {},
  QUANTITY_INVALID: { always: ['limit', 'actual'], sometimes: ['lineIds'] },
  RETRIED_TOO_SOON: { always: ['earliest'] },
  SEND_NOW_NOT_OFFERED: {},
  VARIANT_NOT_AVAILABLE: { sometimes: ['lineIds'] },
} as const satisfies Readonly<Record<string, DetailGuarantee>>;

/** The details of codes that the platform defines and that the service's operations return, too. */
export const detailsByPlatformCode = {
  BILLING_CYCLE_SKIPPED: {},
  BLANK: {},
  CONTRACT_NOT_FOUND: {},
  CONTRACT_PAUSED: {},
  CYCLE_INDEX_OUT_OF_RANGE: {},
  CYCLE_START_DATE_OUT_OF_RANGE: {},
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: {},
  INVALID_BILLING_DATE: { always: ['date'] },
} as const satisfies Readonly<Record<string, DetailGuarantee>>;

/** The codes that only the schema's enum CustomerUserErrorCode has. None of them has details. */
const detailsOfCustomerCodes = {
  ADDRESS_LIMIT_REACHED: {},
  EMAIL_SENT_RECENTLY: {},
} as const satisfies Readonly<Record<string, DetailGuarantee>>;

/** The codes that only the schema's enum WebhookUserErrorCode has. None of them has details. */
const detailsOfWebhookCodes = {
  ADDRESS_NOT_PUBLIC: {},
  ADDRESS_NOT_RESOLVED: {},
  DELIVERY_NOT_FOUND: {},
  ENDPOINT_LIMIT_REACHED: {},
  ENDPOINT_NOT_FOUND: {},
  REPLAY_LIMIT_REACHED: {},
  RESEND_LIMIT_REACHED: {},
  SINCE_OUT_OF_RANGE: {},
  TESTED_TOO_SOON: {},
  TYPES_EMPTY: {},
  URL_INVALID: {},
} as const satisfies Readonly<Record<string, DetailGuarantee>>;

/**
 * The codes that only billing uses: those of the schema's enum BillingUserErrorCode, and those of billing attempts
 * that the service refused.
 */
const detailsOfBillingCodes = {
  ATTEMPT_IN_PROGRESS: {},
  BILLING_ENABLED: {},
  RETRIES_INVALID: {},
  RUN_NOT_FOUND: {},
  RUN_NOT_ON_HOLD: {},
  STARTED_ALREADY: {},
  STOPPED_BY_OPERATOR: {},
  STORE_NOT_READY: {},
} as const satisfies Readonly<Record<string, DetailGuarantee>>;

type DetailsByErrorCode = typeof detailsByCode &
  typeof detailsByPlatformCode &
  typeof detailsOfBillingCodes &
  typeof detailsOfCustomerCodes &
  typeof detailsOfWebhookCodes;
export type ServiceUserErrorCode = keyof DetailsByErrorCode;
/** The codes that changes of subscriptions and accounts can return. */
export type CustomerFacingErrorCode = Exclude<
  ServiceUserErrorCode,
  keyof typeof detailsOfWebhookCodes | keyof typeof detailsOfBillingCodes
>;
/** The codes that changes of webhook endpoints can return. */
export type WebhookEndpointErrorCode = keyof typeof detailsOfWebhookCodes | 'CONCURRENT_UPDATE' | 'INVALID';

// Distributes over a union of codes, so that the union requires the details of all its members.
type NamesOfDetails<Code, When extends string> = Code extends ServiceUserErrorCode
  ? DetailsByErrorCode[Code] extends { readonly [_ in When]: readonly (infer Name)[] }
    ? Name & keyof ErrorDetails
    : never
  : never;

/** The names of all details that a code can have. */
export type DetailName<Code extends ServiceUserErrorCode> =
  | NamesOfDetails<Code, 'always'>
  | NamesOfDetails<Code, 'sometimes'>;

/** The details object of a code: the details under `always` are required, those under `sometimes` are optional. */
export type DetailsOf<Code extends ServiceUserErrorCode> = {
  readonly [Name in NamesOfDetails<Code, 'always'>]: ErrorDetails[Name];
} & { readonly [Name in NamesOfDetails<Code, 'sometimes'>]?: ErrorDetails[Name] | undefined };
