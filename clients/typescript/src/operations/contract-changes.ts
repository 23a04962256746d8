/**
 * The changes of one subscription. Each change is made once, even when responses are lost. It returns the changed
 * `subscription`, as `get` does, and the timeline's entry as `event`: null if nothing was changed.
 */
import * as documents from './generated/customer-operations.ts';
import { change, type OperationOptions, type Requester } from './operation.ts';

type Skip = Omit<documents.SkipOrderVariables, 'skip' | 'idempotencyKey'>;

export function contractChanges(requester: Requester) {
  return {
    ...orderChanges(requester),
    ...termChanges(requester),
    ...contentChanges(requester),
    ...previews(requester),
  };
}

/** The changes of one order. With its date as `expectedDate`, a change cannot affect another order. */
function orderChanges(requester: Requester) {
  const skipOrder = change(requester, documents.SkipOrderDocument);
  return {
    skip: (order: Skip, options?: OperationOptions) => skipOrder({ ...order, skip: true }, options),
    unskip: (order: Skip, options?: OperationOptions) => skipOrder({ ...order, skip: false }, options),
    /**
     * Moves one order within its billing cycle, from `cycleStartAt` to `cycleEndAt`. An order that has not been moved
     * is due at `cycleEndAt`: it can only be moved to an earlier date. `billingDate` is an instant, or a day of the store's
     * zone, such as `2026-12-16`: the order is then on that day at its own time.
     */
    reschedule: change(requester, documents.RescheduleOrderDocument),
    /**
     * Makes the next order due in five minutes; the store's next run charges it, which may be tomorrow. The orders after it
     * keep their dates. Only in stores with `sendNow: 'MOVE'` in `store()`.
     */
    sendNow: change(requester, documents.SendNowDocument),
    /**
     * Moves the next order to a later day of the store's zone, such as `2026-12-16`; the orders after it follow by the
     * interval. `expectedDate` is the date of `nextOrder`. Show the customer `upcomingOrders`, the next three.
     */
    postpone: change(requester, documents.PostponeOrderDocument),
    /** Takes the latest postponement back, until its `revertableUntil`. */
    revertPostponement: change(requester, documents.RevertPostponementDocument),
  };
}

function termChanges(requester: Requester) {
  return {
    /**
     * Pauses until a date or, without one, until the subscription is resumed. A day of the store's zone, such as
     * `2026-12-16`, means the beginning of that day.
     */
    pause: change(requester, documents.PauseDocument),
    /**
     * With `nextBillingDate` the next order is on that date. This does not delay one order: the orders before the date
     * are skipped (`skippedOrders`), and the order of the billing cycle that contains the date is moved to it. Show the
     * customer `upcomingOrders`, the next three. The date is an instant, or a day of the store's zone.
     */
    resume: change(requester, documents.ResumeDocument),
    /** Cancels the subscription permanently. */
    cancel: change(requester, documents.CancelDocument),
    /** Changes the interval. `droppedEdits` lists the skips and moves that do not fit the new interval. */
    updateInterval: change(requester, documents.UpdateIntervalDocument),
  };
}

/**
 * Previews of changes. Each returns the next order after the change as `preview`, and changes nothing. It throws USER_ERRORS
 * if the change would be rejected. `preview.date` is null when only the change can show the date. A subscription has 30
 * previews in an hour; those of a postponement are not counted.
 */
function previews(requester: Requester) {
  return {
    previewLines: change(requester, documents.PreviewLinesDocument),
    /** Returns `upcomingOrders`, the next three as they would be after `postpone`, in place of `preview`. */
    previewPostponement: change(requester, documents.PreviewPostponementDocument),
    previewInterval: change(requester, documents.PreviewIntervalDocument),
    previewDelivery: change(requester, documents.PreviewDeliveryDocument),
    /** A code that is tried in a preview counts like one that is applied. */
    previewDiscountCode: change(requester, documents.PreviewDiscountCodeDocument),
  };
}

function contentChanges(requester: Requester) {
  return {
    /**
     * Makes all changes or none. If the current delivery option is not available for the new lines, nothing is changed:
     * USER_ERRORS, with `deliveryOptions`, as for `updateDelivery`.
     */
    updateLines: change(requester, documents.UpdateLinesDocument),
    /**
     * Changes the delivery. If there are several delivery options and `optionCode` names none of them, nothing is
     * changed: USER_ERRORS, with `deliveryOptions`. Show them, and send the `code` of the chosen option as
     * `optionCode`.
     */
    updateDelivery: change(requester, documents.UpdateDeliveryDocument),
    updatePaymentMethod: change(requester, documents.UpdatePaymentMethodDocument),
    applyDiscountCode: change(requester, documents.ApplyDiscountCodeDocument),
    removeDiscount: change(requester, documents.RemoveDiscountDocument),
  };
}
