/** The reads of one subscription, selected by its `contractId`. */
import * as documents from './generated/customer-operations.ts';
import { query, type Requester } from './operation.ts';
import { list, listFully } from './pages.ts';
import { toUpcomingOrders } from './upcoming-orders.ts';

type Details = NonNullable<documents.SubscriptionDetails['subscriptionContractDetails']>;

/** The store's time zone, such as `Europe/Berlin`: days are displayed in it. */
type StoreTime = { readonly storeTimeZone: string };

/** Returns the details in the form in which changes return a subscription, and the store's time zone. */
function toSubscription(
  { contract, ...others }: Details,
  _requestId: string | undefined,
  { serviceInfo }: documents.SubscriptionDetails,
): (documents.Subscription & StoreTime) | null {
  return contract && { ...contract, ...others, ...serviceInfo };
}

/** Reads one subscription. Dates are instants in ISO 8601: display them in the `storeTimeZone` of `get`. */
export function contractReads(requester: Requester) {
  return {
    /**
     * Lines, delivery, payment, the next orders and the pause, in one request. Changes return the same as
     * `subscription`, without `storeTimeZone`.
     */
    get: query(requester, documents.SubscriptionDetailsDocument, toSubscription),
    /** The orders of the coming year with their lines, delivery and total, skipped ones too. */
    upcoming: list(requester, documents.UpcomingOrdersDocument, toUpcomingOrders),
    /** The past orders with their shipments, newest first. Each page is full, except the last. */
    pastOrders: listFully(requester, documents.PastOrdersDocument, (value) => value.orders, 10),
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
