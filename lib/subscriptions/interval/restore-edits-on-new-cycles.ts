/**
 * The second step of an interval change: skips the orders of days before the change, reads the new cycles, and restores
 * the skips and moves in one document. The step can be repeated: after a lost response the cycles are read again, and
 * after a crash the scheduled work repeats it.
 */

import { floorToSecond, formatInstant, type Instant, parseInstant } from '../../domain/instant.ts';
import { isoDayIn, localTimeIn, type TimeZone } from '../../domain/time-zone.ts';
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { message } from '../../messages/message.ts';
import { type BillingCycle, type EditReason, isDateInCycle, orderDueAtMs } from '../cycles/billing-cycle.ts';
import { MAX_OVERDUE_MS } from '../cycles/plan-order-move.ts';
import {
  type DroppedEdit,
  findStartAfterPaidCycle,
  planEditsAfterDeletion,
  planRestoredEdits,
  type RestoringEdit,
  type ScheduleEdit,
  toDroppedEdit,
} from '../cycles/plan-restored-edits.ts';
import {
  type RefusedEdit,
  sendScheduleEdits,
  sendScheduleEditsForErrors,
} from '../cycles/send-schedule-edits.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import type { OperationDeps } from '../operation.ts';
import { regularOrderDateMs } from '../order-dates/order-dates.ts';
import type { CycleWithoutOrder, PostponedDates } from '../order-dates/postponements.ts';
import { listCyclesToExtend } from '../postpone/plan-date-extension.ts';
import { type Frequency, isSameFrequency } from '../selling-plans/frequency.ts';
import {
  type ConcurrentEntries,
  findDateChosenSince,
  listChangesSinceRead,
  mergeConcurrentEdits,
} from './merge-concurrent-edits.ts';
import type { OrderChange } from './order-changes.ts';
import { readCyclesBetween, readCyclesOfEdits } from './read-upcoming-cycles.ts';
import { isPastOrder, type PastOrders } from './unfinished-intervals.ts';

type RestoreEditsDeps = Pick<OperationDeps, 'sendToPlatform' | 'now'>;

export type EditsToRestore = ConcurrentEntries & {
  readonly contractId: string;
  readonly edits: readonly UpcomingEdit[];
  /** The orders to skip of this change, and of earlier ones that may not be finished. */
  readonly pastOrders: readonly PastOrders[];
  /**
   * The interval that the change has set. If the contract has another one now, a later interval change handles the
   * edits.
   */
  readonly interval: Frequency;
  readonly reason: EditReason;
  /** The skipped cycles without an order, as they were before the change. */
  readonly cyclesWithoutOrder: readonly CycleWithoutOrder[];
  /** Set if the contract is postponed: its orders then follow from the next one by the interval. */
  readonly postponed?: PostponedOrders | undefined;
};

type PostponedOrders = {
  /** Undefined when the orders were due at the ends of their cycles. */
  readonly dates: PostponedDates | undefined;
  /** The date that the interval change sets for the next order. */
  readonly dateMs: Instant | undefined;
};

const MAX_RESTORE_ROUNDS = 2;

/**
 * Skips the orders of days before the change, and restores the edits. Returns the edits that fit no cycle. Sends up to two
 * platform requests for the skips, and two if there are edits.
 * @throws ServiceError when perhaps only a part of the edits was restored; the call can be repeated
 */
export async function restoreEditsOnNewCycles(
  deps: RestoreEditsDeps,
  request: EditsToRestore,
): Promise<DroppedEdit[]> {
  for (let restoreRound = 1; ; restoreRound++) {
    try {
      return await restoreEditsOnce(deps, request);
    } catch (error) {
      if (!isOutcomeUnknown(error) || restoreRound === MAX_RESTORE_ROUNDS) throw error;
    }
  }
}

async function restoreEditsOnce(deps: RestoreEditsDeps, request: EditsToRestore): Promise<DroppedEdit[]> {
  const { contractId, reason } = request;
  await skipOrdersOfPastDays(deps, request);
  const changesSinceRead = listChangesSinceRead(request);
  const nowMs = deps.now();
  const emptyPlaceholders = toPlaceholdersOfCyclesWithoutOrder(request, nowMs);
  if (request.edits.length + changesSinceRead.length + emptyPlaceholders.length === 0) return [];
  const edits = [
    ...request.edits,
    ...emptyPlaceholders,
    ...changesSinceRead.map((one) => toPlaceholderEdit(one, nowMs)),
    ...toPlaceholderOfChosenOrder(request),
  ];
  const { cycles, timeZone, contract } = await readCyclesOfEdits(deps, { contractId, edits, nowMs });
  if (contract === null || !isSameFrequency(contract.billingPolicy, request.interval)) return [];
  const { editsBefore, concurrentlyEditedIndexes } = mergeConcurrentEdits(request, cycles);
  const regularDueAtMs = createDueDates(request, cycles, { timeZone, nowMs });
  const restoration = { editsBefore, cycles, timeZone, nowMs, concurrentlyEditedIndexes, regularDueAtMs };
  const { undoingEdits, restoringEdits, droppedEdits } = planRestoredEdits(restoration);
  // Send the earliest orders first: if the step is interrupted, only the latest orders lack their edit.
  const schedulingEdits = [...undoingEdits, ...restoringEdits].sort(
    (one, other) => one.cycleIndex - other.cycleIndex,
  );
  const refusedErrors = await sendScheduleEditsForErrors(deps, {
    contractId,
    reason,
    edits: schedulingEdits,
  });
  const remainingEdits = refusedErrors.some(isUndoOutOfReach)
    ? await sendScheduleEdits(deps, {
        ...{ contractId, reason, deletesAllEditsFirst: true },
        edits: planEditsAfterDeletion(restoration),
      })
    : refusedErrors.map(({ edit }) => edit);
  return [...droppedEdits, ...remainingEdits.flatMap(toDroppedEdits)].sort(
    (one, other) => one.cycleIndex - other.cycleIndex,
  );
}

/**
 * Skips the unpaid orders that the platform has counted to the 35 days before the change, at a shorter interval in the
 * middle of a cycle. No client has seen them, but jobs would find them. A later change of the interval leaves them as they are.
 * @throws ServiceError when perhaps only some of them were skipped; the call can be repeated
 */
export async function skipOrdersOfPastDays(
  deps: RestoreEditsDeps,
  { contractId, pastOrders, reason }: Pick<EditsToRestore, 'contractId' | 'pastOrders' | 'reason'>,
): Promise<void> {
  if (pastOrders.length === 0) return;
  const toMs = Math.max(...pastOrders.map(({ untilMs }) => untilMs));
  const range = { contractId, fromMs: toMs - MAX_OVERDUE_MS, toMs };
  const edits = (await readCyclesBetween(deps, range))
    .filter(({ status, skipped }) => status !== 'BILLED' && !skipped)
    .filter((cycle) => isPastOrder({ ...cycle, dueAtMs: orderDueAtMs(cycle) }, pastOrders))
    .map(({ cycleIndex }): ScheduleEdit => ({ cycleIndex, skip: true }));
  if (edits.length > 0) await sendScheduleEdits(deps, { contractId, reason, edits });
}

/**
 * Returns a function that computes when the order of a cycle is due after the change, for a postponed contract.
 * @returns undefined when the orders are due at the ends of their cycles, also because the cycles do not follow the
 * interval
 */
function createDueDates(
  { postponed, interval, edits }: EditsToRestore,
  cycles: readonly BillingCycle[],
  { timeZone, nowMs }: { readonly timeZone: TimeZone; readonly nowMs: number },
): ((cycle: BillingCycle) => number) | undefined {
  if (postponed === undefined) return undefined;
  const laid = postponed.dates?.laid;
  if (laid !== undefined && isSameFrequency(laid, interval))
    return (cycle) => regularOrderDateMs(cycle, laid, timeZone);
  const requestedMs = postponed.dateMs ?? parseInstant(edits.find(({ isChosen }) => isChosen)?.date);
  if (requestedMs === undefined) return undefined;
  const nextMs =
    parseInstant(findStartAfterPaidCycle({ date: formatInstant(requestedMs) }, cycles)) ?? requestedMs;
  const cycleOfNextOrder = cycles.find((cycle) => isDateInCycle(cycle, nextMs));
  if (cycleOfNextOrder === undefined) return undefined;
  const { secondOfDay } = localTimeIn(timeZone, nextMs);
  const firstDatedOrder = {
    fromCycle: cycleOfNextOrder.cycleIndex,
    day: isoDayIn(timeZone, nextMs),
    secondOfDay,
  };
  const cyclesFromNext = cycles.slice(cycles.indexOf(cycleOfNextOrder));
  const assignedDates = { ...interval, ...firstDatedOrder, laidThrough: firstDatedOrder.fromCycle };
  if (listCyclesToExtend({ cycles: cyclesFromNext, assignedDates, timeZone, nowMs }) === undefined)
    return undefined;
  const orderDates = { ...assignedDates, laidThrough: Number.POSITIVE_INFINITY };
  return (cycle) => regularOrderDateMs(cycle, orderDates, timeZone);
}

/**
 * Whether the platform refused to undo an edit because the new, longer interval has moved its cycle more than a year
 * ahead. The caller then deletes all edits, and sends again those that are to be restored.
 */
function isUndoOutOfReach({ edit, error }: RefusedEdit<ScheduleEdit | RestoringEdit>): boolean {
  return !('restoredEdit' in edit) && error.code === 'UPCOMING_CYCLE_LIMIT_EXCEEDED';
}

/** Returns a placeholder edit, so that the cycles that are read include the order that was changed concurrently. */
function toPlaceholderEdit(
  { cycleIndex, stateBefore, stateAfter }: OrderChange,
  nowMs: number,
): UpcomingEdit {
  const date = formatInstant(floorToSecond(stateAfter.dateMs ?? stateBefore.dateMs ?? nowMs));
  return { cycleIndex, date, skipped: true, moved: false, originalDate: null };
}

/**
 * Returns placeholder edits, so that the cycles that are read include those that had no order: the platform may carry over
 * their skips to cycles that have one.
 */
function toPlaceholdersOfCyclesWithoutOrder(
  { cyclesWithoutOrder, postponed, interval }: EditsToRestore,
  nowMs: number,
): UpcomingEdit[] {
  if (isSameFrequency(postponed?.dates?.laid, interval)) return [];
  const date = formatInstant(floorToSecond(nowMs));
  return cyclesWithoutOrder.map(({ cycleIndex }) => ({
    ...{ cycleIndex, date, skipped: true, moved: false, originalDate: null },
  }));
}

/**
 * Returns a placeholder edit, so that the cycles that are read include the date that a client set for the next order.
 */
function toPlaceholderOfChosenOrder({ edits: [edit], ...concurrent }: EditsToRestore): UpcomingEdit[] {
  const dateMs = findDateChosenSince(concurrent);
  return dateMs === undefined || edit === undefined ? [] : [{ ...edit, date: formatInstant(dateMs) }];
}

/**
 * Converts a schedule edit that the platform refused to a dropped edit. Returns an empty list for an undo: its order
 * was billed, or its cycle ended concurrently, so no client's edit is lost.
 */
function toDroppedEdits(refused: ScheduleEdit | RestoringEdit): DroppedEdit[] {
  if (!('restoredEdit' in refused)) return [];
  return [
    toDroppedEdit(refused.restoredEdit, { reasonCode: 'CHANGED_MEANWHILE', reason: message('editRefused') }),
  ];
}
