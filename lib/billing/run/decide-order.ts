/**
 * Decides from the state of an order at the platform what is done with its charge. The first rule that applies decides.
 */
import type { TimeZone } from '../../domain/time-zone.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import {
  isFinalAttemptOutcome,
  type ObservedAttempt,
  toAttemptOutcome,
} from '../../timeline/attempt-outcome.ts';
import {
  type BillingCharge,
  type BillingChargeReason,
  type ChargeChange,
  MAX_PAYMENT_ATTEMPTS_PER_ORDER,
  OVERDUE_AFTER_MS,
  PAYMENT_ATTEMPTS_PERIOD_MS,
} from '../records/charge-record.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { addDays, endOfDayMs } from '../settings/run-times.ts';
import { createClosingChange, NO_OUTCOME_AFTER_MS } from '../settle/decide-after-attempt.ts';
import { runStartAfterDays } from '../settle/run-start-after-days.ts';
import { isFinalActionVisible } from '../settle/take-final-action.ts';
import type { OrderState } from './read-orders.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const OLDER_ORDER_REREAD_DELAY_MS = 15 * MINUTE_MS;
/** After this time an order is read again whose contract another charge has claimed. */
export const CLAIMED_ORDER_REREAD_DELAY_MS = MINUTE_MS;

/**
 * - close: the charge is closed by `change`.
 * - wait: nothing is sent now. `change` has the time of the next reminder, unless the charge's reminder stays.
 * - leave: like wait, but the counted failed attempts are not stored now: they are counted at the next evaluation.
 * - billed: the order is paid; its attempts show by which one.
 * - expire: the contract has had its last order, so it expires.
 * - end: the tries of the order are over.
 * - end older: the contract's older orders in dunning (`olderCharges`) end first.
 * - send: an attempt is made.
 */
export type OrderVerdict =
  | { readonly kind: 'close' | 'leave' | 'wait'; readonly change: ChargeChange }
  | { readonly kind: 'billed' | 'end' | 'expire' | 'send' }
  | { readonly kind: 'end older'; readonly olderCharges: readonly BillingCharge[] };

export type OrderView = {
  /** The charge, with the failed attempts of the order counted. */
  readonly charge: BillingCharge;
  readonly order: OrderState;
  readonly settings: BillingSettings;
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /** Whether the tries of the order are over, so that it ends if no other rule decides. */
  readonly isEnding: boolean;
  /**
   * Whether the contract was paused, or had failed, when the order was due. Only determined for an order that was due
   * before now and was never tried; otherwise false.
   */
  readonly wasInactiveWhenDue: boolean;
  /** How many orders of the contract were paid; undefined when the contract has no `maxCycles`, or this order is billed. */
  readonly paidOrderCount: number | undefined;
  /** Whether another client was paid for a later order since this order's cycle began. */
  readonly isLaterOrderPaid: boolean;
  /** The open charges of the contract's older orders. */
  readonly olderCharges: readonly BillingCharge[];
  /** Whether a later order of the contract is due now (`isLaterOrderDue`). */
  readonly isLaterOrderDue: boolean;
};

/** Returns what is done with the order: the verdict of the first rule that applies. */
export function decideOrder(view: OrderView): OrderVerdict {
  return (
    decideByAttempts(view) ??
    decideByFinalAction(view) ??
    decideByOrder(view) ??
    decideByContract(view) ??
    decideByAge(view) ??
    decideByPaidOrders(view) ??
    decideByTries(view) ??
    decideByOlderOrders(view) ?? { kind: 'send' }
  );
}

type OlderOrderView = Pick<OrderView, 'charge' | 'nowMs' | 'order' | 'timeZone'>;

/**
 * Returns what is done with an order in dunning when a younger order of its contract is due: it ends, unless it is paid or
 * the customer has skipped or moved it since the last try.
 */
export function decideOlderOrder(view: OlderOrderView): OrderVerdict {
  if (view.order.status === 'BILLED') return { kind: 'billed' };
  return decideByFinalAction(view) ?? decideByOrder(view) ?? { kind: 'end' };
}

/** Returns the part of the order's state that a final action changes. */
export function toFinalActionState({ skipped, sourceContract }: OrderState) {
  return { contractStatus: sourceContract.status, isSkipped: skipped };
}

/** Whether no attempt of the order is known. */
export function isUntried({ sentAtMs, failedTryCount }: BillingCharge): boolean {
  return sentAtMs === undefined && failedTryCount === 0;
}

function createCloseVerdict(
  state: 'ENDED' | 'REPORTED' | 'SKIPPED',
  reason: BillingChargeReason,
  { nowMs }: Pick<OrderView, 'nowMs'>,
): OrderVerdict {
  return { kind: 'close', change: createClosingChange(state, reason, nowMs) };
}

function decideByAttempts(view: OrderView): OrderVerdict | undefined {
  const { order } = view;
  if (order.status === 'BILLED') return { kind: 'billed' };
  const openAttempt = order.billingAttempts.nodes.find(
    (one) => !isFinalAttemptOutcome(toAttemptOutcome(one)),
  );
  return openAttempt === undefined ? undefined : decideByOpenAttempt(openAttempt, view);
}

/**
 * A process may have crashed after the final action and before the charge was closed. Then the order ends because its tries
 * are over, not because it is skipped or its contract is paused or cancelled: the final action has done that.
 */
function decideByFinalAction({ charge, order }: OlderOrderView): OrderVerdict | undefined {
  const { finalAction = 'LEAVE' } = charge;
  const isActionDone =
    finalAction !== 'LEAVE' && isFinalActionVisible(finalAction, toFinalActionState(order));
  return isActionDone ? { kind: 'end' } : undefined;
}

function decideByOrder(view: OlderOrderView): OrderVerdict | undefined {
  const { order, charge, nowMs, timeZone } = view;
  if (order.skipped) return createCloseVerdict('SKIPPED', 'SKIPPED_ORDER', view);
  const expectedAtMs = Date.parse(order.billingAttemptExpectedDate);
  if (expectedAtMs === charge.expectedAtMs) return undefined;
  // An order that was moved, but not beyond the end of today, is still charged today.
  const today = isoDayIn(timeZone, nowMs);
  const isWithinReach = expectedAtMs < endOfDayMs(timeZone, today) && expectedAtMs <= nowMs + DAY_MS;
  return isWithinReach ? undefined : createCloseVerdict('SKIPPED', 'MOVED', view);
}

/** Waits for the end of an attempt, whoever made it, for as long as it may have an outcome. */
function decideByOpenAttempt(attempt: ObservedAttempt, view: OrderView): OrderVerdict {
  const { charge, nowMs } = view;
  const createdAtMs = Date.parse(attempt.createdAt);
  const giveUpAtMs = createdAtMs + NO_OUTCOME_AFTER_MS;
  if (giveUpAtMs <= nowMs) return createCloseVerdict('REPORTED', 'NO_OUTCOME', view);
  const isActionRequired = toAttemptOutcome(attempt).kind === 'action required';
  const chargeChange: ChargeChange = {
    state: isActionRequired ? 'ACTION_REQUIRED' : 'WAITING',
    attemptId: attempt.id,
    idempotencyKey: attempt.idempotencyKey,
    firstTryAtMs: Math.min(charge.firstTryAtMs ?? createdAtMs, createdAtMs),
    isExtraTry: attempt.idempotencyKey === charge.idempotencyKey ? charge.isExtraTry : undefined,
    nextTryAtMs: undefined,
    endsAtMs: undefined,
    remindAtMs: isActionRequired ? giveUpAtMs : Math.min(nowMs + HOUR_MS, giveUpAtMs),
  };
  return { kind: 'wait', change: chargeChange };
}

function decideByContract(view: OrderView): OrderVerdict | undefined {
  const { order, settings, timeZone, nowMs } = view;
  const { status } = order.sourceContract;
  if (status === 'ACTIVE') {
    return view.wasInactiveWhenDue ? createCloseVerdict('SKIPPED', 'NOT_ACTIVE', view) : undefined;
  }
  if (status !== 'PAUSED' && status !== 'FAILED') return createCloseVerdict('ENDED', 'CONTRACT_ENDED', view);
  if (Date.parse(order.billingAttemptExpectedDate) <= nowMs)
    return createCloseVerdict('SKIPPED', 'NOT_ACTIVE', view);
  const store = { shopId: view.charge.shopId, timeZone, hour: settings.hour };
  return { kind: 'leave', change: { remindAtMs: runStartAfterDays(store, nowMs, 1) } };
}

function decideByAge(view: OrderView): OrderVerdict | undefined {
  const { charge, order, nowMs } = view;
  const isOrderLate = nowMs - Date.parse(order.billingAttemptExpectedDate) > OVERDUE_AFTER_MS;
  if (charge.isFoundInOlderWeek || (isOrderLate && isUntried(charge)))
    return createCloseVerdict('REPORTED', 'OVERDUE', view);
  if (Date.parse(order.cycleEndAt) <= Date.parse(order.cycleStartAt)) {
    return createCloseVerdict('REPORTED', 'EMPTY_CYCLE', view);
  }
  return undefined;
}

function decideByPaidOrders({ order, paidOrderCount }: OrderView): OrderVerdict | undefined {
  const { maxCycles } = order.sourceContract.billingPolicy;
  const isBeyondLastOrder = maxCycles !== null && paidOrderCount !== undefined && paidOrderCount >= maxCycles;
  return isBeyondLastOrder ? { kind: 'expire' } : undefined;
}

function decideByTries(view: OrderView): OrderVerdict | undefined {
  const { charge, order, nowMs, isEnding, isLaterOrderDue: hasLaterDueOrder, isLaterOrderPaid } = view;
  const { state, nextTryAtMs, endsAtMs } = charge;
  if (isEnding || (state === 'RETRYING' && hasLaterDueOrder)) return { kind: 'end' };
  // Without a next try only the customer can help, until the order ends.
  const waitsUntilMs = nextTryAtMs ?? (state === 'RETRYING' ? endsAtMs : undefined);
  if (waitsUntilMs !== undefined && waitsUntilMs > nowMs) return { kind: 'wait', change: {} };
  if (isLaterOrderPaid) return createCloseVerdict('REPORTED', 'PAID_ELSEWHERE', view);
  const recentAttempts = order.billingAttempts.nodes.filter(
    ({ completedAt, createdAt }) => Date.parse(completedAt ?? createdAt) > nowMs - PAYMENT_ATTEMPTS_PERIOD_MS,
  );
  return recentAttempts.length >= MAX_PAYMENT_ATTEMPTS_PER_ORDER ? { kind: 'end' } : undefined;
}

/** Two orders of a contract are never in dunning at the same time: the older one ends first. */
function decideByOlderOrders({ olderCharges, nowMs }: OrderView): OrderVerdict | undefined {
  // A DUE charge with a due reminder was put off until now. It is charged before younger orders of its contract.
  const isDueNow = ({ state, remindAtMs = Number.POSITIVE_INFINITY }: BillingCharge) =>
    state === 'DUE' && remindAtMs <= nowMs;
  if (olderCharges.some((charge) => charge.state === 'WAITING' || isDueNow(charge))) {
    return { kind: 'wait', change: { remindAtMs: nowMs + OLDER_ORDER_REREAD_DELAY_MS } };
  }
  const chargesInDunning = olderCharges.filter(
    ({ state }) => state === 'ACTION_REQUIRED' || state === 'RETRYING',
  );
  return chargesInDunning.length === 0 ? undefined : { kind: 'end older', olderCharges: chargesInDunning };
}

/**
 * Whether the tries of an order end because a later order of its contract is due. The later order was put off until now, or
 * its contract was claimed by another charge when its run read it, so that it is read again after the day's retries; or it
 * was reported because it was found too late.
 */
export function isLaterOrderDue(
  { cycleIndex }: Pick<BillingCharge, 'cycleIndex'>,
  chargesOfContract: readonly BillingCharge[],
  nowMs: number,
): boolean {
  const laterOrders = chargesOfContract.filter((one) => one.cycleIndex > cycleIndex);
  return laterOrders.some(
    ({ state, reason, remindAtMs = Number.POSITIVE_INFINITY }) =>
      reason === 'OVERDUE' || (state === 'DUE' && remindAtMs <= nowMs + CLAIMED_ORDER_REREAD_DELAY_MS),
  );
}

/** Returns the end of the first 35 days of billing, in which orders are also checked for payments to other clients: a date. */
export function endOfStricterChecks({ startsOn }: BillingSettings): string | undefined {
  return startsOn === undefined ? undefined : addDays(startsOn, STRICTER_CHECK_DAYS);
}

const STRICTER_CHECK_DAYS = 35;
