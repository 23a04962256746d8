/** Decides whether a discount of a contract applies to goods or delivery, and for how many payments. */

/** The selection that `DiscountFacts` describes. */
export const DISCOUNT_FACTS_SELECTION = 'type targetType recurringCycleLimit usageCount rejectionReason';

export type DiscountFacts = {
  /** The platform's DiscountType: MANUAL, CODE_DISCOUNT or AUTOMATIC_DISCOUNT. */
  readonly type: string;
  /** The platform's DiscountTargetType: LINE_ITEM or SHIPPING_LINE. */
  readonly targetType: string;
  /** For how many payments the discount applies. Null means all. */
  readonly recurringCycleLimit: number | null;
  /** How many payments have used the discount. */
  readonly usageCount: number;
  readonly rejectionReason: string | null;
};

/** Whether the discount applies to later payments. */
export function hasPaymentsLeft({
  recurringCycleLimit,
  usageCount,
}: Pick<DiscountFacts, 'recurringCycleLimit' | 'usageCount'>): boolean {
  return recurringCycleLimit === null || usageCount < recurringCycleLimit;
}

/** Whether the discount applies to goods in later payments. The platform has not rejected it. */
export function appliesToGoods(discount: DiscountFacts): boolean {
  return (
    discount.targetType === 'LINE_ITEM' && discount.rejectionReason === null && hasPaymentsLeft(discount)
  );
}

/** Whether the discount comes from a code. The merchant created all others. */
export function isCodeDiscount({ type }: Pick<DiscountFacts, 'type'>): boolean {
  return type === 'CODE_DISCOUNT';
}

/** Whether a manual discount makes delivery free in later payments. */
export function isDeliveryDiscountedToZero(discounts: readonly DiscountFacts[]): boolean {
  return discounts.some(
    (discount) =>
      discount.type === 'MANUAL' && discount.targetType === 'SHIPPING_LINE' && hasPaymentsLeft(discount),
  );
}
