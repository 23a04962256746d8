/** What can be changed of one subscription. Each change is made once, however often its answer is lost. */
import * as documents from './generated/customer-operations.ts';
import { change, type OperationOptions, type Requester } from './operation.ts';

type Skip = Omit<documents.SkipOrderVariables, 'skip' | 'idempotencyKey'>;

export function contractChanges(requester: Requester) {
  return { ...orderChanges(requester), ...termChanges(requester), ...contentChanges(requester) };
}

/** Of one order. Send its date as `expectedDate`, and no other order can be hit. */
function orderChanges(requester: Requester) {
  const skipOrder = change(requester, documents.SkipOrderDocument);
  return {
    skip: (order: Skip, options?: OperationOptions) => skipOrder({ ...order, skip: true }, options),
    unskip: (order: Skip, options?: OperationOptions) => skipOrder({ ...order, skip: false }, options),
    /**
     * Moves one order within its own cycle, from `cycleStartAt` to `cycleEndAt`. An order that was not moved before is due at
     * `cycleEndAt`: it can come earlier, but not later.
     */
    reschedule: change(requester, documents.RescheduleOrderDocument),
  };
}

function termChanges(requester: Requester) {
  return {
    /** Until a date or, without one, until it is resumed. */
    pause: change(requester, documents.PauseDocument),
    /**
     * With `nextBillingDate` the next order is on that date. This does not delay one order: the orders before the date are
     * skipped (`skippedOrders`), and the order of the billing cycle that contains the date comes early. Show the customer
     * `upcomingOrders`, the next three.
     */
    resume: change(requester, documents.ResumeDocument),
    /** For good. */
    cancel: change(requester, documents.CancelDocument),
    /** `droppedEdits`: skips and moves that have no place in the new interval. */
    updateInterval: change(requester, documents.UpdateIntervalDocument),
  };
}

function contentChanges(requester: Requester) {
  return {
    /**
     * All of it or nothing. Where the present way of delivery is not offered for the new lines, nothing is changed:
     * USER_ERRORS, with `deliveryOptions`, as for `updateDelivery`.
     */
    updateLines: change(requester, documents.UpdateLinesDocument),
    /**
     * Where there are several ways of delivery and `optionCode` names none of them it is not changed: USER_ERRORS, with
     * `deliveryOptions`. Show them, and send the `code` of the chosen one as `optionCode`.
     */
    updateDelivery: change(requester, documents.UpdateDeliveryDocument),
    updatePaymentMethod: change(requester, documents.UpdatePaymentMethodDocument),
    applyDiscountCode: change(requester, documents.ApplyDiscountCodeDocument),
    removeDiscount: change(requester, documents.RemoveDiscountDocument),
  };
}
