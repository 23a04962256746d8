/** The service's charges for the orders of one contract: it finds, evaluates, charges and settles them. */
import {
  addTryOfOthers,
  type Charge,
  closeCharge,
  countInSchedule,
  createCharge,
  hasUsedTries,
  hourAfter,
  isOpenCharge,
  type Moment,
  planAfterDecline,
  retrySettings,
  type Task,
  tryAfterAddress,
  tryNow,
} from './charge.ts';
import { classifyDecline } from './decline-classes.ts';
import type { ContractDescription } from './description.ts';
import { evaluateOrder, skippedOrMoved, type Verdict } from './evaluate-order.ts';
import type { TimeWindow } from './expectation.ts';
import type { Attempt, Order, PlatformModel } from './platform-model.ts';
import { applySteps, sumOrder } from './prices.ts';
import type { Run, StoreCalendar } from './store-calendar.ts';
import { DAY_MS, dayAt } from './zone-time.ts';

const QUARTER_HOUR_MS = 15 * 60_000;
const REVIEW_DAYS = 7;
/** Only the store can change an order's amount. */
const AMOUNT_CODES: ReadonlySet<unknown> = new Set([
  'AMOUNT_TOO_LARGE',
  'AMOUNT_TOO_SMALL',
  'INVALID_AMOUNT',
]);

type ServiceOptions = {
  readonly contract: ContractDescription;
  readonly platform: PlatformModel;
  readonly calendar: StoreCalendar;
};
type Act = { readonly kind: string; readonly atMs: number };

export function createServiceModel({ contract, platform, calendar }: ServiceOptions) {
  const charges = new Map<number, Charge>();
  const { maxCycles } = contract;
  let lastHelpMs = Number.NEGATIVE_INFINITY;
  /** When the last of `maxCycles` was paid, until the contract expires. */
  let lastOrderPaidMs: number | null = null;

  const openCharges = () => [...charges.values()].filter(isOpenCharge).sort((a, b) => a.index - b.index);
  const momentAt = (atMs: number): Moment => ({
    ...{ atMs, timeZone: calendar.zoneAt(atMs), settings: calendar.settingsAt(atMs) },
  });

  function find(run: Run, nowMs: number): void {
    for (const order of platform.ordersBetween(run.searchFromMs, run.searchUntilMs)) {
      if (order.expectedMs < run.startsMs) continue;
      const isOld = order.expectedMs < run.recentFromMs;
      const found = { day: run.day, foundMs: nowMs, expectedMs: order.expectedMs, isOld };
      const known = charges.get(order.index);
      if (known !== undefined && (isFoundAgain(known, order) || (!isOld && isDeclinedAndMoved(known, order))))
        Object.assign(known, { ...found, state: 'DUE', reason: null, isExtraTry: false, task: null });
      if (known !== undefined) continue;
      const charge = createCharge({ ...found, index: order.index });
      // The search finds no contract that has ended.
      const isPaidEarly = order.billed !== null && !platform.hasEnded() && wasPaidEarly(order, run);
      if (isPaidEarly) closeCharge(charge, 'REPORTED', 'PAID_ELSEWHERE');
      const isToCharge = order.billed === null && !order.isSkipped && !platform.hasEnded();
      if (isPaidEarly || isToCharge) charges.set(order.index, charge);
    }
  }

  /** A closed charge opens again when its order has another date, or was skipped or out of reach and no longer is. */
  function isFoundAgain(charge: Charge, order: Order): boolean {
    if (isOpenCharge(charge) || order.billed !== null || order.isSkipped || platform.hasEnded()) return false;
    const isBack = charge.reason === 'SKIPPED_ORDER' || charge.reason === 'MOVED';
    return charge.state !== 'CHARGED' && (isBack || order.expectedMs !== charge.expectedMs);
  }

  /** A declined order with another date is due on that date, and no longer on that of its next try. */
  function isDeclinedAndMoved(charge: Charge, order: Order): boolean {
    const mayBeTried = charge.state === 'RETRYING' && charge.task?.finalReason !== 'NEVER_RETRIED';
    return mayBeTried && !order.isSkipped && order.billed === null && order.expectedMs !== charge.expectedMs;
  }

  /** An order of the day that was paid more than a day before its date: a job of the merchant named no order. */
  function wasPaidEarly({ expectedMs, billed }: Order, run: Run): boolean {
    const isOfDay = expectedMs >= run.dayFromMs;
    return run.isFirstDays && isOfDay && billed?.by === 'OTHERS' && expectedMs - billed.atMs > DAY_MS;
  }

  /** Reads an order at the platform, and charges it, closes it or lets it wait. */
  function evaluate(charge: Charge, nowMs: number, window: TimeWindow): void {
    const order = platform.order(charge.index);
    if (order === undefined || !isOpenCharge(charge)) return;
    const older = openCharges().filter(({ index }) => index < charge.index);
    const finalReason = charge.task?.finalReason;
    const isLaterOverdue = [...charges.values()].some(
      ({ index, reason }) => index > charge.index && reason === 'OVERDUE',
    );
    const verdict = evaluateOrder({
      ...{ charge, order, platform, calendar, maxCycles, nowMs, finalReason, older, isLaterOverdue },
    });
    charge.task = null;
    charge.isWaitingForOlder = verdict.kind === 'wait';
    if (verdict.kind !== 'close') charge.expectedMs = order.expectedMs;
    if (verdict.kind === 'send') send(charge, order, { nowMs, window });
    else if (apply(verdict, charge, nowMs)) evaluate(charge, nowMs, window);
    if (!isOpenCharge(charge)) resumeWaiting(nowMs);
  }

  /** Returns whether the order has to be evaluated again. */
  function apply(verdict: Verdict, charge: Charge, nowMs: number): boolean {
    if (verdict.kind === 'close') {
      if (verdict.state === 'CHARGED') charge.chargedBy = verdict.by;
      closeCharge(charge, verdict.state, verdict.state === 'CHARGED' ? null : verdict.reason);
    } else if (verdict.kind === 'leave') leave(charge, nowMs);
    else if (verdict.kind === 'follow') follow(charge, verdict.attempt);
    else if (verdict.kind === 'end') end(charge, nowMs, verdict.finalReason);
    else if (verdict.kind === 'expire') {
      closeCharge(charge, 'SKIPPED', 'BEYOND_LAST_ORDER');
      platform.setStatus('EXPIRED', nowMs);
    } else if (verdict.kind === 'endOlder') {
      for (const each of verdict.older) endOlder(each, nowMs);
      return true;
    } else if (verdict.kind === 'count') return isDueAfterTries(charge, verdict.failures, nowMs);
    return false;
  }

  /** An order that the customer has skipped or moved since its last try has no final action. */
  function endOlder(charge: Charge, nowMs: number): void {
    const order = platform.order(charge.index);
    const closing = order && skippedOrMoved({ charge, order, calendar, nowMs });
    if (closing === undefined) end(charge, nowMs, 'TRIES_OVER');
    else apply(closing, charge, nowMs);
  }

  /** The next run looks at due orders by itself. */
  function leave(charge: Charge, nowMs: number): void {
    if (charge.state !== 'DUE') charge.task = { dueMs: hourAfter(momentAt(nowMs), 1), kind: 'HOUR' };
  }

  function follow(charge: Charge, { isChallenge }: Attempt): void {
    charge.state = isChallenge ? 'ACTION_REQUIRED' : 'WAITING';
  }

  /** Counts failed attempts of others as tries. Returns whether the next try is due already. */
  function isDueAfterTries(charge: Charge, failures: readonly Attempt[], nowMs: number): boolean {
    const last = failures.at(-1);
    for (const failure of failures.slice(0, -1)) addTryOfOthers(charge, failure);
    if (last !== undefined) decline(charge, last, nowMs);
    const isHelped = isOpenCharge(charge) && lastHelpMs > (last?.endMs ?? 0) && isHelpedByCard(charge);
    if (isHelped) tryNow(charge, nowMs);
    return charge.task !== null && charge.task.dueMs <= nowMs;
  }

  const isHelpedByCard = ({ declineClass }: Charge) =>
    declineClass === 'customer' || declineClass === 'later';

  /** Whether billing is on for an order: after it was switched off and on again, older ones are the merchant's. */
  function coversOrder({ day, expectedMs }: Charge, atMs: number): boolean {
    const { settings, timeZone } = momentAt(atMs);
    const isFromFirstDay = day >= settings.startsOn || dayAt(expectedMs, timeZone) >= settings.startsOn;
    return settings.enabled && isFromFirstDay;
  }

  /** Takes the final action. An order that the merchant's account refused is only reported. */
  function end(charge: Charge, nowMs: number, reason: NonNullable<Task['finalReason']>): void {
    if (!coversOrder(charge, nowMs)) {
      closeCharge(charge, 'ENDED', 'BILLING_OFF');
      return;
    }
    if (charge.declineClass === 'merchant') {
      closeCharge(charge, 'REPORTED', 'MERCHANT_ACCOUNT');
      return;
    }
    const { finalAction } = retrySettings(charge.declineClass, calendar.settingsAt(nowMs));
    if (finalAction === 'PAUSE') platform.setStatus('PAUSED', nowMs);
    if (finalAction === 'CANCEL') platform.setStatus('CANCELLED', nowMs);
    if (finalAction === 'SKIP') platform.skip(charge.index);
    closeCharge(charge, 'ENDED', reason);
  }

  function send(
    charge: Charge,
    order: Order,
    { nowMs, window }: { nowMs: number; window: TimeWindow },
  ): void {
    const total = order.editedMinor ?? setPrice(nowMs);
    const refusal = platform.refusalAt(nowMs);
    if (total === null) closeCharge(charge, 'REPORTED', 'PRICE_REFUSED');
    else if (refusal !== null) {
      handleRefusal(charge, refusal, nowMs);
      resumeWaiting(nowMs);
    } else {
      const attempt = platform.attemptCharge(charge.index, 'SERVICE', nowMs);
      if (attempt === undefined) throw new Error(`The attempt for order ${charge.index} was refused.`);
      Object.assign(charge, { sentMinor: total, isSent: true, lastRefusal: null });
      charge.tries.push({ ...window, by: 'SERVICE', outcome: null });
      follow(charge, attempt);
    }
  }

  /** Sets the price of the next order. Returns the total, or null when the price is too high and cannot be set. */
  function setPrice(nowMs: number): number | null {
    const next = applySteps(platform.lines(), platform.ordersMade());
    const [standing, total] = [platform.total(), sumOrder(next, contract.deliveryPriceMinor)];
    const isRefused = contract.refusesPrice === true || platform.hasUpcomingEdit(nowMs);
    if (isRefused && total !== standing) return standing < total ? standing : null;
    platform.setLines(next);
    return total;
  }

  /** A user error of the platform uses no try. */
  function handleRefusal(charge: Charge, code: string, nowMs: number): void {
    const isSecond = charge.lastRefusal === code;
    Object.assign(charge, { isSent: true, lastRefusal: code });
    if (code === 'THROTTLED' || code === 'PROCESSING_FAILED') {
      charge.task = { dueMs: nowMs + QUARTER_HOUR_MS, kind: 'NOW' };
    } else if (code === 'CONTRACT_UNDER_REVIEW') {
      charge.reviewCount += 1;
      if (charge.reviewCount > REVIEW_DAYS) closeCharge(charge, 'REPORTED', 'UNDER_REVIEW');
      else charge.task = { dueMs: hourAfter(momentAt(nowMs), 1), kind: 'HOUR' };
    } else if (isSecond) closeCharge(charge, 'REPORTED', 'REFUSED');
    else charge.task = { dueMs: nowMs, kind: 'NOW' };
  }

  /** A decline of others may be older than the charge: the settings of now decide, and days count from the decline. */
  function decline(charge: Charge, attempt: Attempt, nowMs: number): void {
    if (attempt.by === 'OTHERS') addTryOfOthers(charge, attempt);
    else countInSchedule(charge, attempt);
    const declineClass = classifyDecline(attempt.outcome);
    charge.declineClass = declineClass;
    charge.isAmountRefused = AMOUNT_CODES.has(attempt.outcome);
    if (declineClass === 'paid') {
      const isBilled = platform.order(charge.index)?.billed != null;
      closeCharge(charge, isBilled ? 'CHARGED' : 'REPORTED', isBilled ? null : 'PAID_ELSEWHERE');
    } else if (!coversOrder(charge, nowMs)) closeCharge(charge, 'ENDED', 'BILLING_OFF');
    else {
      charge.state = 'RETRYING';
      charge.task = planAfterDecline(charge, declineClass, { ...momentAt(nowMs), endMs: attempt.endMs });
    }
  }

  function endAttempt(attempt: Attempt): void {
    platform.endAttempt(attempt);
    const charge = charges.get(attempt.index);
    if (charge === undefined) return;
    const { by, outcome, endMs } = attempt;
    if (by === 'SERVICE')
      charge.tries = charge.tries.map((each) => (each.outcome === null ? { ...each, outcome } : each));
    if (outcome === 'PAYS') {
      // A success always counts, also of a charge that was closed.
      charge.chargedBy = by;
      closeCharge(charge, 'CHARGED', null);
      if (maxCycles !== null && platform.ordersMade() >= maxCycles) lastOrderPaidMs = endMs;
    } else if (isOpenCharge(charge)) decline(charge, attempt, endMs);
    resumeWaiting(endMs);
  }

  function expire(atMs: number): void {
    lastOrderPaidMs = null;
    if (calendar.settingsAt(atMs).enabled) platform.setStatus('EXPIRED', atMs);
  }

  function resumeWaiting(atMs: number): void {
    for (const charge of openCharges())
      if (charge.isWaitingForOlder) charge.task = { dueMs: atMs, kind: 'NOW' };
  }

  /** Reports an attempt that has no outcome after a week, when it is no longer read. */
  function giveUp({ index }: Attempt, atMs: number): void {
    const charge = charges.get(index);
    if (charge?.state !== 'ACTION_REQUIRED' && charge?.state !== 'WAITING') return;
    closeCharge(charge, 'REPORTED', 'NO_OUTCOME');
    resumeWaiting(atMs);
  }

  /** Lets a payment be tried now that the customer has acted. */
  function handleAct({ kind, atMs }: Act): void {
    if (kind === 'card') lastHelpMs = atMs;
    for (const charge of openCharges()) {
      if (charge.state !== 'RETRYING' || charge.task?.finalReason === 'NEVER_RETRIED') continue;
      if (hasUsedTries(charge, atMs)) continue;
      if (kind === 'address' && charge.declineClass === 'customer') tryAfterAddress(charge, atMs);
      const isHelped = kind === 'card' && isHelpedByCard(charge);
      // The request is refused for a contract that has ended (docs/operations.md, CONTRACT_TERMINATED).
      const isAllowed = !platform.hasEnded() && !charge.isAmountRefused;
      const isRequested =
        kind === 'retry' && isAllowed && atMs - charge.retryRequestedMs >= 4 * QUARTER_HOUR_MS;
      if (isRequested) charge.retryRequestedMs = atMs;
      if (isHelped || isRequested) tryNow(charge, atMs);
    }
  }

  function switchOff(): void {
    for (const charge of openCharges())
      if (charge.state === 'DUE' || charge.state === 'RETRYING') closeCharge(charge, 'ENDED', 'BILLING_OFF');
  }

  return {
    ...{ charges, openCharges, find, evaluate, endAttempt, expire, giveUp, handleAct, switchOff },
    lastOrderPaidMs: () => lastOrderPaidMs,
  };
}
