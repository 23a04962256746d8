/** What can be read of one subscription, which its `contractId` names. */
import * as documents from './generated/customer-operations.ts';
import { type Asker, query } from './operation.ts';
import { list } from './pages.ts';

/** Dates are instants in ISO 8601: name their days in the `storeTimeZone` of `store()`. */
export function contractReads(asker: Asker) {
  return {
    /** Lines, delivery, payment, the next orders and the pause, in one request. */
    get: query(asker, documents.SubscriptionDetailsDocument),
    /** The orders of the coming year, skipped ones too. */
    upcoming: list(asker, documents.UpcomingOrdersDocument, (value) => value.billingCycles),
    /** The orders that were made, the newest first. */
    pastOrders: list(asker, documents.PastOrdersDocument, (value) => value.orders),
    /** The timeline, the newest first. `message` is HTML. */
    events: list(asker, documents.SubscriptionEventsDocument, (value) => value.events),
    /** The plans of its products, for `updateInterval`. */
    intervalInfo: list(asker, documents.IntervalInfoDocument, (value) => value.sellingPlanGroups),
    /** What a line can be swapped for; without `lineId`, what can be added. A page can be empty and not be the last. */
    lineOptions: list(asker, documents.LineOptionsDocument),
  };
}
