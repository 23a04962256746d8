/** The reads of one subscription, selected by its `contractId`. */
import * as documents from './generated/customer-operations.ts';
import { createQueryOperation, type Operation, type Requester } from './operation.ts';
import {
  type Connection,
  createFullPageListOperation,
  createListOperation,
  type ListOperation,
} from './pages.ts';
import { toUpcomingOrders, type UpcomingOrder } from './upcoming-orders.ts';

/** The zone in which days are shown: dates are instants in ISO 8601. */
export interface StoreTime {
  /** The store's time zone, such as `Europe/Berlin`: display days in it. */
  readonly storeTimeZone: string;
}

/** Reads one subscription. Dates are instants in ISO 8601: display them in the `storeTimeZone` of `get`. */
export interface ContractReads {
  /**
   * Lines, delivery, payment, the next orders and the pause, in one request. Changes return the same as
   * `subscription`, without `storeTimeZone`.
   */
  readonly get: Operation<documents.SubscriptionDetailsVariables, documents.SubscriptionDetails & StoreTime>;
  /** The orders of the coming year with their lines, delivery and total, skipped ones too. */
  readonly upcoming: ListOperation<documents.UpcomingOrdersVariables, Connection<UpcomingOrder>>;
  /** The past orders with their shipments, newest first. Each page is full, except the last. */
  readonly pastOrders: ListOperation<documents.PastOrdersVariables, Connection<documents.PastOrder>>;
  /** The timeline, newest first. `message` is HTML. */
  readonly events: ListOperation<documents.SubscriptionEventsVariables, Connection<documents.TimelineEntry>>;
  /** The selling plans of the subscription's products, for `updateInterval`. */
  readonly intervalInfo: ListOperation<documents.IntervalInfoVariables, Connection<documents.PlanGroup>>;
  /**
   * The products that can replace a line; without `lineId`, the products that can be added. A page can be empty
   * without being the last. Without `lineId` it also has variants of the present lines, which are usually refused: show
   * only options for which no line of the subscription has the `productVariant.id` as `variantId`.
   */
  readonly lineOptions: ListOperation<documents.LineOptionsVariables, Connection<documents.LineOption>>;
}

type ContractDetails = NonNullable<documents.SubscriptionDetailsResult['subscriptionContractDetails']>;

/** Returns the details in the form in which changes return a subscription, and the store's time zone. */
function toSubscription(
  { contract, ...otherDetails }: ContractDetails,
  _requestId: string | undefined,
  { serviceInfo }: documents.SubscriptionDetailsResult,
): (documents.SubscriptionDetails & StoreTime) | null {
  return contract && { ...contract, ...otherDetails, ...serviceInfo };
}

export function contractReads(requester: Requester): ContractReads {
  return {
    get: createQueryOperation(requester, documents.SubscriptionDetailsDocument, toSubscription),
    upcoming: createListOperation(requester, documents.UpcomingOrdersDocument, toUpcomingOrders),
    pastOrders: createFullPageListOperation(
      requester,
      documents.PastOrdersDocument,
      (value) => value.orders,
      10,
    ),
    events: createListOperation(requester, documents.SubscriptionEventsDocument, (value) => value.events),
    intervalInfo: createListOperation(
      requester,
      documents.IntervalInfoDocument,
      (value) => value.sellingPlanGroups,
    ),
    lineOptions: createListOperation(requester, documents.LineOptionsDocument),
  };
}
