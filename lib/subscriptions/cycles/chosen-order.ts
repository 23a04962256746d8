/**
 * Recognizes the order that a client chose as the next one, by resuming with a date or by setting the date. The service
 * skips all earlier orders then. After an interval change, other orders are due before it, and they must be skipped
 * too. The platform stores the date as the contract's `nextBillingDate`, and each skip separately.
 */
import type { Instant } from '../../domain/instant.ts';
import {
  type BillingCycle,
  isDateInCycle,
  isOrderMoved,
  isOrderUpcoming,
  orderDueAtMs,
} from './billing-cycle.ts';
import type { UpcomingEdit } from './upcoming-edits.ts';

type ChosenOrder = {
  readonly cycle: BillingCycle;
  /** Whether the cycles show the choice. If not, only the timeline entry shows that a client chose the date. */
  readonly isVisible: boolean;
};

/**
 * Finds the upcoming order that is due on the date, or was due then before it was edited.
 * @returns undefined when an earlier order is not skipped, or no order has the date
 */
export function findChosenOrder(
  cycles: readonly BillingCycle[],
  dateMs: Instant,
  nowMs: number,
): ChosenOrder | undefined {
  const upcomingCycles = cycles.filter((cycle) => isOrderUpcoming(cycle, nowMs));
  const holdingCycle = upcomingCycles.find((one) => isDateInCycle(one, dateMs));
  if (holdingCycle === undefined || dateMs <= nowMs) return undefined;
  // The chosen order may have been moved off the contract's date. After an interval change it is then on a later cycle,
  // and the cycle that contains the date is skipped.
  const nextCycle = upcomingCycles.find(({ skipped }) => !skipped) ?? holdingCycle;
  const isOrderLeftOut =
    holdingCycle.skipped && nextCycle.cycleIndex > holdingCycle.cycleIndex && isOrderMoved(nextCycle);
  const cycle = isOrderLeftOut ? nextCycle : holdingCycle;
  const cyclesBefore = upcomingCycles.filter(({ cycleIndex }) => cycleIndex < cycle.cycleIndex);
  if (cyclesBefore.some(({ skipped }) => !skipped)) return undefined;
  const isMovedToDate = isOrderMoved(cycle) && orderDueAtMs(cycle) === dateMs;
  return { cycle, isVisible: !holdingCycle.skipped && (cyclesBefore.length > 0 || isMovedToDate) };
}

/**
 * Marks the order as chosen in the list of edits, and adds it if it is not listed. Returns the list sorted by cycle
 * index.
 */
export function markOrderChosen(edits: readonly UpcomingEdit[], cycle: BillingCycle): UpcomingEdit[] {
  const { cycleIndex, billingAttemptExpectedDate: expectedDate } = cycle;
  const chosenEdit = {
    cycleIndex,
    date: expectedDate,
    skipped: false,
    moved: true,
    originalDate: expectedDate,
  };
  const edit = edits.find((one) => one.cycleIndex === cycleIndex) ?? chosenEdit;
  const otherEdits = edits.filter((one) => one.cycleIndex !== cycleIndex);
  return [...otherEdits, { ...edit, isChosen: true as const }].sort(
    (one, other) => one.cycleIndex - other.cycleIndex,
  );
}

/**
 * Whether the edit skips an order before the chosen one. Such a skip follows from the choice: no client requested it
 * separately.
 */
export function skipsEarlierOrder(edit: UpcomingEdit, chosen: UpcomingEdit | undefined): boolean {
  return chosen !== undefined && edit.skipped && Date.parse(edit.date) < Date.parse(chosen.date);
}
