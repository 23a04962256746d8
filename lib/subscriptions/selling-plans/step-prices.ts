/**
 * The steps of a line's pricing policy, and the prices that they give coming orders. The platform shows the steps, but does
 * not apply them: where the service bills, it sets the price of an order's step before it charges the order.
 */
import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';
import type { OrderCounts } from '../count-paid-orders.ts';
import { hasPaymentsLeft } from '../discount-facts.ts';
import { type Money, type OrderContent, type Page, selectOrderContent } from '../order-content.ts';

/** A line with the steps of its pricing policy. Amounts are decimal texts. */
export type PricedLine = {
  readonly currentPrice: Money;
  readonly pricingPolicy: {
    readonly cycleDiscounts: readonly {
      readonly afterCycle: number;
      readonly computedPrice: { readonly amount: string };
    }[];
  } | null;
};

/** Selects the price of a line and its steps. */
export const STEPS_SELECTION =
  'currentPrice { amount currencyCode } pricingPolicy { cycleDiscounts { afterCycle computedPrice { amount } } }';

/** Whether the line has price steps. A current price that equals no step is the merchant's own price, and stays. */
export function hasSteps({ currentPrice, pricingPolicy }: PricedLine): boolean {
  const priceSteps = pricingPolicy?.cycleDiscounts ?? [];
  const currentMinor = toMinor(currentPrice);
  const isCurrent = ({ computedPrice }: (typeof priceSteps)[number]) =>
    toMinor({ ...currentPrice, ...computedPrice }) === currentMinor;
  return priceSteps.some(isCurrent) && !priceSteps.every(isCurrent);
}

/** Returns the line's unit price for the order after `paidOrderCount` paid orders. The line has steps. */
export function stepPrice({ currentPrice, pricingPolicy }: PricedLine, paidOrderCount: number): Money {
  const reachedSteps = (pricingPolicy?.cycleDiscounts ?? [])
    .filter(({ afterCycle }) => afterCycle <= paidOrderCount)
    .toSorted((one, other) => one.afterCycle - other.afterCycle);
  return { ...currentPrice, amount: reachedSteps.at(-1)?.computedPrice.amount ?? currentPrice.amount };
}

/** A line with the price of all its pieces after discounts. */
export type SteppedLine = PricedLine & { readonly quantity: number; readonly lineDiscountedPrice: Money };

/** The content of a contract with the steps of its lines. */
export type SteppedContent = OrderContent & { readonly _svcNextLines: Page<SteppedLine> };

/** The selection that `SteppedContent` describes. */
export const STEPPED_CONTENT_SELECTION = selectOrderContent(`quantity ${STEPS_SELECTION}`);

/**
 * Returns the content with the prices that the service sets before it charges the order.
 * @returns undefined when the prices are not certain: see `applyStepPrices`
 */
export function applyStepsToContent(
  content: SteppedContent,
  counts: OrderCounts | undefined,
): SteppedContent | undefined {
  const { _svcNextLines: page, _svcNextDiscounts: discounts } = content;
  const nodes = applyStepPrices(page.nodes, counts, discounts);
  return nodes && { ...content, _svcNextLines: { ...page, nodes } };
}

/**
 * Returns an order's lines with the prices that the service sets before it charges the order.
 * @returns undefined when the prices are not certain: the step depends on a payment that is open, or a discount on goods
 * applies to the new price
 */
export function applyStepPrices<Line extends SteppedLine>(
  lines: readonly Line[],
  counts: OrderCounts | undefined,
  discounts: OrderContent['_svcNextDiscounts'],
): readonly Line[] | undefined {
  if (counts === undefined) return lines;
  const priceChoices = lines.map((line) => (hasSteps(line) ? listStepPrices(line, counts) : []));
  if (priceChoices.some((choices) => choices.length > 1)) return undefined;
  const pricedLines = lines.map((line, index) => withUnitPrice(line, priceChoices[index]?.[0]));
  const isPriceChanged = pricedLines.some((line, index) => line !== lines[index]);
  return isPriceChanged && mayDiscountGoods(discounts) ? undefined : pricedLines;
}

/** Returns the different prices of the line for the possible counts of orders, in minor units. */
function listStepPrices(line: PricedLine, { min, max }: OrderCounts): bigint[] {
  const stepCounts = (line.pricingPolicy?.cycleDiscounts ?? []).map(({ afterCycle }) => afterCycle);
  const counts = [min, ...stepCounts.filter((count) => count > min && count <= max)];
  return [...new Set(counts.map((count) => toMinor(stepPrice(line, count))))];
}

function withUnitPrice<Line extends SteppedLine>(line: Line, unitMinor: bigint | undefined): Line {
  const { currencyCode } = line.currentPrice;
  if (unitMinor === undefined || unitMinor === toMinor(line.currentPrice)) return line;
  const toMoney = (minorUnits: bigint): Money => ({
    amount: formatMinorUnits(minorUnits, currencyCode),
    currencyCode,
  });
  return {
    ...line,
    currentPrice: toMoney(unitMinor),
    lineDiscountedPrice: toMoney(unitMinor * BigInt(line.quantity)),
  };
}

function mayDiscountGoods({ nodes, pageInfo }: OrderContent['_svcNextDiscounts']): boolean {
  const isOnGoods = (discount: (typeof nodes)[number]) =>
    discount.targetType === 'LINE_ITEM' && discount.rejectionReason === null && hasPaymentsLeft(discount);
  return pageInfo.hasNextPage || nodes.some(isOnGoods);
}

/** Converts an amount to the currency's minor units. */
export function toMinor({ amount, currencyCode }: Money): bigint {
  return toMinorUnits(parseDecimal(amount), currencyCode);
}
