/**
 * Decides from the state of an order at the platform what is done with its charge (design: billing, the table of the run).
 * The first rule that applies decides.
 */
import type { TimeZone } from '../../domain/time-zone.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import {
  isFinalAttemptOutcome,
  type ObservedAttempt,
  toAttemptOutcome,
} from '../../timeline/attempt-outcome.ts';
import type { BillingCharge, BillingChargeReason, ChargeChange } from '../records/charge-record.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { addDays, endOfDayMs } from '../settings/run-times.ts';
import { createClosingChange, NO_OUTCOME_AFTER_MS } from '../settle/decide-after-attempt.ts';
import { hourAfter } from '../settle/hour-after.ts';
import { isFinalActionVisible } from '../settle/take-final-action.ts';
import type { OrderState } from './read-orders.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LATE_MS = 2 * DAY_MS;
/** Card networks: at most ten tries of one order in 30 days. */
const MAX_TRIES = 10;
const TRIES_PERIOD_MS = 30 * DAY_MS;
const OLDER_ORDER_RECHECK_MS = 15 * MINUTE_MS;
/** How much later an order is read again whose contract is claimed by another charge. */
export const CLAIMED_AGAIN_AFTER_MS = MINUTE_MS;

/**
 * - close: the change closes the charge.
 * - wait: nothing is sent now; the change names the time of the next order.
 * - leave: as wait, and failed attempts of others are counted then, not now.
 * - billed: the order is paid; its attempts say by whom.
 * - expire: the contract has had its last order.
 * - end: the tries are over.
 * - end older: older orders of the contract are in dunning, and end first.
 * - send: an attempt is made.
 */
export type OrderVerdict =
  | { readonly kind: 'close' | 'leave' | 'wait'; readonly change: ChargeChange }
  | { readonly kind: 'billed' | 'end' | 'expire' | 'send' }
  | { readonly kind: 'end older'; readonly older: readonly BillingCharge[] };

export type OrderView = {
  /** With the failed attempts of the order counted. */
  readonly charge: BillingCharge;
  readonly order: OrderState;
  readonly settings: BillingSettings;
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /** Whether the time has come at which the order ends, if nothing else decides. */
  readonly isEnding: boolean;
  /**
   * Whether the contract was paused, or had failed, when the order was due. Only determined for an order that was found
   * later and never tried; otherwise false.
   */
  readonly wasInactiveWhenDue: boolean;
  /** Undefined where no maximum is set, or it was not read. */
  readonly paidOrderCount: number | undefined;
  /** Whether others were paid for a later order since this order's cycle began. */
  readonly isLaterOrderPaid: boolean;
  /** The open charges of the contract's older orders. */
  readonly older: readonly BillingCharge[];
  /** Whether a later order of the contract is due now (`isLaterOrderDue`). */
  readonly isLaterOrderDue: boolean;
};

/** Returns the verdict. */
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

/** Returns what the final action may have changed. */
export function toContractState({ skipped, sourceContract }: OrderState) {
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
  const open = order.billingAttempts.nodes.find((one) => !isFinalAttemptOutcome(toAttemptOutcome(one)));
  return open === undefined ? undefined : decideByOpenAttempt(open, view);
}

/**
 * A process may have ended after the final action and before it has closed the charge: the order ends by its tries, and
 * not because it is skipped, or its contract is paused or cancelled, by that action.
 */
function decideByFinalAction({ charge, order }: OrderView): OrderVerdict | undefined {
  const { finalAction = 'LEAVE' } = charge;
  const isActionDone = finalAction !== 'LEAVE' && isFinalActionVisible(finalAction, toContractState(order));
  return isActionDone ? { kind: 'end' } : undefined;
}

function decideByOrder(view: OrderView): OrderVerdict | undefined {
  const { order, charge, nowMs, timeZone } = view;
  if (order.skipped) return createCloseVerdict('SKIPPED', 'SKIPPED_ORDER', view);
  const expectedAtMs = Date.parse(order.billingAttemptExpectedDate);
  if (expectedAtMs === charge.expectedAtMs) return undefined;
  // An order that was moved within the day is still within reach.
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
  return { kind: 'leave', change: { remindAtMs: hourAfter(store, nowMs, 1) } };
}

function decideByAge(view: OrderView): OrderVerdict | undefined {
  const { charge, order, nowMs } = view;
  const isOrderLate = nowMs - Date.parse(order.billingAttemptExpectedDate) > LATE_MS;
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
  const { charge, order, nowMs, isEnding, isLaterOrderDue: isNextDue, isLaterOrderPaid } = view;
  const { state, nextTryAtMs, endsAtMs } = charge;
  if (isEnding || (state === 'RETRYING' && isNextDue)) return { kind: 'end' };
  // Without a next try only the customer can help, until the order ends.
  const waitsUntilMs = nextTryAtMs ?? (state === 'RETRYING' ? endsAtMs : undefined);
  if (waitsUntilMs !== undefined && waitsUntilMs > nowMs) return { kind: 'wait', change: {} };
  if (isLaterOrderPaid) return createCloseVerdict('REPORTED', 'PAID_ELSEWHERE', view);
  const earlierTries = order.billingAttempts.nodes.filter(
    ({ completedAt, createdAt }) => Date.parse(completedAt ?? createdAt) > nowMs - TRIES_PERIOD_MS,
  );
  return earlierTries.length >= MAX_TRIES ? { kind: 'end' } : undefined;
}

/** Two orders of a contract are never in dunning: the older one ends first. */
function decideByOlderOrders({ older, nowMs }: OrderView): OrderVerdict | undefined {
  // An order that was left to this day is charged after the orders of the day, but before younger ones of its contract.
  const isDueNow = ({ state, remindAtMs = Number.POSITIVE_INFINITY }: BillingCharge) =>
    state === 'DUE' && remindAtMs <= nowMs;
  if (older.some((charge) => charge.state === 'WAITING' || isDueNow(charge))) {
    return { kind: 'wait', change: { remindAtMs: nowMs + OLDER_ORDER_RECHECK_MS } };
  }
  const olderInDunning = older.filter(({ state }) => state === 'ACTION_REQUIRED' || state === 'RETRYING');
  return olderInDunning.length === 0 ? undefined : { kind: 'end older', older: olderInDunning };
}

/**
 * Whether the tries of an order end because of a later order of its contract. It was left to this time, or its contract was
 * claimed by another charge when its run read it: then it is read again after the retries of the day. Or it was reported
 * because it was found too late.
 */
export function isLaterOrderDue(
  { cycleIndex }: Pick<BillingCharge, 'cycleIndex'>,
  others: readonly BillingCharge[],
  nowMs: number,
): boolean {
  const laterOrders = others.filter((one) => one.cycleIndex > cycleIndex);
  return laterOrders.some(
    ({ state, reason, remindAtMs = Number.POSITIVE_INFINITY }) =>
      reason === 'OVERDUE' || (state === 'DUE' && remindAtMs <= nowMs + CLAIMED_AGAIN_AFTER_MS),
  );
}

/** Returns the day before which a store's orders are checked for payments to others: its first 35 days. */
export function endOfFirstDays({ startsOn }: BillingSettings): string | undefined {
  return startsOn === undefined ? undefined : addDays(startsOn, FIRST_DAYS);
}

const FIRST_DAYS = 35;
