/**
 * The order that a client chose to be the next one, by resuming with its date or by setting it. The orders before it are
 * skipped; under another interval there are other orders before it, and none of them may come either. The platform keeps
 * the date as `nextBillingDate`, and the skips one by one.
 */
import type { Instant } from '../../domain/instant.ts';
import { type BillingCycle, dueMs, holdsDate, isAhead, isMoved } from './billing-cycle.ts';
import type { EditAhead } from './edits-ahead.ts';

type ChosenOrder = {
  readonly cycle: BillingCycle;
  /** Whether the cycles alone tell it. Else only the timeline knows whether a client chose the date. */
  readonly isShown: boolean;
};

/** The order that has the date or had it before it was edited; undefined: an order before it is to come, or there is none. */
export function chosenOrder(
  cycles: readonly BillingCycle[],
  dateMs: Instant,
  nowMs: number,
): ChosenOrder | undefined {
  const ahead = cycles.filter((cycle) => isAhead(cycle, nowMs));
  const held = ahead.find((one) => holdsDate(one, dateMs));
  if (held === undefined || dateMs <= nowMs) return undefined;
  // An order that was moved off its date is held by another cycle once the interval has changed.
  const next = ahead.find(({ skipped }) => !skipped) ?? held;
  const isOff = held.skipped && next.cycleIndex > held.cycleIndex && isMoved(next);
  const cycle = isOff ? next : held;
  const before = ahead.filter(({ cycleIndex }) => cycleIndex < cycle.cycleIndex);
  if (before.some(({ skipped }) => !skipped)) return undefined;
  const isOnDate = isMoved(cycle) && dueMs(cycle) === dateMs;
  return { cycle, isShown: !held.skipped && (before.length > 0 || isOnDate) };
}

/** The edits with that order among them, by index. */
export function withChosen(edits: readonly EditAhead[], cycle: BillingCycle): EditAhead[] {
  const { cycleIndex, billingAttemptExpectedDate: date } = cycle;
  const own = { cycleIndex, date, skipped: false, moved: true, originalDate: date };
  const edit = edits.find((one) => one.cycleIndex === cycleIndex) ?? own;
  const others = edits.filter((one) => one.cycleIndex !== cycleIndex);
  return [...others, { ...edit, isChosen: true as const }].sort(
    (one, other) => one.cycleIndex - other.cycleIndex,
  );
}

/** Skips of orders before the chosen one are no wishes of their own. */
export function isBefore(edit: EditAhead, chosen: EditAhead | undefined): boolean {
  return chosen !== undefined && edit.skipped && Date.parse(edit.date) < Date.parse(chosen.date);
}
