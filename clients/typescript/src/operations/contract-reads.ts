/** The reads of one subscription, selected by its `contractId`. */
import * as documents from './generated/customer-operations.ts';
import { query, type Requester } from './operation.ts';
import { list } from './pages.ts';

type Details = NonNullable<documents.SubscriptionDetails['subscriptionContractDetails']>;

/** Returns the details in the form in which changes return a subscription. */
function toSubscription({ contract, ...others }: Details): documents.Subscription | null {
  return contract && { ...contract, ...others };
}

/** Reads one subscription. Dates are instants in ISO 8601: display them in the `storeTimeZone` of `store()`. */
export function contractReads(requester: Requester) {
  return {
    /** Lines, delivery, payment, the next orders and the pause, in one request. Changes return the same as `subscription`. */
    get: query(requester, documents.SubscriptionDetailsDocument, toSubscription),
    /** The orders of the coming year, skipped ones too. */
    upcoming: list(requester, documents.UpcomingOrdersDocument, (value) => value.billingCycles),
    /** The past orders, newest first. */
    pastOrders: list(requester, documents.PastOrdersDocument, (value) => value.orders),
    /** The timeline, newest first. `message` is HTML. */
    events: list(requester, documents.SubscriptionEventsDocument, (value) => value.events),
    /** The plans of its products, for `updateInterval`. */
    intervalInfo: list(requester, documents.IntervalInfoDocument, (value) => value.sellingPlanGroups),
    /**
     * The products that can replace a line; without `lineId`, the products that can be added. A page can be empty
     * without being the last.
     */
    lineOptions: list(requester, documents.LineOptionsDocument),
  };
}
