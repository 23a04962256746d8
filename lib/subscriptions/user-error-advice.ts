/** What an app does about each user error: the field `advice` of `userErrors`. */
import type { ErrorAdvice } from '../errors/catalogue.ts';
import type { CustomerFacingErrorCode } from './error-details.ts';

/** The codes of the platform that only its own responses have. */
type PlatformOnlyCode =
  | 'EMPTY_BILLING_CYCLE_EDIT_SCHEDULE_INPUT'
  | 'INVALID_CYCLE_INDEX'
  | 'INVALID_DATE'
  | 'NO_CYCLE_EDITS'
  | 'UPCOMING_CYCLE_LIMIT_EXCEEDED';
type AdvisedErrorCode = CustomerFacingErrorCode | PlatformOnlyCode;

/**
 * The advice for each code. The type requires every code of the service, so a new code without advice does not
 * compile.
 *
 * @internal A test compares the codes with the schema.
 */
export const userErrorAdvice: Readonly<Record<AdvisedErrorCode, ErrorAdvice>> = {
  ADDRESS_LIMIT_REACHED: 'CHOOSE_ANOTHER',
  ANCHORS_DO_NOT_FIT: 'CHOOSE_ANOTHER',
  BILLING_CYCLE_SKIPPED: 'RELOAD',
  BILLING_DATE_SET_ON_SKIPPED: 'RELOAD',
  BLANK: 'CHOOSE_ANOTHER',
  CHANGED_SINCE: 'RELOAD',
  CONCURRENT_UPDATE: 'RELOAD',
  CONTRACT_NOT_ACTIVE: 'RELOAD',
  CONTRACT_NOT_FOUND: 'RELOAD',
  CONTRACT_PAUSED: 'RELOAD',
  CONTRACT_TERMINATED: 'RELOAD',
  CURRENCY_NOT_SUPPORTED: 'CONTACT_SUPPORT',
  CYCLES_IRREGULAR: 'CHOOSE_ANOTHER',
  CYCLE_ALREADY_BILLED: 'RELOAD',
  CYCLE_DATE_MISMATCH: 'RELOAD',
  CYCLE_INDEX_OUT_OF_RANGE: 'RELOAD',
  CYCLE_NOT_FOUND: 'RELOAD',
  CYCLE_START_DATE_OUT_OF_RANGE: 'RELOAD',
  DATE_IN_PAST: 'CHOOSE_ANOTHER',
  DATE_TOO_FAR: 'CHOOSE_ANOTHER',
  DELIVERY_OPTION_REQUIRED: 'CHOOSE_ANOTHER',
  DISCOUNT_REJECTED: 'CHOOSE_ANOTHER',
  DISCOUNT_TIED_TO_INTERVAL: 'CONTACT_SUPPORT',
  EMAIL_SENT_RECENTLY: 'RETRY',
  EMPTY_BILLING_CYCLE_EDIT_SCHEDULE_INPUT: 'CONTACT_SUPPORT',
  EMPTY_CONTRACT: 'CHOOSE_ANOTHER',
  GOODS_WITHOUT_PRICE: 'CONTACT_SUPPORT',
  HAS_FUTURE_EDITS: 'CONTACT_SUPPORT',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: 'CONTACT_SUPPORT',
  INCOMPLETE_BILLING_ATTEMPTS: 'RELOAD',
  INTERVAL_NOT_OFFERED: 'CHOOSE_ANOTHER',
  INVALID: 'CHOOSE_ANOTHER',
  INVALID_BILLING_DATE: 'CHOOSE_ANOTHER',
  INVALID_CYCLE_INDEX: 'RELOAD',
  INVALID_DATE: 'CHOOSE_ANOTHER',
  LINE_NOT_FOUND: 'RELOAD',
  MINIMUM_NOT_REACHED: 'CONTACT_SUPPORT',
  NOTHING_TO_REVERT: 'RELOAD',
  NO_CYCLE_EDITS: 'RELOAD',
  NO_UPCOMING_ORDER: 'RELOAD',
  ORDERS_ON_FIXED_DAYS: 'CHOOSE_ANOTHER',
  ORDER_IS_POSTPONED: 'RELOAD',
  ORDER_TOO_CLOSE: 'CONTACT_SUPPORT',
  OUT_OF_BOUNDS: 'CHOOSE_ANOTHER',
  PAYMENT_NOT_OPEN: 'RELOAD',
  QUANTITY_INVALID: 'CHOOSE_ANOTHER',
  RETRIED_TOO_SOON: 'RETRY',
  SEND_NOW_NOT_OFFERED: 'RELOAD',
  UPCOMING_CYCLE_LIMIT_EXCEEDED: 'CHOOSE_ANOTHER',
  VARIANT_NOT_AVAILABLE: 'CHOOSE_ANOTHER',
};

const adviceByCode: Readonly<Record<string, ErrorAdvice>> = userErrorAdvice;

/** Returns the advice for a user error: CONTACT_SUPPORT when it has no code, or a new code of the platform. */
export function adviceOfUserError(code: unknown): ErrorAdvice {
  return (
    (typeof code === 'string' && Object.hasOwn(adviceByCode, code) ? adviceByCode[code] : undefined) ??
    'CONTACT_SUPPORT'
  );
}
