/** The upcoming orders of a subscription with their content: that of the subscription, or their own. */
import type * as documents from './generated/customer-operations.ts';
import type { Connection } from './pages.ts';

/** A line of an order. */
export interface OrderLine extends documents.SubscriptionLine {
  /**
   * `ONE_TIME`: only this order has the line. `OTHER_SUBSCRIPTION`: it comes with the order of another subscription of
   * the customer.
   */
  readonly kind: 'SUBSCRIPTION' | 'ONE_TIME' | 'OTHER_SUBSCRIPTION';
}

/** An upcoming order, a skipped one, or an earlier one that is not paid yet (`overdue`). */
export interface UpcomingOrder
  extends documents.BillingCycle,
    Pick<UpcomingCycle, 'total'>,
    Pick<UpcomingOrdersDetails, 'deliveryMethod' | 'deliveryPrice'> {
  /** The lines of the order, at most 20. */
  readonly lines: Connection<OrderLine>;
  /** Whether the lines or the delivery were changed for this order alone. */
  readonly isContentEdited: boolean;
}

type UpcomingOrdersDetails = NonNullable<documents.UpcomingOrdersResult['subscriptionContractDetails']>;
type UpcomingCycle = UpcomingOrdersDetails['billingCycles']['nodes'][number];
type EditedLine = NonNullable<UpcomingCycle['editedContract']>['lines']['nodes'][number];

/** Returns the page of orders, each with its content. */
export function toUpcomingOrders({ billingCycles, ...subscriptionContent }: UpcomingOrdersDetails) {
  const upcomingOrders = billingCycles.nodes.map(({ editedContract, ...cycle }): UpcomingOrder => {
    const { lines, ...delivery } = editedContract ?? subscriptionContent;
    const toLine = ({ concatenatedOriginContract: origin, ...line }: Partial<EditedLine>) =>
      ({
        ...line,
        kind: origin
          ? 'OTHER_SUBSCRIPTION'
          : isOfSubscription(line, subscriptionContent)
            ? 'SUBSCRIPTION'
            : 'ONE_TIME',
      }) as OrderLine;
    return {
      ...cycle,
      ...delivery,
      lines: { ...lines, nodes: lines.nodes.map(toLine) },
      isContentEdited: editedContract !== null,
    };
  });
  return { ...billingCycles, nodes: upcomingOrders };
}

/** Whether the line is one of the subscription's. If it has more lines than were read, every line counts as such. */
function isOfSubscription(
  { id, variantId }: Partial<EditedLine>,
  { lines }: Pick<UpcomingOrdersDetails, 'lines'>,
): boolean {
  return (
    lines.pageInfo.hasNextPage ||
    lines.nodes.some((line) => line.id === id || (variantId && line.variantId === variantId))
  );
}

type Schedule = Pick<documents.SubscriptionDetails, 'status'> &
  Partial<Pick<documents.SubscriptionDetails, 'currentPause' | 'nextOrder'>>;

/**
 * Returns the orders to display, of `upcoming` or of a subscription: those that will come, those that are not paid yet
 * (`overdue`), and skipped ones, which can be restored. A billed order, one of a pause, one that was postponed to a later
 * cycle, one that is given up, and all orders of a subscription that has ended or whose pause has no end are left out.
 */
export function visibleOrders<Order extends documents.BillingCycle>(
  { status, currentPause, nextOrder }: Schedule,
  orders: readonly Order[],
): readonly Order[] {
  if (status !== 'ACTIVE' && (status !== 'PAUSED' || currentPause?.resumesAt === null)) return [];
  return orders.filter(
    (order) =>
      order.status !== 'BILLED' &&
      !order.isWithinPause &&
      // A skipped cycle without a day has no order. The dates are UTC in whole seconds.
      (order.skipped
        ? order.orderDate
        : order.overdue || !nextOrder || order.billingAttemptExpectedDate >= nextOrder.date),
  );
}

/**
 * Returns the dates of the next orders that will come, for a subscription of `get` or of a change: at most `count`, and
 * no more than its page of orders has (`firstOrders`).
 */
export function nextDates(
  subscription: Schedule & Pick<documents.SubscriptionDetails, 'billingCycles'>,
  count = 3,
): readonly string[] {
  return visibleOrders(subscription, subscription.billingCycles?.nodes ?? [])
    .flatMap((order) => (order.skipped || order.overdue ? [] : (order.orderDate ?? [])))
    .slice(0, count);
}
