/** The changes of one subscription, and their previews. */
import * as documents from './generated/customer-operations.ts';
import { createChangeOperations, type Operation, type Requester } from './operation.ts';

/** The order of `skip` and `unskip`. */
export type SkipVariables = Omit<documents.SkipOrderVariables, 'skip'>;

/**
 * The changes of one subscription. Each change is made once, even when responses are lost. It returns the changed
 * `subscription`, as `get` does, and the timeline's entry as `event`: null if nothing was changed.
 */
export interface ContractChanges extends OrderChanges, TermChanges, ContentChanges, Previews {}

/** The changes of one order. With its date as `expectedDate`, a change cannot affect another order. */
export interface OrderChanges {
  /** Skips one order. */
  readonly skip: Operation<SkipVariables, documents.SkipOrderPayload>;
  /** Restores a skipped order. */
  readonly unskip: Operation<SkipVariables, documents.SkipOrderPayload>;
  /**
   * Moves one order within its billing cycle, from `cycleStartAt` to `cycleEndAt`. An order that has not been moved
   * is due at `cycleEndAt`: it can only be moved to an earlier date. `billingDate` is an instant, or a day of the store's
   * zone, such as `2026-12-16`: the order is then on that day at its own time.
   */
  readonly reschedule: Operation<documents.RescheduleOrderVariables, documents.RescheduleOrderPayload>;
  /**
   * Makes the next order due in five minutes; the store's next run charges it, which may be tomorrow. The orders after it
   * keep their dates. Only in stores with `sendNow: 'MOVE'` in `store()`.
   */
  readonly sendNow: Operation<documents.SendNowVariables, documents.SendNowPayload>;
  /**
   * Moves the next order to a later day of the store's zone, such as `2026-12-16`; the orders after it follow by the
   * interval. `expectedDate` is the date of `nextOrder`. Show the customer `upcomingOrders`, the next three.
   */
  readonly postpone: Operation<documents.PostponeOrderVariables, documents.PostponeOrderPayload>;
  /** Takes the latest postponement back, until its `revertableUntil`. */
  readonly revertPostponement: Operation<
    documents.RevertPostponementVariables,
    documents.RevertPostponementPayload
  >;
}

/** The changes of the whole subscription: whether orders come, and in which interval. */
export interface TermChanges {
  /**
   * Pauses until a date or, without one, until the subscription is resumed. A day of the store's zone, such as
   * `2026-12-16`, means the beginning of that day.
   */
  readonly pause: Operation<documents.PauseVariables, documents.PausePayload>;
  /**
   * With `nextBillingDate` the next order is on that date. This does not delay one order: the orders before the date
   * are skipped (`skippedOrders`), and the order of the billing cycle that contains the date is moved to it. Show the
   * customer `upcomingOrders`, the next three. The date is an instant, or a day of the store's zone.
   */
  readonly resume: Operation<documents.ResumeVariables, documents.ResumePayload>;
  /** Cancels the subscription permanently. */
  readonly cancel: Operation<documents.CancelVariables, documents.CancelPayload>;
  /** Changes the interval. `droppedEdits` lists the skips and moves that do not fit the new interval. */
  readonly updateInterval: Operation<documents.UpdateIntervalVariables, documents.UpdateIntervalPayload>;
}

/** The changes of what orders contain, where they go, and how they are paid. */
export interface ContentChanges {
  /**
   * Makes all changes or none. If the current delivery option is not available for the new lines, nothing is changed:
   * DELIVERY_OPTION_REQUIRED, with `deliveryOptions`, as for `updateDelivery`.
   */
  readonly updateLines: Operation<documents.UpdateLinesVariables, documents.UpdateLinesPayload>;
  /**
   * Changes the delivery. If there are several delivery options and `optionCode` names none of them, nothing is
   * changed: DELIVERY_OPTION_REQUIRED, with `deliveryOptions`. Show them, and send the `code` of the chosen option as
   * `optionCode`.
   */
  readonly updateDelivery: Operation<documents.UpdateDeliveryVariables, documents.UpdateDeliveryPayload>;
  /** Changes the payment method to another one of the customer's. */
  readonly updatePaymentMethod: Operation<
    documents.UpdatePaymentMethodVariables,
    documents.UpdatePaymentMethodPayload
  >;
  /** Applies a discount code. */
  readonly applyDiscountCode: Operation<
    documents.ApplyDiscountCodeVariables,
    documents.ApplyDiscountCodePayload
  >;
  /** Removes a discount. */
  readonly removeDiscount: Operation<documents.RemoveDiscountVariables, documents.RemoveDiscountPayload>;
}

/**
 * Previews of changes. Each returns the next order after the change as `preview`, and changes nothing. If the change
 * would be refused, it throws the code of that refusal, such as VARIANT_NOT_AVAILABLE. `preview.date` is null when only
 * the change can show the date. A subscription has 30 previews in an hour; those of a postponement are not counted.
 */
export interface Previews {
  /** Returns the next order after `updateLines`. */
  readonly previewLines: Operation<documents.PreviewLinesVariables, documents.PreviewLinesPayload>;
  /** Returns `upcomingOrders`, the next three as they would be after `postpone`, in place of `preview`. */
  readonly previewPostponement: Operation<
    documents.PreviewPostponementVariables,
    documents.PreviewPostponementPayload
  >;
  /** Returns the next order after `updateInterval`. */
  readonly previewInterval: Operation<documents.PreviewIntervalVariables, documents.PreviewIntervalPayload>;
  /** Returns the next order after `updateDelivery`. */
  readonly previewDelivery: Operation<documents.PreviewDeliveryVariables, documents.PreviewDeliveryPayload>;
  /** Returns the next order with a discount code. A code that is tried in a preview counts like one that is applied. */
  readonly previewDiscountCode: Operation<
    documents.PreviewDiscountCodeVariables,
    documents.PreviewDiscountCodePayload
  >;
}

export function contractChanges(requester: Requester): ContractChanges {
  const orders = createChangeOperations(requester, {
    skip: documents.SkipOrderDocument,
    unskip: documents.SkipOrderDocument,
  });
  return {
    skip: (order, options) => orders.skip({ ...order, skip: true }, options),
    unskip: (order, options) => orders.unskip({ ...order, skip: false }, options),
    ...createChangeOperations(requester, {
      reschedule: documents.RescheduleOrderDocument,
      sendNow: documents.SendNowDocument,
      postpone: documents.PostponeOrderDocument,
      revertPostponement: documents.RevertPostponementDocument,
      pause: documents.PauseDocument,
      resume: documents.ResumeDocument,
      cancel: documents.CancelDocument,
      updateInterval: documents.UpdateIntervalDocument,
      updateLines: documents.UpdateLinesDocument,
      updateDelivery: documents.UpdateDeliveryDocument,
      updatePaymentMethod: documents.UpdatePaymentMethodDocument,
      applyDiscountCode: documents.ApplyDiscountCodeDocument,
      removeDiscount: documents.RemoveDiscountDocument,
      previewLines: documents.PreviewLinesDocument,
      previewPostponement: documents.PreviewPostponementDocument,
      previewInterval: documents.PreviewIntervalDocument,
      previewDelivery: documents.PreviewDeliveryDocument,
      previewDiscountCode: documents.PreviewDiscountCodeDocument,
    }),
  };
}
