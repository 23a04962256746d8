/** The upcoming orders of a subscription with their content: that of the subscription, or their own. */
import type * as documents from './generated/customer-operations.ts';

/**
 * A line of an order. `ONE_TIME`: only this order has it. `OTHER_SUBSCRIPTION`: it comes with the order of another
 * subscription of the customer.
 */
export type OrderLine = documents.SubscriptionLine & {
  readonly kind: 'SUBSCRIPTION' | 'ONE_TIME' | 'OTHER_SUBSCRIPTION';
};

/** An upcoming order, or a skipped one. */
export type UpcomingOrder = documents.BillingCycle &
  Pick<Cycle, 'total'> &
  Pick<Details, 'deliveryMethod' | 'deliveryPrice'> & {
    /** At most 20 lines. */
    readonly lines: Omit<Details['lines'], 'nodes'> & { readonly nodes: readonly OrderLine[] };
    /** Whether the lines or the delivery were changed for this order alone. */
    readonly isContentEdited: boolean;
  };

type Details = NonNullable<documents.UpcomingOrders['subscriptionContractDetails']>;
type Cycle = Details['billingCycles']['nodes'][number];
type EditedLine = NonNullable<Cycle['editedContract']>['lines']['nodes'][number];

/** Returns the page of orders, each with its content. */
export function toUpcomingOrders({ billingCycles, ...content }: Details) {
  const nodes = billingCycles.nodes.map(({ editedContract, ...cycle }): UpcomingOrder => {
    const { lines, ...delivery } = editedContract ?? content;
    const toLine = ({ concatenatedOriginContract: origin, ...line }: Partial<EditedLine>) => {
      const kind = origin
        ? 'OTHER_SUBSCRIPTION'
        : isOfSubscription(line, content)
          ? 'SUBSCRIPTION'
          : 'ONE_TIME';
      return { ...line, kind } as OrderLine;
    };
    return {
      ...{ ...cycle, ...delivery, lines: { ...lines, nodes: lines.nodes.map(toLine) } },
      isContentEdited: editedContract !== null,
    };
  });
  return { ...billingCycles, nodes };
}

/** Whether the subscription has this line. It can have more lines than were read. */
function isOfSubscription(
  { id, variantId }: Partial<EditedLine>,
  { lines }: Pick<Details, 'lines'>,
): boolean {
  return (
    lines.pageInfo.hasNextPage ||
    lines.nodes.some((line) => line.id === id || (variantId != null && line.variantId === variantId))
  );
}

/**
 * Returns the dates of the next orders that will come, for a subscription of `get` or of a change: at most `count`, and
 * no more than its page of orders has (`firstOrders`).
 */
export function nextDates(
  { status, billingCycles }: Pick<documents.Subscription, 'status' | 'billingCycles'>,
  count = 3,
): readonly string[] {
  if (status !== 'ACTIVE' && status !== 'PAUSED') return [];
  return (billingCycles?.nodes ?? [])
    .filter((cycle) => cycle.status !== 'BILLED' && !cycle.skipped && !cycle.isWithinPause)
    .slice(0, count)
    .map((cycle) => cycle.billingAttemptExpectedDate);
}
