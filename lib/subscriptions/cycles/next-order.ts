/**
 * The next order of a contract: the first of its cycles that is neither billed nor skipped, and what is charged for it
 * if nobody changes the contract. Pure; the cycles are read, never computed.
 */
import { formatMinorUnits, minorUnits, parseDecimal } from '../../domain/money.ts';
import { hasPaymentsLeft } from '../discount-facts.ts';
import { type BillingCycle, CYCLE_FIELDS, dueMs } from './billing-cycle.ts';

type Money = { readonly amount: string; readonly currencyCode: string };
type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };

/** The content of an order: the contract's, or that of one edited cycle. */
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
  /** Null: there are more lines or discounts than are read. */
  readonly total: Money | null;
  readonly isSkippable: boolean;
};

/** Lines whose prices are summed. */
const MOST_LINES = 20;
const MOST_DISCOUNTS = 5;

/** The selection that brings an `OrderContent`. */
export const ORDER_CONTENT = `_svcNextDelivery: deliveryPrice { amount currencyCode }
  _svcNextLines: lines(first: ${MOST_LINES}) { nodes { lineDiscountedPrice { amount currencyCode } } pageInfo { hasNextPage } }
  _svcNextDiscounts: discounts(first: ${MOST_DISCOUNTS}) {
    nodes { targetType rejectionReason recurringCycleLimit usageCount } pageInfo { hasNextPage } }`;

/** The selection that brings a `NextCycle`. */
export const NEXT_CYCLE = `${CYCLE_FIELDS} editedContract { ${ORDER_CONTENT} }`;

/** The first of these cycles that will be charged; undefined: none of them. */
export function firstToCharge(cycles: readonly NextCycle[]): NextCycle | undefined {
  return cycles.find(({ skipped, status }) => !skipped && status !== 'BILLED');
}

/** The order of a cycle. `content` is the contract's, which counts unless the cycle has one of its own. */
export function toNextOrder(cycle: NextCycle, content: OrderContent, nowMs: number): NextOrder {
  const { billingAttemptExpectedDate: date, cycleIndex, editedContract } = cycle;
  return {
    date,
    cycleIndex,
    total: totalOf(editedContract ?? content),
    isSkippable: dueMs(cycle) >= nowMs,
  };
}

/** Discounts are in the lines' prices, and those on delivery make it free: the platform's input has no value for them. */
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
