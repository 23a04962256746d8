/**
 * The details of each refusal code, with which an app can write its own messages. The type of `refuse` requires the
 * details under `always`; docs/errors.md is generated from these tables.
 */

/** The schema's SubscriptionOfferedInterval; ids as the platform names them. */
export type OfferedInterval = {
  /** The platform's SellingPlanInterval, of billing. */
  readonly interval: string;
  readonly intervalCount: number;
  readonly deliveriesPerPayment: number;
  readonly sellingPlanId: string;
  readonly name: string;
};

/** The schema's SubscriptionOperationErrorDetails. Dates are ISO 8601, ids as the platform names them. */
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
  /** The platform's SubscriptionDiscountRejectionReason. */
  readonly rejectionReason: string;
};

type Names = readonly (keyof ErrorDetails)[];
type Guaranteed = { readonly always?: Names; readonly sometimes?: Names };

const ORDER = { always: ['cycleIndex', 'date'] } as const;

/** The codes of the schema's SubscriptionOperationErrorCode. */
export const detailsOfCodes = {
  ANCHORS_DO_NOT_FIT: {},
  BILLING_DATE_SET_ON_SKIPPED: ORDER,
  CONCURRENT_UPDATE: {},
  CONTRACT_TERMINATED: {},
  CURRENCY_NOT_SUPPORTED: {},
  CYCLE_ALREADY_BILLED: ORDER,
  CYCLE_DATE_MISMATCH: ORDER,
  CYCLE_NOT_FOUND: { always: ['cycleIndex'] },
  DATE_IN_PAST: { always: ['date'], sometimes: ['earliest', 'latest', 'cycleIndex'] },
  DATE_TOO_FAR: { always: ['date', 'earliest', 'latest'] },
  DELIVERY_OPTION_REQUIRED: {},
  DISCOUNT_REJECTED: { always: ['rejectionReason'] },
  DISCOUNT_TIED_TO_INTERVAL: { always: ['discountIds', 'lineIds'] },
  EMPTY_CONTRACT: { always: ['limit'], sometimes: ['lineIds'] },
  GOODS_WITHOUT_PRICE: { always: ['lineIds'] },
  HAS_FUTURE_EDITS: { sometimes: ['cycleIndex', 'date'] },
  INCOMPLETE_BILLING_ATTEMPTS: ORDER,
  INTERVAL_NOT_OFFERED: { always: ['offeredIntervals'], sometimes: ['lineIds'] },
  INVALID: { sometimes: ['limit', 'actual', 'lineIds', 'cycleIndex', 'date'] },
  LINE_NOT_FOUND: { always: ['lineIds'] },
  MINIMUM_NOT_REACHED: { always: ['limit', 'actual'] },
  ORDER_TOO_CLOSE: { always: ['cycleIndex', 'date', 'limit'] },
  OUT_OF_BOUNDS: { always: ['date'], sometimes: ['earliest', 'latest', 'cycleIndex'] },
  QUANTITY_INVALID: { always: ['limit', 'actual'], sometimes: ['lineIds'] },
  VARIANT_NOT_AVAILABLE: { sometimes: ['lineIds'] },
} as const satisfies Readonly<Record<string, Guaranteed>>;

/** Codes of the platform that operations also use themselves. */
export const detailsOfRetainedCodes = {
  BILLING_CYCLE_SKIPPED: {},
  BLANK: {},
  CONTRACT_NOT_FOUND: {},
  CONTRACT_PAUSED: {},
  CYCLE_INDEX_OUT_OF_RANGE: {},
  CYCLE_START_DATE_OUT_OF_RANGE: {},
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: {},
  INVALID_BILLING_DATE: { always: ['date'] },
} as const satisfies Readonly<Record<string, Guaranteed>>;

/** The codes of the schema's WebhookUserErrorCode that operations do not use. They have no details. */
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
} as const satisfies Readonly<Record<string, Guaranteed>>;

type Table = typeof detailsOfCodes & typeof detailsOfRetainedCodes & typeof detailsOfWebhookCodes;
export type RefusalCode = keyof Table;
/** The codes with which changes of endpoints are refused. */
export type WebhookRefusalCode = keyof typeof detailsOfWebhookCodes | 'CONCURRENT_UPDATE' | 'INVALID';

// A union of codes requires the details of all its members.
type Named<Code, When extends string> = Code extends RefusalCode
  ? Table[Code] extends { readonly [_ in When]: readonly (infer Name)[] }
    ? Name & keyof ErrorDetails
    : never
  : never;

/** The names of a code's details. */
export type DetailName<Code extends RefusalCode> = Named<Code, 'always'> | Named<Code, 'sometimes'>;

/** The details of a refusal with this code. */
export type DetailsOf<Code extends RefusalCode> = {
  readonly [Name in Named<Code, 'always'>]: ErrorDetails[Name];
} & { readonly [Name in Named<Code, 'sometimes'>]?: ErrorDetails[Name] | undefined };
