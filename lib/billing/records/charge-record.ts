/**
 * The record of one order that the service charges (`LEDGER#{shop}#{contract}`, sort key: the cycle's index). It is kept
 * for 24 months after its last change.
 */
import type { ContractRef } from '../../subscriptions/contract-ref.ts';
import type { BillingFinalAction } from './settings-record.ts';

/**
 * Open states: DUE; WAITING, an attempt was sent; ACTION_REQUIRED, the customer has to confirm the payment; RETRYING, an
 * attempt has failed. Closed states: CHARGED; ENDED, the final action was taken; SKIPPED, the order was not to be charged;
 * REPORTED, the order was to be charged, was not, and a person has to look.
 */
export type BillingChargeState =
  | 'DUE'
  | 'WAITING'
  | 'ACTION_REQUIRED'
  | 'RETRYING'
  | 'CHARGED'
  | 'ENDED'
  | 'SKIPPED'
  | 'REPORTED';

export type BillingChargeReason =
  // SKIPPED
  | 'SKIPPED_ORDER'
  | 'MOVED'
  | 'NOT_ACTIVE'
  | 'BEYOND_LAST_ORDER'
  // ENDED
  | 'TRIES_OVER'
  | 'NEVER_RETRIED'
  | 'CONTRACT_ENDED'
  | 'BILLING_OFF'
  // REPORTED
  | 'OVERDUE'
  | 'PAID_ELSEWHERE'
  | 'PRICE_REFUSED'
  | 'EMPTY_CYCLE'
  | 'UNDER_REVIEW'
  | 'MERCHANT_ACCOUNT'
  | 'REFUSED'
  | 'NO_OUTCOME';

export type OrderRef = ContractRef & { readonly cycleIndex: number };

/** The billing of one order, across all its runs and attempts. All times are epoch milliseconds. */
export type BillingCharge = OrderRef & {
  /** Each write has the version that was read as its condition. */
  readonly version: number;
  readonly state: BillingChargeState;
  /** Why the order was not charged. */
  readonly reason?: BillingChargeReason;
  /** When the order is due: the platform's `billingAttemptExpectedDate` as last read. */
  readonly expectedAtMs: number;
  /** The day of the run that found this order, in the store's zone: 2026-12-01. */
  readonly runDate: string;
  /** When a run found the order. */
  readonly foundAtMs?: number;
  /**
   * The contract's `updatedAt` when the order was found, if its price had no steps then. Until the contract changes, its
   * price needs no check.
   */
  readonly contractUpdatedAt?: string;
  /** Whether a run found the order in the older of the two weeks that it searches: such an order is only reported. */
  readonly isFoundInOlderWeek?: boolean;
  /** How many attempts of the order have ended without success, of all clients. */
  readonly failedTryCount: number;
  /** The global ids of the last failed attempts, so that none is counted twice. */
  readonly failedAttemptIds?: readonly string[];
  /** When the first attempt of the order was made, by any client. */
  readonly firstTryAtMs?: number;
  /** The idempotency key of the last attempt: one that the service sent, or another client's that was found open. */
  readonly idempotencyKey?: string;
  /** When the service last sent an attempt. */
  readonly sentAtMs?: number;
  /** The global id of the attempt that is under way, or was the last. */
  readonly attemptId?: string;
  /** The platform's code of the last decline. */
  readonly lastErrorCode?: string;
  /** When the service tries the order again by itself; absent when only the customer can help. */
  readonly nextTryAtMs?: number;
  /** When the tries of the order end and the final action follows, if `nextTryAtMs` is absent. */
  readonly endsAtMs?: number;
  /**
   * When something has to be done about the charge (`decideDueStep`). A reminder of another time is void. Present whenever
   * the state is ACTION_REQUIRED or RETRYING, when the response to an attempt was lost, and in a closed charge until its
   * timeline entry is recorded or its contract expired.
   */
  readonly remindAtMs?: number;
  /** The final action, which the charge names before it is taken. */
  readonly finalAction?: BillingFinalAction;
  /** When the charge named its final action. */
  readonly finalActionAtMs?: number;
  /** When the platform's e-mail asked the customer for another payment method. */
  readonly methodRequestedAtMs?: number;
  /** When the customer last requested another try of the payment. */
  readonly retryRequestedAtMs?: number;
  /** When the order was, or will be, tried because of the customer's last change of the address. */
  readonly addressTriedAtMs?: number;
  /** Whether the customer has caused the next try, or the try under way: the retry schedule does not count it. */
  readonly isExtraTry?: boolean;
  /** How many failed tries the retry schedule counts. */
  readonly scheduledTryCount?: number;
  /** When the last try that the retry schedule counts ended: the days to the next try are counted from then. */
  readonly scheduledFromMs?: number;
  /** Whether the order is the last of the contract's `maxCycles`: when it is paid, the contract expires. Absent: unknown. */
  readonly isLastOrder?: boolean;
  /**
   * The code of the refusal when an attempt was sent and not made: the platform's, or that for an idempotency key which
   * another client had used. Absent after an attempt was made.
   */
  readonly refusalCode?: string;
  /** How often the contract was under review when an attempt was to be made. */
  readonly underReviewCount?: number;
  readonly orderId?: string;
  readonly amount?: { readonly amount: string; readonly currencyCode: string };
  readonly updatedAtMs: number;
};

/** Whether something may still happen to the charge. */
export function isOpenCharge({ state }: Pick<BillingCharge, 'state'>): boolean {
  return state === 'DUE' || state === 'WAITING' || state === 'ACTION_REQUIRED' || state === 'RETRYING';
}

/** An order that is found later than this after its date, and was never tried, is reported and not charged. */
export const OVERDUE_AFTER_MS = 2 * 86_400_000;

/**
 * Whether a charge that was closed without payment opens again when a run finds its order: the order has another date, or
 * had been skipped, or moved to a day that the run did not reach. A paid charge never opens again.
 */
export function isReopened(charge: BillingCharge, expectedAtMs: number): boolean {
  if (isOpenCharge(charge) || charge.state === 'CHARGED') return false;
  const mayReturn = charge.reason === 'SKIPPED_ORDER' || charge.reason === 'MOVED';
  return mayReturn || charge.expectedAtMs !== expectedAtMs;
}

/** Card networks allow this many payment attempts for one order in `PAYMENT_ATTEMPTS_PERIOD_MS`. */
export const MAX_PAYMENT_ATTEMPTS_PER_ORDER = 10;
export const PAYMENT_ATTEMPTS_PERIOD_MS = 30 * 86_400_000;

/** Whether card networks allow another payment attempt for the order: ten in 30 days, of all clients together. */
export function isTryLeft(
  { failedTryCount, firstTryAtMs = 0 }: Pick<BillingCharge, 'failedTryCount' | 'firstTryAtMs'>,
  nowMs: number,
): boolean {
  return (
    failedTryCount < MAX_PAYMENT_ATTEMPTS_PER_ORDER || firstTryAtMs <= nowMs - PAYMENT_ATTEMPTS_PERIOD_MS
  );
}

/**
 * Returns when the service tries the order again by itself, epoch milliseconds.
 * @returns undefined when no try is planned, or card networks allow none at the planned time
 */
export function nextAllowedTryMs(charge: BillingCharge): number | undefined {
  const { state, nextTryAtMs } = charge;
  if (state !== 'RETRYING' || nextTryAtMs === undefined) return undefined;
  return isTryLeft(charge, nextTryAtMs) ? nextTryAtMs : undefined;
}

/** Returns the number of attempts that have ended, of all clients. */
export function countTries({ failedTryCount, state }: BillingCharge): number {
  return failedTryCount + (state === 'CHARGED' ? 1 : 0);
}

/** The new values of a charge's fields; undefined removes a field. */
export type ChargeChange = {
  readonly [Field in Exclude<keyof BillingCharge, keyof OrderRef | 'version' | 'updatedAtMs'>]?:
    | BillingCharge[Field]
    | undefined;
};

/** Returns the charge with the changed fields, and without those that are undefined. */
export function withChargeChange(charge: BillingCharge, change: ChargeChange): BillingCharge {
  const definedFields = Object.entries({ ...charge, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(definedFields) as BillingCharge;
}
