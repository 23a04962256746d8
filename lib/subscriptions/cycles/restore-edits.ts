/**
 * Decides which skips and moves are restored after an interval change, each on a new cycle. Edits that the platform
 * carried to other cycles are undone; edits that fit no cycle are dropped. Pure: the cycles are read again, never
 * computed.
 */

import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { type Message, message } from '../../messages/message.ts';
import { type BillingCycle, dueMs, holdsDate, isAhead, isMoved } from './billing-cycle.ts';
import { isBefore } from './chosen-order.ts';
import type { UpcomingEdit } from './upcoming-edits.ts';

/** One `subscriptionBillingCycleScheduleEdit`. */
export type ScheduleEdit = {
  readonly cycleIndex: number;
  readonly skip?: boolean;
  readonly billingDate?: string;
};

/** The schema's SubscriptionDroppedEdit. `cycleIndex` is the one before the change. */
export type DroppedEdit = {
  readonly cycleIndex: number;
  readonly originalDate: string | null;
  readonly skipped: boolean;
  readonly movedTo: string | null;
  readonly reason: Message;
  readonly reasonCode: DroppedEditReason;
};

/** The schema's SubscriptionDroppedEditReason. */
type DroppedEditReason = 'NO_ORDER_THAT_DAY' | 'OUTSIDE_ORDER' | 'CHANGED_MEANWHILE';
/** Why an edit is dropped: a code and a message. */
type WhyDropped = Pick<DroppedEdit, 'reason' | 'reasonCode'>;

export type RestoringEdit = ScheduleEdit & {
  /** The edit that is restored. */
  readonly edit: UpcomingEdit;
};

type Restoration = {
  /** These edits are sent first. */
  readonly undo: readonly ScheduleEdit[];
  /** These edits are sent second. */
  readonly putBack: readonly RestoringEdit[];
  readonly dropped: readonly DroppedEdit[];
};

type RestoreRequest = {
  /** The edits of upcoming orders before the change. */
  readonly before: readonly UpcomingEdit[];
  /** The cycles after the change, from the current one to the last edit by date and by index. */
  readonly cycles: readonly BillingCycle[];
  /** The store's time zone, for example `America/New_York`. */
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /** Cycles that were edited after the change started: they stay unchanged. */
  readonly editedSince?: ReadonlySet<number>;
};

const DATE_PASSED: WhyDropped = { reasonCode: 'CHANGED_MEANWHILE', reason: message('editDatePassed') };
const NO_ORDER_THAT_DAY: WhyDropped = {
  reasonCode: 'NO_ORDER_THAT_DAY',
  reason: message('editNoOrderThatDay'),
};
const NO_ORDER_COVERS: WhyDropped = {
  reasonCode: 'OUTSIDE_ORDER',
  reason: message('editNoOrderCovers'),
};
const PLACE_TAKEN: WhyDropped = {
  reasonCode: 'OUTSIDE_ORDER',
  reason: message('editPlaceTaken'),
};

/**
 * Restores a skip on the order of the same day in the store's time zone, and a move on the cycle that contains its
 * date. Skips have priority, so that a skipped order is never billed because of a move. All orders before the one
 * that a client chose as the next are skipped.
 */
export function restoreEdits(request: RestoreRequest): Restoration {
  const { before: requestedEdits, nowMs } = request;
  const chosen = requestedEdits.find(({ isChosen, date }) => isChosen && Date.parse(date) > nowMs);
  const before = requestedEdits.filter((edit) => !isBefore(edit, chosen));
  const early = chosen === undefined ? new Map() : skipsBefore(chosen, request);
  const free = freeCycles(request).filter(({ cycleIndex }) => !early.has(cycleIndex));
  const passed = before.filter(({ date }) => Date.parse(date) <= nowMs);
  const ahead = before.filter((edit) => !passed.includes(edit));
  const skips = placeSkips(ahead, free, request.timeZone);
  const moves = placeMoves(ahead, free, skips.taken);
  const targetEdit = new Map<number, UpcomingEdit>([...early, ...skips.taken, ...moves.taken]);
  const ownCycles = request.cycles.filter((cycle) => early.has(cycle.cycleIndex) || free.includes(cycle));
  const dropped = [
    ...passed.map((edit) => droppedEdit(edit, DATE_PASSED)),
    ...skips.dropped,
    ...moves.dropped,
  ];
  return {
    undo: ownCycles.flatMap((cycle) => undoOf(cycle, targetEdit.get(cycle.cycleIndex))),
    putBack: ownCycles.flatMap((cycle) => putBackOf(cycle, targetEdit.get(cycle.cycleIndex))),
    dropped: dropped.sort((one, other) => one.cycleIndex - other.cycleIndex),
  };
}

/** Edits by the index of the new cycle that each is restored on. */
type Taken = ReadonlyMap<number, UpcomingEdit>;

function freeCycles({ cycles, nowMs, editedSince }: RestoreRequest): BillingCycle[] {
  return cycles.filter((cycle) => isAhead(cycle, nowMs) && editedSince?.has(cycle.cycleIndex) !== true);
}

/**
 * Returns the skips of all orders before the chosen one. They include orders that the platform dates in the past:
 * from the first edit on, cycles belong to the new interval.
 */
function skipsBefore(chosen: UpcomingEdit, request: RestoreRequest): Taken {
  const { before, cycles, nowMs, editedSince } = request;
  const fromIndex = Math.min(...before.map(({ cycleIndex }) => cycleIndex));
  const early = cycles.filter(
    (cycle) =>
      cycle.status !== 'BILLED' &&
      Date.parse(cycle.cycleEndAt) < Date.parse(chosen.date) &&
      (cycle.cycleIndex >= fromIndex || isAhead(cycle, nowMs)) &&
      editedSince?.has(cycle.cycleIndex) !== true,
  );
  return new Map(early.map(({ cycleIndex }) => [cycleIndex, { ...chosen, skipped: true }]));
}

type Placed = { readonly taken: Taken; readonly dropped: readonly DroppedEdit[] };

function placeSkips(
  before: readonly UpcomingEdit[],
  free: readonly BillingCycle[],
  timeZone: TimeZone,
): Placed {
  const dayOf = (atMs: number) => isoDayIn(timeZone, atMs);
  const byDay = Map.groupBy(free, ({ cycleEndAt }) => dayOf(Date.parse(cycleEndAt)));
  const taken = new Map<number, UpcomingEdit>();
  const dropped: DroppedEdit[] = [];
  for (const edit of before.filter(({ skipped }) => skipped)) {
    const dateMs = Date.parse(edit.date);
    const onDay = (byDay.get(dayOf(dateMs)) ?? []).filter(({ cycleIndex }) => !taken.has(cycleIndex));
    // A day of 25 hours can contain two daily orders.
    const [nearest] = onDay.sort((one, other) => distance(one, dateMs) - distance(other, dateMs));
    if (nearest === undefined) dropped.push(droppedEdit(edit, NO_ORDER_THAT_DAY));
    else taken.set(nearest.cycleIndex, edit);
  }
  return { taken, dropped };
}

function distance({ cycleEndAt }: BillingCycle, dateMs: number): number {
  return Math.abs(Date.parse(cycleEndAt) - dateMs);
}

function placeMoves(before: readonly UpcomingEdit[], free: readonly BillingCycle[], skips: Taken): Placed {
  const taken = new Map<number, UpcomingEdit>();
  const dropped: DroppedEdit[] = [];
  for (const edit of before.filter(({ skipped }) => !skipped)) {
    const around = free.find((cycle) => holdsDate(cycle, Date.parse(edit.date)));
    if (around === undefined) dropped.push(droppedEdit(edit, NO_ORDER_COVERS));
    else if (taken.has(around.cycleIndex) || skips.has(around.cycleIndex)) {
      dropped.push(droppedEdit(edit, PLACE_TAKEN));
    } else taken.set(around.cycleIndex, edit);
  }
  return { taken, dropped };
}

/** Undoes what the platform left on a cycle that should have no edit, or a skip in place of a move. */
function undoOf(cycle: BillingCycle, targetEdit: UpcomingEdit | undefined): ScheduleEdit[] {
  const { cycleIndex, cycleEndAt, skipped } = cycle;
  const moved = isMoved(cycle);
  if (targetEdit !== undefined) {
    // The platform sets no date on a skipped cycle, so a moved cycle gets its original date back before it is
    // skipped.
    return targetEdit.skipped && moved && !skipped ? [{ cycleIndex, billingDate: cycleEndAt }] : [];
  }
  if (!skipped && !moved) return [];
  return [{ cycleIndex, ...(skipped && { skip: false }), ...(moved && { billingDate: cycleEndAt }) }];
}

function putBackOf(cycle: BillingCycle, targetEdit: UpcomingEdit | undefined): RestoringEdit[] {
  if (targetEdit === undefined) return [];
  const { cycleIndex, skipped } = cycle;
  if (targetEdit.skipped) return skipped ? [] : [{ cycleIndex, skip: true, edit: targetEdit }];
  if (!skipped && dueMs(cycle) === Date.parse(targetEdit.date)) return [];
  return [{ cycleIndex, ...(skipped && { skip: false }), billingDate: targetEdit.date, edit: targetEdit }];
}

/** Returns the dropped edit in the form of the schema. */
export function droppedEdit(edit: UpcomingEdit, why: WhyDropped): DroppedEdit {
  const { cycleIndex, date, originalDate, skipped, moved } = edit;
  return { cycleIndex, originalDate, skipped, movedTo: moved ? date : null, ...why };
}
