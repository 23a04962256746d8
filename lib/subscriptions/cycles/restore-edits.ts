/**
 * After a new interval some skips and moves are put back, each on its cycle; those that the platform carried to cycles
 * where nobody asked for them are undone; and some find no place. Pure; the cycles are re-read, never computed.
 */

import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { type Message, message } from '../../messages/message.ts';
import { type BillingCycle, dueMs, holdsDate, isAhead, isMoved } from './billing-cycle.ts';
import { isBefore } from './chosen-order.ts';
import type { EditAhead } from './edits-ahead.ts';

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
/** Why an edit is dropped, for apps and in words. */
type WhyDropped = Pick<DroppedEdit, 'reason' | 'reasonCode'>;

export type RestoringEdit = ScheduleEdit & {
  /** The edit that it puts back. */
  readonly edit: EditAhead;
};

type Restoration = {
  /** These edits are sent first. */
  readonly undo: readonly ScheduleEdit[];
  /** These edits are sent then. */
  readonly putBack: readonly RestoringEdit[];
  readonly dropped: readonly DroppedEdit[];
};

type RestoreRequest = {
  /** The edits that lay ahead before the change. */
  readonly before: readonly EditAhead[];
  /** The cycles after it, from the current one to where the last edit, by date and by index, lay. */
  readonly cycles: readonly BillingCycle[];
  /** The store's, for example `America/New_York`. */
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /** Cycles that somebody edited after the change: they stay as they are. */
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
 * A skip goes to the order that falls on the same day in the store's time zone, a move to the cycle that its date
 * lies in; skips choose first, so no skipped order is billed for a move's sake. Before the order that a client chose to be
 * the next one, all are skipped.
 */
export function restoreEdits(request: RestoreRequest): Restoration {
  const { before: asked, nowMs } = request;
  const chosen = asked.find(({ isChosen, date }) => isChosen && Date.parse(date) > nowMs);
  const before = asked.filter((edit) => !isBefore(edit, chosen));
  const early = chosen === undefined ? new Map() : skipsBefore(chosen, request);
  const free = freeCycles(request).filter(({ cycleIndex }) => !early.has(cycleIndex));
  const passed = before.filter(({ date }) => Date.parse(date) <= nowMs);
  const ahead = before.filter((edit) => !passed.includes(edit));
  const skips = placeSkips(ahead, free, request.timeZone);
  const moves = placeMoves(ahead, free, skips.taken);
  const wanted = new Map<number, EditAhead>([...early, ...skips.taken, ...moves.taken]);
  const mine = request.cycles.filter((cycle) => early.has(cycle.cycleIndex) || free.includes(cycle));
  const dropped = [
    ...passed.map((edit) => droppedEdit(edit, DATE_PASSED)),
    ...skips.dropped,
    ...moves.dropped,
  ];
  return {
    undo: mine.flatMap((cycle) => undoOf(cycle, wanted.get(cycle.cycleIndex))),
    putBack: mine.flatMap((cycle) => putBackOf(cycle, wanted.get(cycle.cycleIndex))),
    dropped: dropped.sort((one, other) => one.cycleIndex - other.cycleIndex),
  };
}

/** Edits by the index of the new cycle that each takes. */
type Taken = ReadonlyMap<number, EditAhead>;

function freeCycles({ cycles, nowMs, editedSince }: RestoreRequest): BillingCycle[] {
  return cycles.filter((cycle) => isAhead(cycle, nowMs) && editedSince?.has(cycle.cycleIndex) !== true);
}

/**
 * The skips of all orders before the chosen one, also of those that the platform counts into the past: from the first
 * edit on, they are of the new interval.
 */
function skipsBefore(chosen: EditAhead, request: RestoreRequest): Taken {
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

function placeSkips(before: readonly EditAhead[], free: readonly BillingCycle[], timeZone: TimeZone): Placed {
  const dayOf = (atMs: number) => isoDayIn(timeZone, atMs);
  const byDay = Map.groupBy(free, ({ cycleEndAt }) => dayOf(Date.parse(cycleEndAt)));
  const taken = new Map<number, EditAhead>();
  const dropped: DroppedEdit[] = [];
  for (const edit of before.filter(({ skipped }) => skipped)) {
    const dateMs = Date.parse(edit.date);
    const onDay = (byDay.get(dayOf(dateMs)) ?? []).filter(({ cycleIndex }) => !taken.has(cycleIndex));
    // A day of 25 hours can hold two daily orders.
    const [nearest] = onDay.sort((one, other) => distance(one, dateMs) - distance(other, dateMs));
    if (nearest === undefined) dropped.push(droppedEdit(edit, NO_ORDER_THAT_DAY));
    else taken.set(nearest.cycleIndex, edit);
  }
  return { taken, dropped };
}

function distance({ cycleEndAt }: BillingCycle, dateMs: number): number {
  return Math.abs(Date.parse(cycleEndAt) - dateMs);
}

function placeMoves(before: readonly EditAhead[], free: readonly BillingCycle[], skips: Taken): Placed {
  const taken = new Map<number, EditAhead>();
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

/** Takes back what the platform left on a cycle that should have no edit, or a skip rather than a move. */
function undoOf(cycle: BillingCycle, wanted: EditAhead | undefined): ScheduleEdit[] {
  const { cycleIndex, cycleEndAt, skipped } = cycle;
  const moved = isMoved(cycle);
  if (wanted !== undefined) {
    // A date cannot be set on a skipped cycle, so one that has to be skipped gets its own date back first.
    return wanted.skipped && moved && !skipped ? [{ cycleIndex, billingDate: cycleEndAt }] : [];
  }
  if (!skipped && !moved) return [];
  return [{ cycleIndex, ...(skipped && { skip: false }), ...(moved && { billingDate: cycleEndAt }) }];
}

function putBackOf(cycle: BillingCycle, wanted: EditAhead | undefined): RestoringEdit[] {
  if (wanted === undefined) return [];
  const { cycleIndex, skipped } = cycle;
  if (wanted.skipped) return skipped ? [] : [{ cycleIndex, skip: true, edit: wanted }];
  if (!skipped && dueMs(cycle) === Date.parse(wanted.date)) return [];
  return [{ cycleIndex, ...(skipped && { skip: false }), billingDate: wanted.date, edit: wanted }];
}

/** The edit as the client is told that it was dropped. */
export function droppedEdit(edit: EditAhead, why: WhyDropped): DroppedEdit {
  const { cycleIndex, date, originalDate, skipped, moved } = edit;
  return { cycleIndex, originalDate, skipped, movedTo: moved ? date : null, ...why };
}
