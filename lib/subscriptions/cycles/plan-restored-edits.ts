/**
 * Plans which skips and moves are restored on the new cycles after an interval change. Edits that the platform carried
 * over to other cycles are undone, and edits that fit no cycle are dropped. Uses the cycles that were read after the
 * change.
 */

import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { type Message, message } from '../../messages/message.ts';
import { individualOrderDateMs } from '../order-dates/order-dates.ts';
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
/** The reason for dropping an edit, as a code and as a message. */
type DropReason = Pick<DroppedEdit, 'reason' | 'reasonCode'>;

export type RestoringEdit = ScheduleEdit & {
  /** The skip or move that this schedule edit restores. */
  readonly edit: UpcomingEdit;
};

type RestorationPlan = {
  /** The schedule edits to send first. They remove edits that the platform carried over to the wrong cycle. */
  readonly undo: readonly ScheduleEdit[];
  /** The schedule edits to send afterwards. They restore skips and moves. */
  readonly putBack: readonly RestoringEdit[];
  readonly dropped: readonly DroppedEdit[];
};

type RestoreEditsRequest = {
  /** The skips and moves of upcoming orders before the interval change. */
  readonly before: readonly UpcomingEdit[];
  /** The cycles after the change: from the current cycle to the last one that an edit refers to by date or by index. */
  readonly cycles: readonly BillingCycle[];
  /** The store's time zone, for example `America/New_York`. */
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /** When the order of a cycle is due without an edit of its own, epoch milliseconds, if that is not the end of the cycle. */
  readonly dueAtMs?: ((cycle: BillingCycle) => number) | undefined;
  /** Indexes of cycles that were edited after the interval change started. They stay unchanged. */
  readonly editedSince?: ReadonlySet<number>;
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
 * Plans to restore each skip on the order of the same day in the store's time zone, and each move on the cycle that
 * contains its date. Skips have priority over moves, so that a move never causes a skipped order to be billed. If a
 * client chose an order as the next one, all orders before it are skipped. If its date is in a paid cycle now, the order
 * comes as soon as possible after it.
 */
export function planRestoredEdits(request: RestoreEditsRequest): RestorationPlan {
  const { before: requestedEdits, nowMs } = request;
  const requestedEdit = requestedEdits.find(({ isChosen, date }) => isChosen && Date.parse(date) > nowMs);
  const paidUntil = requestedEdit && findStartAfterPaidCycle(requestedEdit, request.cycles);
  const chosenEdit = requestedEdit && paidUntil ? { ...requestedEdit, date: paidUntil } : requestedEdit;
  const editsBeforeChosen = requestedEdits
    .map((edit) => (edit === requestedEdit && chosenEdit ? chosenEdit : edit))
    .filter((edit) => !skipsEarlierOrder(edit, chosenEdit));
  const earlySkips = chosenEdit === undefined ? new Map() : planSkipsBeforeChosen(chosenEdit, request);
  const freeCycles = listCyclesWithoutNewEdits(request).filter(
    ({ cycleIndex }) => !earlySkips.has(cycleIndex),
  );
  const passedEdits = editsBeforeChosen.filter(({ date }) => Date.parse(date) <= nowMs);
  const upcomingEdits = editsBeforeChosen.filter((edit) => !passedEdits.includes(edit));
  const assignedSkips = assignSkipsToCycles(upcomingEdits, freeCycles, request);
  const assignedMoves = assignMovesToCycles(upcomingEdits, freeCycles, assignedSkips.taken);
  const editByTargetCycle = new Map<number, UpcomingEdit>([
    ...earlySkips,
    ...assignedSkips.taken,
    ...assignedMoves.taken,
  ]);
  const ownCycles = request.cycles.filter(
    (cycle) => earlySkips.has(cycle.cycleIndex) || freeCycles.includes(cycle),
  );
  const droppedEdits = [
    ...passedEdits.map((edit) => toDroppedEdit(edit, DATE_PASSED_REASON)),
    ...assignedSkips.dropped,
    ...assignedMoves.dropped,
    ...(requestedEdit && paidUntil ? [toDroppedEdit(requestedEdit, NO_ORDER_COVERS_DATE_REASON)] : []),
  ];
  return {
    undo: ownCycles.flatMap((cycle) => buildUndoEdits(cycle, editByTargetCycle.get(cycle.cycleIndex))),
    putBack: ownCycles.flatMap((cycle) =>
      buildRestoringEdits(cycle, editByTargetCycle.get(cycle.cycleIndex), request.dueAtMs),
    ),
    dropped: droppedEdits.sort((one, other) => one.cycleIndex - other.cycleIndex),
  };
}

/**
 * Plans the schedule edits for the same result after the platform has deleted all edits: those that are restored, and
 * the edits of the other orders as they are.
 */
export function planEditsAfterDeletion(
  request: RestoreEditsRequest,
): readonly (ScheduleEdit | RestoringEdit)[] {
  const cyclesToRestore = new Set(listCyclesWithoutNewEdits(request));
  const otherCycles = request.cycles.filter(
    (cycle) => cycle.status !== 'BILLED' && !cyclesToRestore.has(cycle),
  );
  const cycles = request.cycles.map((cycle) => (cyclesToRestore.has(cycle) ? withoutEdits(cycle) : cycle));
  const { putBack } = planRestoredEdits({ ...request, cycles });
  return [...otherCycles.flatMap(toCurrentEdits), ...putBack].sort(
    (one, other) => one.cycleIndex - other.cycleIndex,
  );
}

function withoutEdits(cycle: BillingCycle): BillingCycle {
  return { ...cycle, skipped: false, edited: false, billingAttemptExpectedDate: cycle.cycleEndAt };
}

/** The platform refuses a date on a skipped cycle, so the date is set before the cycle is skipped. */
function toCurrentEdits(cycle: BillingCycle): ScheduleEdit[] {
  const { cycleIndex, skipped, billingAttemptExpectedDate: billingDate } = cycle;
  return [
    ...(isOrderMoved(cycle) ? [{ cycleIndex, billingDate }] : []),
    ...(skipped ? [{ cycleIndex, skip: true }] : []),
  ];
}

/** The edits to restore, by the index of the new cycle. */
type EditByNewCycle = ReadonlyMap<number, UpcomingEdit>;

function listCyclesWithoutNewEdits({ cycles, nowMs, editedSince }: RestoreEditsRequest): BillingCycle[] {
  return cycles.filter(
    (cycle) => isOrderUpcoming(cycle, nowMs) && editedSince?.has(cycle.cycleIndex) !== true,
  );
}

/**
 * Returns the start of the first unpaid cycle after the paid cycle that contains the date.
 * @returns undefined when no paid cycle contains the date
 */
export function findStartAfterPaidCycle(
  { date }: Pick<UpcomingEdit, 'date'>,
  cycles: readonly BillingCycle[],
): string | undefined {
  const isPaid = cycles.some((cycle) => cycle.status === 'BILLED' && isDateInCycle(cycle, Date.parse(date)));
  const next = cycles.find(
    ({ status, cycleStartAt }) => status !== 'BILLED' && Date.parse(cycleStartAt) > Date.parse(date),
  );
  return isPaid ? next?.cycleStartAt : undefined;
}

/**
 * Returns skips for all orders before the chosen one. From the first edited cycle on, this includes orders whose date
 * has passed: the platform gives these cycles dates by the new interval.
 */
function planSkipsBeforeChosen(chosen: UpcomingEdit, request: RestoreEditsRequest): EditByNewCycle {
  const { before, cycles, nowMs, editedSince } = request;
  const fromIndex = Math.min(...before.map(({ cycleIndex }) => cycleIndex));
  const earlyCycles = cycles.filter(
    (cycle) =>
      cycle.status !== 'BILLED' &&
      Date.parse(cycle.cycleEndAt) < Date.parse(chosen.date) &&
      (cycle.cycleIndex >= fromIndex || isOrderUpcoming(cycle, nowMs)) &&
      editedSince?.has(cycle.cycleIndex) !== true,
  );
  return new Map(earlyCycles.map(({ cycleIndex }) => [cycleIndex, { ...chosen, skipped: true }]));
}

type EditsByCycle = { readonly taken: EditByNewCycle; readonly dropped: readonly DroppedEdit[] };

function assignSkipsToCycles(
  before: readonly UpcomingEdit[],
  free: readonly BillingCycle[],
  { timeZone, dueAtMs = ({ cycleEndAt }) => Date.parse(cycleEndAt) }: RestoreEditsRequest,
): EditsByCycle {
  const distanceMs = (cycle: BillingCycle, dateMs: number) => Math.abs(dueAtMs(cycle) - dateMs);
  const dayOf = (atMs: number) => isoDayIn(timeZone, atMs);
  const cyclesByDay = Map.groupBy(free, (cycle) => dayOf(dueAtMs(cycle)));
  const editByCycle = new Map<number, UpcomingEdit>();
  const droppedEdits: DroppedEdit[] = [];
  for (const skippedEdit of before.filter(({ skipped }) => skipped)) {
    const dateMs = Date.parse(skippedEdit.date);
    const onDay = (cyclesByDay.get(dayOf(dateMs)) ?? []).filter(
      ({ cycleIndex }) => !editByCycle.has(cycleIndex),
    );
    // A day with 25 hours (end of daylight saving time) can contain two daily orders: use the nearer one.
    const [nearest] = onDay.sort((one, other) => distanceMs(one, dateMs) - distanceMs(other, dateMs));
    if (nearest === undefined) droppedEdits.push(toDroppedEdit(skippedEdit, NO_ORDER_THAT_DAY_REASON));
    else editByCycle.set(nearest.cycleIndex, skippedEdit);
  }
  return { taken: editByCycle, dropped: droppedEdits };
}

function assignMovesToCycles(
  before: readonly UpcomingEdit[],
  free: readonly BillingCycle[],
  skips: EditByNewCycle,
): EditsByCycle {
  const editByCycle = new Map<number, UpcomingEdit>();
  const droppedEdits: DroppedEdit[] = [];
  for (const edit of before.filter(({ skipped }) => !skipped)) {
    const cycleOfDate = free.find((cycle) => isDateInCycle(cycle, Date.parse(edit.date)));
    if (cycleOfDate === undefined) droppedEdits.push(toDroppedEdit(edit, NO_ORDER_COVERS_DATE_REASON));
    else if (editByCycle.has(cycleOfDate.cycleIndex) || skips.has(cycleOfDate.cycleIndex)) {
      droppedEdits.push(toDroppedEdit(edit, CYCLE_TAKEN_REASON));
    } else editByCycle.set(cycleOfDate.cycleIndex, edit);
  }
  return { taken: editByCycle, dropped: droppedEdits };
}

/**
 * Removes the edit that the platform carried over to a cycle that should have none. A move that is to become a skip is
 * undone, too.
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
  dueAtMs: RestoreEditsRequest['dueAtMs'],
): RestoringEdit[] {
  if (targetEdit === undefined) return [];
  const { cycleIndex, skipped } = cycle;
  if (targetEdit.skipped) return skipped ? [] : [{ cycleIndex, skip: true, edit: targetEdit }];
  const requestedMs = Date.parse(targetEdit.date);
  const isRegular = dueAtMs === undefined || targetEdit.isChosen;
  const atMs = isRegular ? requestedMs : individualOrderDateMs(cycle, requestedMs, dueAtMs(cycle));
  if (!skipped && orderDueAtMs(cycle) === atMs) return [];
  const billingDate = formatInstant(floorToSecond(atMs));
  return [{ cycleIndex, ...(skipped && { skip: false }), billingDate, edit: targetEdit }];
}

/** Returns the dropped edit as a value of the schema's type. */
export function toDroppedEdit(edit: UpcomingEdit, why: DropReason): DroppedEdit {
  const { cycleIndex, date, originalDate, skipped, moved } = edit;
  return { cycleIndex, originalDate, skipped, movedTo: moved ? date : null, ...why };
}
