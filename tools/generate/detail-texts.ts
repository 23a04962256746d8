/** The meaning of each field of `details`, by error code. */
import type {
  DetailName,
  detailsByCode,
  detailsByPlatformCode,
} from '../../lib/subscriptions/error-details.ts';

type CodeWithDetails = keyof typeof detailsByCode | keyof typeof detailsByPlatformCode;

const ORDER_DETAIL_TEXTS = {
  cycleIndex: 'the index of the order’s billing cycle',
  date: 'the due date of the order',
};
const OFFERED_PLANS_TEXT = 'the plans that can be chosen instead, at most 50; empty when there are none';

/** The type requires exactly the fields of the tables: a missing or an extra text does not compile. */
export const DETAIL_TEXTS: {
  readonly [Code in CodeWithDetails]: { readonly [Name in DetailName<Code>]: string };
} = {
  ANCHORS_DO_NOT_FIT: {},
  BILLING_CYCLE_SKIPPED: {},
  BILLING_DATE_SET_ON_SKIPPED: ORDER_DETAIL_TEXTS,
  BLANK: {},
  CHANGED_SINCE: ORDER_DETAIL_TEXTS,
  CONCURRENT_UPDATE: {},
  CONTRACT_NOT_FOUND: {},
  CONTRACT_PAUSED: {},
  CONTRACT_NOT_ACTIVE: { status: 'the contract’s status' },
  CONTRACT_TERMINATED: {},
  CURRENCY_NOT_SUPPORTED: {},
  CYCLES_IRREGULAR: { cycleIndex: 'the first cycle that does not follow the interval' },
  CYCLE_ALREADY_BILLED: ORDER_DETAIL_TEXTS,
  CYCLE_DATE_MISMATCH: ORDER_DETAIL_TEXTS,
  CYCLE_INDEX_OUT_OF_RANGE: {},
  CYCLE_NOT_FOUND: { cycleIndex: 'the requested index' },
  CYCLE_START_DATE_OUT_OF_RANGE: {},
  DATE_IN_PAST: {
    cycleIndex: 'for a skip, the index of the order’s billing cycle',
    date: 'the date in the past: the requested date or, for a skip, the due date of the order',
    earliest: 'the earliest date that can currently be set',
    latest: 'the latest date that can currently be set',
  },
  DATE_TOO_FAR: {
    date: 'the requested date',
    earliest: 'the earliest date that can currently be set',
    latest: 'the latest date that can currently be set',
  },
  DELIVERY_OPTION_REQUIRED: {},
  DISCOUNT_REJECTED: {
    rejectionReason:
      'the platform’s reason, or `ALREADY_USED`: a customer already used this code, which has a limit of payments, on the subscription and removed it',
  },
  DISCOUNT_TIED_TO_INTERVAL: {
    discountIds: 'the discounts that the store gives on every payment; empty when there are none',
    lineIds: 'the free lines; empty when there are none',
  },
  EMPTY_CONTRACT: { limit: 'the minimum number of lines', lineIds: 'the lines of which that many must stay' },
  GOODS_WITHOUT_PRICE: { lineIds: 'the lines that would be free' },
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: {},
  HAS_FUTURE_EDITS: {
    cycleIndex: 'the index of the edited order’s billing cycle',
    date: 'the due date of the edited order',
  },
  INCOMPLETE_BILLING_ATTEMPTS: ORDER_DETAIL_TEXTS,
  INTERVAL_NOT_OFFERED: {
    lineIds: 'the lines that are not sold at this interval',
    offeredIntervals: OFFERED_PLANS_TEXT,
  },
  INVALID: {
    actual: 'the actual number or length',
    limit: 'the maximum number of characters, entries, lines or units',
    lineIds: 'the line that is listed twice, or already has the variant',
    cycleIndex: 'the index of the billing cycle, when the platform rejects a change of an order',
    date: 'the due date of that order',
  },
  INVALID_BILLING_DATE: { date: 'the requested date' },
  LINE_NOT_FOUND: { lineIds: 'the line that was not found' },
  MINIMUM_NOT_REACHED: {
    actual: 'the number of orders so far',
    limit: 'the number of orders that the plan requires',
  },
  NOTHING_TO_REVERT: {},
  NO_UPCOMING_ORDER: {},
  ORDERS_ON_FIXED_DAYS: { date: 'the due date of the following order' },
  ORDER_IS_POSTPONED: {
    ...ORDER_DETAIL_TEXTS,
    revertableUntil: 'the last time at which the postponement can be reverted. Null if it no longer can',
  },
  ORDER_TOO_CLOSE: {
    ...ORDER_DETAIL_TEXTS,
    limit: 'the number of hours before an order in which changes are blocked',
    earliest: 'when the change is possible, unless another order is due within these hours by then',
  },
  OUT_OF_BOUNDS: {
    cycleIndex: 'for a move, the index of the order’s billing cycle',
    date: 'the requested date',
    earliest: 'the earliest date that the order can be moved to; null when it can no longer be moved',
    latest: 'the latest date that the order can be moved to',
  },
  PAYMENT_NOT_OPEN: {},
  QUANTITY_INVALID: {
    actual: 'the requested quantity',
    limit: 'the maximum quantity; the minimum is 1',
    lineIds: 'the line, unless it is a new one',
  },
  RETRIED_TOO_SOON: { earliest: 'when the payment can be tried again' },
  SEND_NOW_NOT_OFFERED: {},
  VARIANT_NOT_AVAILABLE: { lineIds: 'the line, unless it is a new one' },
};
