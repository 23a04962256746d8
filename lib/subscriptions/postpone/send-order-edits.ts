/**
 * Sends the edits of a change of order dates, document after document. Sending an edit a second time changes nothing.
 */
import { parseInstant } from '../../domain/instant.ts';
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import type { BillingCycle, EditReason } from '../cycles/billing-cycle.ts';
import type { ScheduleEdit } from '../cycles/plan-restored-edits.ts';
import { sendScheduleEditsForErrors } from '../cycles/send-schedule-edits.ts';
import type { OperationDeps } from '../operation.ts';
import type { PlatformUserError } from '../operation-error.ts';
import type { OrderEdit } from '../order-dates/postponements.ts';

export type OrderEditTarget = { readonly contractId: string; readonly reason: EditReason };
export type RefusedOrderEdit = { readonly edit: OrderEdit; readonly error: PlatformUserError };

/** The date of an order as its cycle shows it, and whether the cycle is skipped. */
type OrderPosition = OrderEdit['before'];

/**
 * Sends one document. If the response is lost, sends it once more. Returns the edits that the platform refused.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function sendOrderEdits(
  deps: Pick<OperationDeps, 'sendToPlatform'>,
  editTarget: OrderEditTarget,
  document: readonly OrderEdit[],
): Promise<RefusedOrderEdit[]> {
  const scheduleEdits = document.flatMap((orderEdit) =>
    toScheduleEdits(orderEdit).map((edit) => ({ ...edit, orderEdit })),
  );
  if (scheduleEdits.length === 0) return [];
  const send = () => sendScheduleEditsForErrors(deps, { ...editTarget, edits: scheduleEdits });
  const refusedErrors = await send().catch((error: unknown) => {
    if (!isOutcomeUnknown(error)) throw error;
    return send();
  });
  return refusedErrors.map(({ edit, error }) => ({ edit: edit.orderEdit, error }));
}

function toScheduleEdits({ cycleIndex, before, after }: OrderEdit): ScheduleEdit[] {
  const isDateChanged = !isSameInstantText(before.date, after.date);
  const { date: billingDate } = after;
  if (!after.skipped) {
    if (!before.skipped && !isDateChanged) return [];
    return [{ cycleIndex, ...(before.skipped && { skip: false }), billingDate }];
  }
  if (before.skipped) return [];
  // The platform sets no date on a skipped order.
  return [...(isDateChanged ? [{ cycleIndex, billingDate }] : []), { cycleIndex, skip: true }];
}

/** Returns the edit that undoes this one. */
export function reverseOrderEdit({ cycleIndex, before, after }: OrderEdit): OrderEdit {
  return { cycleIndex, before: after, after: before };
}

/** Whether the cycle shows the order in this position. The date of a skipped order is not compared. */
export function isOrderAtPosition(cycle: BillingCycle, { date, skipped }: OrderPosition): boolean {
  if (cycle.skipped !== skipped) return false;
  return skipped || isSameInstantText(cycle.billingAttemptExpectedDate, date);
}

function isSameInstantText(one: string, other: string): boolean {
  return parseInstant(one) === parseInstant(other);
}

/**
 * Returns what the edits change, as facts for the timeline. The date of a restored order is recorded even if it stays
 * the same: the platform may have dropped it when the order was skipped.
 */
export function listOrderEditFacts(edits: readonly OrderEdit[]): FactChange[] {
  return edits.flatMap(({ cycleIndex, before, after }) => {
    const isOnSameDate = isSameInstantText(before.date, after.date);
    const orderDates = { before: before.date, after: isOnSameDate ? before.date : after.date };
    const skips = { before: String(before.skipped), after: String(after.skipped) };
    const isRestored = before.skipped && !after.skipped;
    return [
      ...(before.skipped === after.skipped ? [] : [createFact(`billingCycles.${cycleIndex}.skipped`, skips)]),
      ...(isOnSameDate && !isRestored
        ? []
        : [createFact(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, orderDates)]),
    ];
  });
}
