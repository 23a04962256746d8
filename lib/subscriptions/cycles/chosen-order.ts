/**
 * Recognizes the order that a client chose as the next one, by resuming the contract with a date or by setting the
 * date of the next order. The service has then skipped all earlier orders. An interval change creates other earlier
 * orders, which must be skipped too. The timeline has the date. The contract's `nextBillingDate` does not show it: the
 * nightly reconciliation sets it to the next order, also after the skip of a single order.
 */
import type { Instant } from '../../domain/instant.ts';
import { type BillingCycle, isDateInCycle, isOrderMoved, isOrderUpcoming } from './billing-cycle.ts';
import type { UpcomingEdit } from './upcoming-edits.ts';

/**
 * Finds the upcoming order that is due on the date, or was due on it before it was edited.
 * @returns undefined when an earlier order is not skipped, or no order has the date
 */
export function findChosenOrder(
  cycles: readonly BillingCycle[],
  dateMs: Instant,
  nowMs: number,
): BillingCycle | undefined {
  const upcomingCycles = cycles.filter((cycle) => isOrderUpcoming(cycle, nowMs));
  const cycleOfDate = upcomingCycles.find((one) => isDateInCycle(one, dateMs));
  if (cycleOfDate === undefined || dateMs <= nowMs) return undefined;
  // After a client chose the order, it may have been moved to another date. After an interval change it is then on a later
  // cycle, and the cycle that contains the chosen date is skipped.
  const nextCycle = upcomingCycles.find(({ skipped }) => !skipped) ?? cycleOfDate;
  const isOrderOnLaterCycle =
    cycleOfDate.skipped && nextCycle.cycleIndex > cycleOfDate.cycleIndex && isOrderMoved(nextCycle);
  const cycle = isOrderOnLaterCycle ? nextCycle : cycleOfDate;
  const cyclesBefore = upcomingCycles.filter(({ cycleIndex }) => cycleIndex < cycle.cycleIndex);
  return cyclesBefore.some(({ skipped }) => !skipped) ? undefined : cycle;
}

/**
 * Marks the edit of this cycle's order as chosen, and adds such an edit if the list has none. Returns the list sorted
 * by cycle index.
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
export function skipsEarlierOrder(edit: UpcomingEdit, chosenEdit: UpcomingEdit | undefined): boolean {
  return chosenEdit !== undefined && edit.skipped && Date.parse(edit.date) < Date.parse(chosenEdit.date);
}
