/**
 * The next order of a contract: the first cycle that is neither billed nor skipped, and the amount that is charged
 * unless the contract changes. Pure: the cycles are read, never computed.
 */
import { formatMinorUnits, minorUnits, parseDecimal } from '../../domain/money.ts';
import { hasPaymentsLeft } from '../discount-facts.ts';
import { type BillingCycle, CYCLE_FIELDS, dueMs } from './billing-cycle.ts';

type Money = { readonly amount: string; readonly currencyCode: string };
type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };

/** The content of an order: the contract's, or that of an edited cycle. */
export type OrderContent = {
  readonly _svcNextDelivery: Money;
  readonly _svcNextLines: Page<{ readonly lineDiscountedPrice: Money }>;
  readonly _svcNextDiscounts: Page<{
    readonly targetType: string;
    readonly rejectionReason: string | null;
    readonly recurringCycleLimit: number | null;
    readonly usageCount: number;
  }>;
};

export type NextCycle = BillingCycle & { readonly editedContract: OrderContent | null };

/** The schema's SubscriptionNextOrder. */
export type NextOrder = {
  /** ISO 8601. */
  readonly date: string;
  readonly cycleIndex: number;
  /** Null when the contract has more lines or discounts than are read. */
  readonly total: Money | null;
  readonly isSkippable: boolean;
};

/** The number of lines whose prices are summed. */
const MAX_LINES = 20;
const MAX_DISCOUNTS = 5;

/** The selection of `OrderContent`. */
export const ORDER_CONTENT = `_svcNextDelivery: deliveryPrice { amount currencyCode }
  _svcNextLines: lines(first: ${MAX_LINES}) { nodes { lineDiscountedPrice { amount currencyCode } } pageInfo { hasNextPage } }
  _svcNextDiscounts: discounts(first: ${MAX_DISCOUNTS}) {
    nodes { targetType rejectionReason recurringCycleLimit usageCount } pageInfo { hasNextPage } }`;

/** The selection of `NextCycle`. */
export const NEXT_CYCLE = `${CYCLE_FIELDS} editedContract { ${ORDER_CONTENT} }`;

/**
 * Returns the first cycle that will be charged.
 * @returns undefined when none of these will be
 */
export function firstToCharge(cycles: readonly NextCycle[]): NextCycle | undefined {
  return cycles.find(({ skipped, status }) => !skipped && status !== 'BILLED');
}

/** Returns the order of a cycle. `content` is the contract's; a cycle's own content takes precedence. */
export function toNextOrder(cycle: NextCycle, content: OrderContent, nowMs: number): NextOrder {
  const { billingAttemptExpectedDate: date, cycleIndex, editedContract } = cycle;
  return {
    date,
    cycleIndex,
    total: totalOf(editedContract ?? content),
    isSkippable: dueMs(cycle) >= nowMs,
  };
}

/**
 * The prices of lines include their discounts. A discount on delivery makes it free: the platform's input has no
 * amount for it.
 */
function totalOf(content: OrderContent): Money | null {
  const { _svcNextLines: lines, _svcNextDiscounts: discounts, _svcNextDelivery: delivery } = content;
  const isFree = discounts.nodes.some(
    (discount) =>
      discount.targetType === 'SHIPPING_LINE' &&
      discount.rejectionReason === null &&
      hasPaymentsLeft(discount),
  );
  if (lines.pageInfo.hasNextPage || (discounts.pageInfo.hasNextPage && !isFree)) return null;
  const { currencyCode } = delivery;
  const prices = [...lines.nodes.map((line) => line.lineDiscountedPrice), ...(isFree ? [] : [delivery])];
  const sum = prices.reduce(
    (total, { amount }) => total + minorUnits(parseDecimal(amount), currencyCode),
    0n,
  );
  return { amount: formatMinorUnits(sum, currencyCode), currencyCode };
}
