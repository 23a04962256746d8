/** What can be read of one subscription, which its `contractId` names. */
import * as documents from './generated/customer-operations.ts';
import { query, type Requester } from './operation.ts';
import { list } from './pages.ts';

/** Dates are instants in ISO 8601: name their days in the `storeTimeZone` of `store()`. */
export function contractReads(requester: Requester) {
  return {
    /** Lines, delivery, payment, the next orders and the pause, in one request. */
    get: query(requester, documents.SubscriptionDetailsDocument),
    /** The orders of the coming year, skipped ones too. */
    upcoming: list(requester, documents.UpcomingOrdersDocument, (value) => value.billingCycles),
    /** The orders that were made, the newest first. */
    pastOrders: list(requester, documents.PastOrdersDocument, (value) => value.orders),
    /** The timeline, the newest first. `message` is HTML. */
    events: list(requester, documents.SubscriptionEventsDocument, (value) => value.events),
    /** The plans of its products, for `updateInterval`. */
    intervalInfo: list(requester, documents.IntervalInfoDocument, (value) => value.sellingPlanGroups),
    /** What a line can be swapped for; without `lineId`, what can be added. A page can be empty and not be the last. */
    lineOptions: list(requester, documents.LineOptionsDocument),
  };
}
