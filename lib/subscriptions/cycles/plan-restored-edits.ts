/**
 * Plans which skips and moves are restored on the new cycles after an interval change. Edits that the platform
 * carried over to other cycles are undone. Edits that fit no new cycle are dropped and reported. The plan is made
 * from the cycles that were read after the change.
 */

import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { type Message, message } from '../../messages/message.ts';
import { individualOrderDateMs, isOnSameDay } from '../order-dates/order-dates.ts';
import {
  type BillingCycle,
  isDateInCycle,
  isOrderMoved,
  isOrderUpcoming,
  orderDueAtMs,
} from './billing-cycle.ts';
import { skipsEarlierOrder } from './chosen-order.ts';
import type { UpcomingEdit } from './upcoming-edits.ts';

/** The input of one `subscriptionBillingCycleScheduleEdit`. */
export type ScheduleEdit = {
  readonly cycleIndex: number;
  readonly skip?: boolean;
  readonly billingDate?: string;
};

/**
 * The value of the schema's type SubscriptionDroppedEdit. `cycleIndex` is the cycle's index before the interval change.
 */
export type DroppedEdit = {
  readonly cycleIndex: number;
  readonly originalDate: string | null;
  readonly skipped: boolean;
  readonly movedTo: string | null;
  readonly reason: Message;
  readonly reasonCode: DroppedEditReason;
};

/** The values of the schema's enum SubscriptionDroppedEditReason. */
type DroppedEditReason = 'NO_ORDER_THAT_DAY' | 'OUTSIDE_ORDER' | 'CHANGED_MEANWHILE';
/** The reason why an edit was dropped, as a code and as a message. */
type DropReason = Pick<DroppedEdit, 'reason' | 'reasonCode'>;

export type RestoringEdit = ScheduleEdit & {
  /** The skip or move that this schedule edit restores. */
  readonly restoredEdit: UpcomingEdit;
};

type RestorationPlan = {
  /** The schedule edits to send first. They undo edits that the platform carried over to the wrong cycle. */
  readonly undoingEdits: readonly ScheduleEdit[];
  /** The schedule edits to send afterwards. They restore skips and moves. */
  readonly restoringEdits: readonly RestoringEdit[];
  readonly droppedEdits: readonly DroppedEdit[];
};

type RestoreEditsRequest = {
  /** The skips and moves of upcoming orders before the interval change. */
  readonly editsBefore: readonly UpcomingEdit[];
  /**
   * The cycles after the interval change: from the current cycle to the last one that an edit refers to by date or by
   * index.
   */
  readonly cycles: readonly BillingCycle[];
  /** The store's time zone, for example `America/New_York`. */
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /**
   * Returns when the order of a cycle is due if it is not edited, in epoch milliseconds. By default at the end of the
   * cycle.
   */
  readonly regularDueAtMs?: ((cycle: BillingCycle) => number) | undefined;
  /**
   * The indexes of cycles that clients edited after the interval change had started. The plan leaves them unchanged.
   */
  readonly concurrentlyEditedIndexes?: ReadonlySet<number>;
};

const DATE_PASSED_REASON: DropReason = { reasonCode: 'CHANGED_MEANWHILE', reason: message('editDatePassed') };
const NO_ORDER_THAT_DAY_REASON: DropReason = {
  reasonCode: 'NO_ORDER_THAT_DAY',
  reason: message('editNoOrderThatDay'),
};
const NO_ORDER_COVERS_DATE_REASON: DropReason = {
  reasonCode: 'OUTSIDE_ORDER',
  reason: message('editNoOrderCovers'),
};
const CYCLE_TAKEN_REASON: DropReason = {
  reasonCode: 'OUTSIDE_ORDER',
  reason: message('editPlaceTaken'),
};

/**
 * Plans to restore each skip on the order that is due on the same day in the store's time zone, and each move on the
 * cycle that contains its date. Skips have priority over moves, so that a move never causes a skipped order to be
 * billed. If a client chose an order as the next one, all orders before it are skipped. If the date of the chosen
 * order is now in a paid cycle, the order comes at the start of the first unpaid cycle after it.
 */
export function planRestoredEdits(request: RestoreEditsRequest): RestorationPlan {
  const { editsBefore: allEditsBefore, nowMs } = request;
  const chosenEditBefore = allEditsBefore.find(({ isChosen, date }) => isChosen && Date.parse(date) > nowMs);
  const startAfterPaidCycle = chosenEditBefore && findStartAfterPaidCycle(chosenEditBefore, request.cycles);
  const chosenEdit =
    chosenEditBefore && startAfterPaidCycle
      ? { ...chosenEditBefore, date: startAfterPaidCycle }
      : chosenEditBefore;
  const editsToRestore = allEditsBefore
    .map((edit) => (edit === chosenEditBefore && chosenEdit ? chosenEdit : edit))
    .filter((edit) => !skipsEarlierOrder(edit, chosenEdit));
  const skipsBeforeChosen = chosenEdit === undefined ? new Map() : planSkipsBeforeChosen(chosenEdit, request);
  const assignableCycles = listCyclesWithoutNewEdits(request).filter(
    ({ cycleIndex }) => !skipsBeforeChosen.has(cycleIndex),
  );
  const passedEdits = editsToRestore.filter(({ date }) => Date.parse(date) <= nowMs);
  const upcomingEdits = editsToRestore.filter((edit) => !passedEdits.includes(edit));
  const assignedSkips = assignSkipsToCycles(upcomingEdits, assignableCycles, request);
  const assignedMoves = assignMovesToCycles(upcomingEdits, assignableCycles, assignedSkips.editByCycle);
  const editByTargetCycle = new Map<number, UpcomingEdit>([
    ...skipsBeforeChosen,
    ...assignedSkips.editByCycle,
    ...assignedMoves.editByCycle,
  ]);
  const cyclesToEdit = request.cycles.filter(
    (cycle) => skipsBeforeChosen.has(cycle.cycleIndex) || assignableCycles.includes(cycle),
  );
  const droppedEdits = [
    ...passedEdits.map((edit) => toDroppedEdit(edit, DATE_PASSED_REASON)),
    ...assignedSkips.droppedEdits,
    ...assignedMoves.droppedEdits,
    ...(chosenEditBefore &&
    startAfterPaidCycle &&
    !isOnSameDay(request.timeZone, Date.parse(startAfterPaidCycle), Date.parse(chosenEditBefore.date))
      ? [toDroppedEdit(chosenEditBefore, NO_ORDER_COVERS_DATE_REASON)]
      : []),
  ];
  return {
    undoingEdits: cyclesToEdit.flatMap((cycle) =>
      buildUndoEdits(cycle, editByTargetCycle.get(cycle.cycleIndex)),
    ),
    restoringEdits: cyclesToEdit.flatMap((cycle) =>
      buildRestoringEdits(cycle, editByTargetCycle.get(cycle.cycleIndex), request.regularDueAtMs),
    ),
    droppedEdits: droppedEdits.sort((one, other) => one.cycleIndex - other.cycleIndex),
  };
}

/**
 * Plans the schedule edits for the case that the platform has deleted all edits of the contract: those that restore
 * skips and moves, and the present edits of all other orders again.
 */
export function planEditsAfterDeletion(
  request: RestoreEditsRequest,
): readonly (ScheduleEdit | RestoringEdit)[] {
  const cyclesToRestore = new Set(listCyclesWithoutNewEdits(request));
  const otherCycles = request.cycles.filter(
    (cycle) => cycle.status !== 'BILLED' && !cyclesToRestore.has(cycle),
  );
  const cycles = request.cycles.map((cycle) => (cyclesToRestore.has(cycle) ? withoutEdits(cycle) : cycle));
  const { restoringEdits } = planRestoredEdits({ ...request, cycles });
  return [...otherCycles.flatMap(toCurrentEdits), ...restoringEdits].sort(
    (one, other) => one.cycleIndex - other.cycleIndex,
  );
}

function withoutEdits(cycle: BillingCycle): BillingCycle {
  return { ...cycle, skipped: false, edited: false, billingAttemptExpectedDate: cycle.cycleEndAt };
}

/**
 * Returns the schedule edits that set the cycle to its present state again. The date comes first, because the
 * platform refuses a date on a skipped cycle.
 */
function toCurrentEdits(cycle: BillingCycle): ScheduleEdit[] {
  const { cycleIndex, skipped, billingAttemptExpectedDate: billingDate } = cycle;
  return [
    ...(isOrderMoved(cycle) ? [{ cycleIndex, billingDate }] : []),
    ...(skipped ? [{ cycleIndex, skip: true }] : []),
  ];
}

/** The edits to restore, by the index of the new cycle. */
type EditByNewCycle = ReadonlyMap<number, UpcomingEdit>;

function listCyclesWithoutNewEdits({
  cycles,
  nowMs,
  concurrentlyEditedIndexes,
}: RestoreEditsRequest): BillingCycle[] {
  return cycles.filter(
    (cycle) => isOrderUpcoming(cycle, nowMs) && concurrentlyEditedIndexes?.has(cycle.cycleIndex) !== true,
  );
}

/**
 * Returns the start of the first unpaid cycle after the date, if the date is in a paid cycle. ISO 8601.
 * @returns undefined when no paid cycle contains the date
 */
export function findStartAfterPaidCycle(
  { date }: Pick<UpcomingEdit, 'date'>,
  cycles: readonly BillingCycle[],
): string | undefined {
  const isPaid = cycles.some((cycle) => cycle.status === 'BILLED' && isDateInCycle(cycle, Date.parse(date)));
  const nextUnpaidCycle = cycles.find(
    ({ status, cycleStartAt }) => status !== 'BILLED' && Date.parse(cycleStartAt) > Date.parse(date),
  );
  return isPaid ? nextUnpaidCycle?.cycleStartAt : undefined;
}

/**
 * Returns skips for all orders before the chosen one, by cycle index. From the first edited cycle on, this includes
 * cycles that have ended: at a shorter interval the platform gives later cycle indexes dates in the past.
 */
function planSkipsBeforeChosen(chosenEdit: UpcomingEdit, request: RestoreEditsRequest): EditByNewCycle {
  const { editsBefore, cycles, nowMs, concurrentlyEditedIndexes } = request;
  const firstEditedIndex = Math.min(...editsBefore.map(({ cycleIndex }) => cycleIndex));
  const earlyCycles = cycles.filter(
    (cycle) =>
      cycle.status !== 'BILLED' &&
      Date.parse(cycle.cycleEndAt) < Date.parse(chosenEdit.date) &&
      (cycle.cycleIndex >= firstEditedIndex || isOrderUpcoming(cycle, nowMs)) &&
      concurrentlyEditedIndexes?.has(cycle.cycleIndex) !== true,
  );
  return new Map(earlyCycles.map(({ cycleIndex }) => [cycleIndex, { ...chosenEdit, skipped: true }]));
}

type EditsByCycle = { readonly editByCycle: EditByNewCycle; readonly droppedEdits: readonly DroppedEdit[] };

function assignSkipsToCycles(
  editsBefore: readonly UpcomingEdit[],
  freeCycles: readonly BillingCycle[],
  { timeZone, regularDueAtMs = ({ cycleEndAt }) => Date.parse(cycleEndAt) }: RestoreEditsRequest,
): EditsByCycle {
  const distanceMs = (cycle: BillingCycle, dateMs: number) => Math.abs(regularDueAtMs(cycle) - dateMs);
  const dayOf = (atMs: number) => isoDayIn(timeZone, atMs);
  const cyclesByDay = Map.groupBy(freeCycles, (cycle) => dayOf(regularDueAtMs(cycle)));
  const editByCycle = new Map<number, UpcomingEdit>();
  const droppedEdits: DroppedEdit[] = [];
  for (const skippedEdit of editsBefore.filter(({ skipped }) => skipped)) {
    const dateMs = Date.parse(skippedEdit.date);
    const freeCyclesOnDay = (cyclesByDay.get(dayOf(dateMs)) ?? []).filter(
      ({ cycleIndex }) => !editByCycle.has(cycleIndex),
    );
    // A day with 25 hours (end of daylight saving time) can contain two daily orders: use the nearer one.
    const [nearestCycle] = freeCyclesOnDay.sort(
      (one, other) => distanceMs(one, dateMs) - distanceMs(other, dateMs),
    );
    if (nearestCycle === undefined) droppedEdits.push(toDroppedEdit(skippedEdit, NO_ORDER_THAT_DAY_REASON));
    else editByCycle.set(nearestCycle.cycleIndex, skippedEdit);
  }
  return { editByCycle, droppedEdits };
}

function assignMovesToCycles(
  editsBefore: readonly UpcomingEdit[],
  freeCycles: readonly BillingCycle[],
  skips: EditByNewCycle,
): EditsByCycle {
  const editByCycle = new Map<number, UpcomingEdit>();
  const droppedEdits: DroppedEdit[] = [];
  for (const edit of editsBefore.filter(({ skipped }) => !skipped)) {
    const cycleOfDate = freeCycles.find((cycle) => isDateInCycle(cycle, Date.parse(edit.date)));
    if (cycleOfDate === undefined) droppedEdits.push(toDroppedEdit(edit, NO_ORDER_COVERS_DATE_REASON));
    else if (editByCycle.has(cycleOfDate.cycleIndex) || skips.has(cycleOfDate.cycleIndex)) {
      droppedEdits.push(toDroppedEdit(edit, CYCLE_TAKEN_REASON));
    } else editByCycle.set(cycleOfDate.cycleIndex, edit);
  }
  return { editByCycle, droppedEdits };
}

/**
 * Returns the schedule edit that removes an edit which the platform carried over to a cycle that should have none.
 * Also undoes a move on a cycle that is to be skipped.
 */
function buildUndoEdits(cycle: BillingCycle, targetEdit: UpcomingEdit | undefined): ScheduleEdit[] {
  const { cycleIndex, cycleEndAt, skipped } = cycle;
  const isMoved = isOrderMoved(cycle);
  if (targetEdit !== undefined) {
    // The platform refuses a date on a skipped cycle, so a move is undone before the cycle is skipped.
    return targetEdit.skipped && isMoved && !skipped ? [{ cycleIndex, billingDate: cycleEndAt }] : [];
  }
  if (!skipped && !isMoved) return [];
  return [{ cycleIndex, ...(skipped && { skip: false }), ...(isMoved && { billingDate: cycleEndAt }) }];
}

function buildRestoringEdits(
  cycle: BillingCycle,
  targetEdit: UpcomingEdit | undefined,
  regularDueAtMs: RestoreEditsRequest['regularDueAtMs'],
): RestoringEdit[] {
  if (targetEdit === undefined) return [];
  const { cycleIndex, skipped } = cycle;
  if (targetEdit.skipped) return skipped ? [] : [{ cycleIndex, skip: true, restoredEdit: targetEdit }];
  const requestedMs = Date.parse(targetEdit.date);
  const isIndividual = regularDueAtMs !== undefined && !targetEdit.isChosen;
  const atMs = isIndividual ? individualOrderDateMs(cycle, requestedMs, regularDueAtMs(cycle)) : requestedMs;
  if (!skipped && orderDueAtMs(cycle) === atMs) return [];
  const billingDate = formatInstant(floorToSecond(atMs));
  return [{ cycleIndex, ...(skipped && { skip: false }), billingDate, restoredEdit: targetEdit }];
}

/** Returns the dropped edit as a value of the schema's type. */
export function toDroppedEdit(edit: UpcomingEdit, dropReason: DropReason): DroppedEdit {
  const { cycleIndex, date, originalDate, skipped, moved } = edit;
  return { cycleIndex, originalDate, skipped, movedTo: moved ? date : null, ...dropReason };
}
