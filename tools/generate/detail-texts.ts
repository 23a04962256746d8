/** The meaning of each field of `details`, by error code. */
import type {
  DetailName,
  detailsOfCodes,
  detailsOfRetainedCodes,
} from '../../lib/subscriptions/error-details.ts';

type Codes = keyof typeof detailsOfCodes | keyof typeof detailsOfRetainedCodes;

const ORDER = { cycleIndex: 'the order’s', date: 'when the order is due' };
const OFFERED = 'the plans that can be named instead, 50 at most; empty: none';

/** The type requires exactly the fields of the tables: a missing or an extra text does not compile. */
export const detailTexts: { readonly [Code in Codes]: { readonly [Name in DetailName<Code>]: string } } = {
  ANCHORS_DO_NOT_FIT: {},
  BILLING_CYCLE_SKIPPED: {},
  BILLING_DATE_SET_ON_SKIPPED: ORDER,
  BLANK: {},
  CONCURRENT_UPDATE: {},
  CONTRACT_NOT_FOUND: {},
  CONTRACT_PAUSED: {},
  CONTRACT_TERMINATED: {},
  CURRENCY_NOT_SUPPORTED: {},
  CYCLE_ALREADY_BILLED: ORDER,
  CYCLE_DATE_MISMATCH: ORDER,
  CYCLE_INDEX_OUT_OF_RANGE: {},
  CYCLE_NOT_FOUND: { cycleIndex: 'the one that was asked for' },
  CYCLE_START_DATE_OUT_OF_RANGE: {},
  DATE_IN_PAST: {
    cycleIndex: 'the order’s, of a skip',
    date: 'the one that has passed: what was asked for, or of a skip the order’s',
    earliest: 'the first that can be set just now',
    latest: 'the last that can be set just now',
  },
  DATE_TOO_FAR: {
    date: 'the one that was asked for',
    earliest: 'the first that can be set just now',
    latest: 'the last that can be set just now',
  },
  DELIVERY_OPTION_REQUIRED: {},
  DISCOUNT_REJECTED: {
    rejectionReason:
      'the platform’s reason, or `ALREADY_USED`: a customer used this code with a limit of payments on the subscription, and removed it',
  },
  DISCOUNT_TIED_TO_INTERVAL: {
    discountIds: 'the discounts that the store gives on every payment; empty: none',
    lineIds: 'the lines that cost nothing; empty: none',
  },
  EMPTY_CONTRACT: { limit: 'the fewest lines', lineIds: 'the lines of which so many stay' },
  GOODS_WITHOUT_PRICE: { lineIds: 'the lines that would cost nothing' },
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: {},
  HAS_FUTURE_EDITS: { cycleIndex: 'the edited order’s', date: 'when the edited order is due' },
  INCOMPLETE_BILLING_ATTEMPTS: ORDER,
  INTERVAL_NOT_OFFERED: { lineIds: 'the lines that are not sold so', offeredIntervals: OFFERED },
  INVALID: {
    actual: 'how many, or how long, it is',
    limit: 'the most characters, entries, lines or units',
    lineIds: 'the line that is named twice, or has the variant already',
    cycleIndex: 'the order’s, where the platform refuses a change of one',
    date: 'when that order is due',
  },
  INVALID_BILLING_DATE: { date: 'the one that was asked for' },
  LINE_NOT_FOUND: { lineIds: 'the one that is not there' },
  MINIMUM_NOT_REACHED: { actual: 'the orders so far', limit: 'the orders that the plan asks for' },
  ORDER_TOO_CLOSE: { ...ORDER, limit: 'how many hours are too close' },
  OUT_OF_BOUNDS: {
    cycleIndex: 'the order’s, of a move',
    date: 'the one that was asked for',
    earliest: 'the first that the order can be moved to; null: it can no longer be moved',
    latest: 'the last that the order can be moved to',
  },
  QUANTITY_INVALID: {
    actual: 'the quantity that was asked for',
    limit: 'the most that can be asked for; the fewest is 1',
    lineIds: 'the line, unless it is new',
  },
  VARIANT_NOT_AVAILABLE: { lineIds: 'the line, unless it is new' },
};
