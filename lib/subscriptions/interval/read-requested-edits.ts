/**
 * Finds the skips and moves of upcoming orders that an interval change has to restore on the orders of the new
 * interval. They have the dates that clients requested, even when the platform shows other ones: after an interrupted
 * interval change, or when a client chose the date of the next order.
 */
import { floorToSecond, formatInstant, type Instant, parseInstant } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { message } from '../../messages/message.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { parseContractRef } from '../contract-ref.ts';
import { type BillingCycle, isOrderMoved, isOrderUpcoming, orderDueAtMs } from '../cycles/billing-cycle.ts';
import { findChosenOrder, markOrderChosen } from '../cycles/chosen-order.ts';
import { isDateUnreachable } from '../cycles/plan-order-move.ts';
import { listUpcomingEdits, type UpcomingEdit } from '../cycles/upcoming-edits.ts';
import { isBeyondOneYear } from '../find-date-error.ts';
import type { OperationDeps } from '../operation.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { regularOrderDateMs } from '../order-dates/order-dates.ts';
import { listCyclesWithoutOrder } from '../order-dates/postponed-orders.ts';
import { orderDateOfCycle, type PostponedDates } from '../order-dates/postponements.ts';
import { type Frequency, isSameFrequency } from '../selling-plans/frequency.ts';
import type { IntervalContract } from './interval-state.ts';
import { mergeConcurrentEdits } from './merge-concurrent-edits.ts';
import { readChosenDate, readEventsSince, readOriginalDates } from './read-events-of-interval-change.ts';
import {
  type IntervalChangeDeps,
  UNFINISHED_EDITS_TTL_MS,
  type UnfinishedIntervalChange,
} from './unfinished-intervals.ts';

type EditsRequest = {
  readonly contract: IntervalContract;
  readonly cycles: readonly BillingCycle[];
  /** The billing frequency after the change. It can be the present one. */
  readonly frequency: Frequency;
  /**
   * The date that this change sets for the next order, so that earlier choices of the date of that order are ignored.
   * Undefined if it sets none.
   */
  readonly dateMs: Instant | undefined;
  /** Until when deliveries are paid. No order may be due before. Undefined if unknown. */
  readonly paidUntilMs: Instant | undefined;
};

/**
 * Returns the skips and moves of upcoming orders that the platform shows, with the order that a client chose as the
 * next one. If an earlier interval change was interrupted before it restored the edits, returns the edits that this
 * change has stored, and those that clients have made since: the platform shows the stored ones on other orders.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function readRequestedEdits(
  deps: IntervalChangeDeps,
  request: EditsRequest,
): Promise<UpcomingEdit[]> {
  const { contract } = request;
  const ref = parseContractRef(deps.store.shopId, contract.id);
  const unfinishedChange = ref && (await deps.unfinishedIntervals.read(ref));
  const isUnfinished =
    unfinishedChange !== undefined &&
    deps.now() <= unfinishedChange.beganAtMs + UNFINISHED_EDITS_TTL_MS &&
    isSameFrequency(unfinishedChange.interval, contract.billingPolicy);
  const edits = isUnfinished
    ? await readUnfinishedEdits(deps, request, unfinishedChange)
    : markDatedOrder(deps, request, await readClientsEdits(deps, request));
  if (request.dateMs === undefined) return isUnfinished ? edits : markChosenNextOrder(deps, request, edits);
  const date = formatInstant(request.dateMs);
  return edits.map((edit) => (edit.isChosen ? { ...edit, date } : edit));
}

/**
 * Marks the move of the order that gets the date of this change as the chosen one, so that the order comes only on
 * that date.
 */
function markDatedOrder(
  { now }: OperationDeps,
  { cycles, dateMs }: EditsRequest,
  edits: UpcomingEdit[],
): UpcomingEdit[] {
  if (dateMs === undefined) return edits;
  const datedCycle = cycles.find(
    (cycle) => isOrderUpcoming(cycle, now()) && !cycle.skipped && Date.parse(cycle.cycleEndAt) >= dateMs,
  );
  return edits.map((edit) =>
    edit.cycleIndex === datedCycle?.cycleIndex ? { ...edit, isChosen: true } : edit,
  );
}

/**
 * Returns the edits that clients made. If the interval changes, they do not include the dates that a postponement
 * gave the orders. Instead the next order is marked as chosen, so that it keeps its date, in these cases: it was
 * moved, it was postponed by whole intervals and therefore has no assigned date, or the order before it was sent now
 * and the original cycle of that order has not ended.
 */
async function readClientsEdits(deps: IntervalChangeDeps, request: EditsRequest): Promise<UpcomingEdit[]> {
  const { contract, cycles, frequency } = request;
  const nowMs = deps.now();
  const platformEdits = await readVisibleEdits(deps, request);
  const ref = parseContractRef(deps.store.shopId, contract.id);
  const record = ref && (await deps.postponements.read(ref));
  const isSameInterval = isSameFrequency(frequency, contract.billingPolicy);
  const cyclesWithoutOrder = record === undefined || isSameInterval ? [] : listCyclesWithoutOrder(record);
  const edits = platformEdits.filter(
    ({ cycleIndex, skipped }) => !skipped || cyclesWithoutOrder.every((one) => one.cycleIndex !== cycleIndex),
  );
  const dates = record?.dates;
  if (dates === undefined || !isSameFrequency(dates.laid, contract.billingPolicy)) {
    // The order would come again at the end of such a cycle.
    const isWithoutOrder = ({ cycleIndex, cycleEndAt, skipped }: BillingCycle) =>
      skipped &&
      nowMs < Date.parse(cycleEndAt) &&
      cyclesWithoutOrder.some((one) => one.cycleIndex === cycleIndex);
    const next = findNextCycle(cycles, nowMs);
    const isNextMoved = !isSameInterval && next !== undefined && isOrderMoved(next);
    const isCurrentSent = !isSameInterval && cycles.some((cycle) => isSentEarly(cycle, nowMs));
    return isNextMoved || isCurrentSent || cycles.some(isWithoutOrder)
      ? markNextOrder(edits, request, nowMs)
      : edits;
  }
  const postponed = { cycles, dates, timeZone: timeZoneOf(deps.store), nowMs };
  const visibleEdits = edits.map((edit) => withOrderDate(edit, postponed));
  if (isSameInterval) return visibleEdits;
  const individualEdits = visibleEdits.filter((edit) => !isPostponementEdit(edit, postponed));
  return markNextOrder(individualEdits, request, nowMs);
}

/** Marks the next order as chosen, unless the change sets its date, deliveries are paid, or it is more than a year ahead. */
function markNextOrder(
  edits: UpcomingEdit[],
  { cycles, dateMs, paidUntilMs }: EditsRequest,
  nowMs: number,
): UpcomingEdit[] {
  const next = findNextCycle(cycles, nowMs);
  const mayKeepDate = dateMs === undefined && paidUntilMs === undefined;
  return mayKeepDate && next !== undefined && !isBeyondOneYear(orderDueAtMs(next), nowMs)
    ? markOrderChosen(edits, next)
    : edits;
}

/** Whether the order of a cycle that has not ended was moved to an earlier day and paid. */
function isSentEarly(cycle: BillingCycle, nowMs: number): boolean {
  return cycle.status === 'BILLED' && isOrderMoved(cycle) && nowMs < Date.parse(cycle.cycleEndAt);
}

function findNextCycle(cycles: readonly BillingCycle[], nowMs: number): BillingCycle | undefined {
  return cycles.find((cycle) => isOrderUpcoming(cycle, nowMs) && !cycle.skipped);
}

type PostponedCycles = {
  readonly cycles: readonly BillingCycle[];
  readonly dates: PostponedDates;
  readonly timeZone: TimeZone;
  readonly nowMs: number;
};

/**
 * Replaces the date of an edit of a postponed contract. A skipped order gets the date on which it would be due; a
 * skipped cycle without an order gets the end of the cycle. A moved order keeps its date, and its original date is
 * the one that the postponement gave it.
 */
function withOrderDate(
  edit: UpcomingEdit,
  { cycles, dates, timeZone, nowMs }: PostponedCycles,
): UpcomingEdit {
  const cycle = cycles.find(({ cycleIndex }) => cycleIndex === edit.cycleIndex);
  if (cycle === undefined) return edit;
  if (!edit.skipped) {
    const originalMs = regularOrderDateMs(cycle, dates.laid, timeZone);
    return { ...edit, originalDate: formatInstant(floorToSecond(originalMs)) };
  }
  const date = orderDateOfCycle(cycle, { dates, timeZone, nowMs }) ?? cycle.cycleEndAt;
  return { ...edit, date, originalDate: date, moved: false };
}

function isPostponementEdit(
  { cycleIndex, date, skipped }: UpcomingEdit,
  { cycles, dates, timeZone }: PostponedCycles,
): boolean {
  const cycle = cycles.find((one) => one.cycleIndex === cycleIndex);
  return (
    !skipped && cycle !== undefined && Date.parse(date) === regularOrderDateMs(cycle, dates.laid, timeZone)
  );
}

async function markChosenNextOrder(
  deps: OperationDeps,
  { contract, cycles, paidUntilMs }: EditsRequest,
  edits: UpcomingEdit[],
): Promise<UpcomingEdit[]> {
  if (edits.some(({ isChosen }) => isChosen)) return edits;
  const contractIdentity = { shopId: deps.store.shopId, contractId: contract.id };
  const chosenMs = paidUntilMs ?? (await readChosenDate(deps, contractIdentity));
  const chosenCycle = chosenMs === undefined ? undefined : findChosenOrder(cycles, chosenMs, deps.now());
  return chosenCycle === undefined ? edits : markOrderChosen(edits, chosenCycle);
}

async function readVisibleEdits(
  deps: OperationDeps,
  { contract, cycles }: EditsRequest,
): Promise<UpcomingEdit[]> {
  const nowMs = deps.now();
  const upcomingEdits = listUpcomingEdits(cycles, { nowMs, originalDates: new Map() });
  if (!upcomingEdits.some(({ moved }) => moved)) return upcomingEdits;
  const contractIdentity = { shopId: deps.store.shopId, contractId: contract.id };
  return listUpcomingEdits(cycles, { nowMs, originalDates: await readOriginalDates(deps, contractIdentity) });
}

async function readUnfinishedEdits(
  deps: OperationDeps,
  request: EditsRequest,
  { edits, beganAtMs }: UnfinishedIntervalChange,
): Promise<UpcomingEdit[]> {
  const { contract, cycles } = request;
  const contractIdentity = { shopId: deps.store.shopId, contractId: contract.id };
  const eventsSinceStart = await readEventsSince(deps, contractIdentity, beganAtMs);
  const { editsBefore, concurrentlyEditedIndexes } = mergeConcurrentEdits(
    { edits, entries: eventsSinceStart, beganAtMs, readAtMs: beganAtMs },
    cycles,
  );
  const visibleEdits = await readVisibleEdits(deps, request);
  return [
    ...editsBefore,
    ...visibleEdits.filter(({ cycleIndex }) => concurrentlyEditedIndexes.has(cycleIndex)),
  ];
}

/**
 * Returns OUT_OF_BOUNDS when the order that a client chose as the next one cannot be the next one at this frequency.
 */
export function findUnreachableChosenOrderError(
  edits: readonly UpcomingEdit[],
  { field, ...reach }: Parameters<typeof isDateUnreachable>[1] & { readonly field: string },
): OperationError | undefined {
  const dateMs = parseInstant(edits.find(({ isChosen }) => isChosen)?.date);
  return dateMs === undefined || !isDateUnreachable(dateMs, reach)
    ? undefined
    : nextOrderTooFarError(field, dateMs);
}

/** Returns OUT_OF_BOUNDS for the client's argument that sets the interval. */
export function nextOrderTooFarError(field: string, dateMs: Instant): OperationError {
  const fieldAndMessage = { field: [field], message: message('nextOrderTooFar', { day: dateMs }) };
  return createUserError('OUT_OF_BOUNDS', fieldAndMessage, { date: formatInstant(dateMs) });
}
