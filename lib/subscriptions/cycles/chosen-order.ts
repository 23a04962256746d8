/**
 * The order that a client chose as the next one, by resuming with its date or by setting the date. Earlier orders are
 * skipped. With another interval, other orders are due before it; these must be skipped too. The platform stores the
 * date as `nextBillingDate`, and each skip separately.
 */
import type { Instant } from '../../domain/instant.ts';
import { type BillingCycle, dueMs, holdsDate, isAhead, isMoved } from './billing-cycle.ts';
import type { UpcomingEdit } from './upcoming-edits.ts';

type ChosenOrder = {
  readonly cycle: BillingCycle;
  /** Whether the cycles prove that a client chose the date. Otherwise only the timeline shows it. */
  readonly isVisible: boolean;
};

/**
 * Finds the order that has the date, or had it before it was edited.
 * @returns undefined when an earlier order is not skipped, or no order has the date
 */
export function chosenOrder(
  cycles: readonly BillingCycle[],
  dateMs: Instant,
  nowMs: number,
): ChosenOrder | undefined {
  const ahead = cycles.filter((cycle) => isAhead(cycle, nowMs));
  const holdingCycle = ahead.find((one) => holdsDate(one, dateMs));
  if (holdingCycle === undefined || dateMs <= nowMs) return undefined;
  // After an interval change, another cycle may contain an order that was moved away from its date.
  const next = ahead.find(({ skipped }) => !skipped) ?? holdingCycle;
  const isOff = holdingCycle.skipped && next.cycleIndex > holdingCycle.cycleIndex && isMoved(next);
  const cycle = isOff ? next : holdingCycle;
  const before = ahead.filter(({ cycleIndex }) => cycleIndex < cycle.cycleIndex);
  if (before.some(({ skipped }) => !skipped)) return undefined;
  const isOnDate = isMoved(cycle) && dueMs(cycle) === dateMs;
  return { cycle, isVisible: !holdingCycle.skipped && (before.length > 0 || isOnDate) };
}

/** Returns the edits together with the chosen order, sorted by index. */
export function withChosen(edits: readonly UpcomingEdit[], cycle: BillingCycle): UpcomingEdit[] {
  const { cycleIndex, billingAttemptExpectedDate: date } = cycle;
  const own = { cycleIndex, date, skipped: false, moved: true, originalDate: date };
  const edit = edits.find((one) => one.cycleIndex === cycleIndex) ?? own;
  const others = edits.filter((one) => one.cycleIndex !== cycleIndex);
  return [...others, { ...edit, isChosen: true as const }].sort(
    (one, other) => one.cycleIndex - other.cycleIndex,
  );
}

/**
 * Whether the edit only skips an order before the chosen one. Such skips follow from the choice; no client requested
 * them separately.
 */
export function isBefore(edit: UpcomingEdit, chosen: UpcomingEdit | undefined): boolean {
  return chosen !== undefined && edit.skipped && Date.parse(edit.date) < Date.parse(chosen.date);
}
