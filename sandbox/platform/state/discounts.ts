/** The amounts of a contract's discounts on its lines and its delivery, in minor units. */
import type { ContractContent, DiscountRecord, LineRecord } from './contract-records.ts';

/** Returns the discount's amount for one line's whole quantity, or 0 when it does not apply or was rejected. */
export function computeLineDiscountMinor(
  content: ContractContent,
  discount: DiscountRecord,
  line: LineRecord,
): number {
  if (!isDiscountApplicable(discount) || discount.targetType !== 'LINE_ITEM') return 0;
  const entitledLines = content.lines.filter(
    (each) => discount.lineIds === null || discount.lineIds.includes(each.id),
  );
  if (!entitledLines.some((each) => each.id === line.id)) return 0;
  const lineTotalMinor = line.currentPriceMinor * line.quantity;
  if ('percentage' in discount.value) return Math.round((lineTotalMinor * discount.value.percentage) / 100);
  const { amountMinor, appliesOnEachItem } = discount.value;
  if (appliesOnEachItem) return Math.min(lineTotalMinor, amountMinor * line.quantity);
  const entitledMinor = entitledLines.reduce((sum, each) => sum + each.currentPriceMinor * each.quantity, 0);
  return entitledMinor === 0
    ? 0
    : Math.min(lineTotalMinor, Math.round((amountMinor * lineTotalMinor) / entitledMinor));
}

/** Returns the amount of all discounts on a line, at most its price. */
export function sumLineDiscounts(content: ContractContent, line: LineRecord): number {
  const sum = content.discounts.reduce(
    (total, discount) => total + computeLineDiscountMinor(content, discount, line),
    0,
  );
  return Math.min(sum, line.currentPriceMinor * line.quantity);
}

/** Returns the price of delivery after free-shipping discounts. */
export function computeDiscountedDeliveryPrice(content: ContractContent): number {
  const isDeliveryFree = content.discounts.some(
    (discount) => discount.targetType === 'SHIPPING_LINE' && isDiscountApplicable(discount),
  );
  return isDeliveryFree ? 0 : content.deliveryPriceMinor;
}

/** Returns whether a discount applies: it is neither rejected nor used up. */
function isDiscountApplicable({ rejectionReason, recurringCycleLimit, usageCount }: DiscountRecord): boolean {
  return rejectionReason === null && (recurringCycleLimit === null || usageCount < recurringCycleLimit);
}
