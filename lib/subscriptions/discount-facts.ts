/** Decides whether a discount of a contract is in force, for goods or delivery, and for how many payments. */

/** The selection below a discount. */
export const DISCOUNT_FACTS = 'type targetType recurringCycleLimit usageCount rejectionReason';

export type DiscountFacts = {
  /** The platform's DiscountType: MANUAL, CODE_DISCOUNT or AUTOMATIC_DISCOUNT. */
  readonly type: string;
  /** The platform's DiscountTargetType: LINE_ITEM or SHIPPING_LINE. */
  readonly targetType: string;
  /** The number of payments that it applies to; null: all. */
  readonly recurringCycleLimit: number | null;
  /** The number of payments that have used it. */
  readonly usageCount: number;
  readonly rejectionReason: string | null;
};

/** Whether a discount applies to later payments: to all of them, or to some that are left. */
export function hasPaymentsLeft({
  recurringCycleLimit,
  usageCount,
}: Pick<DiscountFacts, 'recurringCycleLimit' | 'usageCount'>): boolean {
  return recurringCycleLimit === null || usageCount < recurringCycleLimit;
}

/** Whether a discount is in force for goods, not for delivery. */
export function isOnGoods(discount: DiscountFacts): boolean {
  return (
    discount.targetType === 'LINE_ITEM' && discount.rejectionReason === null && hasPaymentsLeft(discount)
  );
}

/** Whether a code made the discount. All others are the merchant's own. */
export function isOfCode({ type }: Pick<DiscountFacts, 'type'>): boolean {
  return type === 'CODE_DISCOUNT';
}

/** Whether a manual discount makes delivery free in later payments. */
export function isDeliveryGiven(discounts: readonly DiscountFacts[]): boolean {
  return discounts.some(
    (discount) =>
      discount.type === 'MANUAL' && discount.targetType === 'SHIPPING_LINE' && hasPaymentsLeft(discount),
  );
}
