/** The discounts of a contract, as the operations on them compare them. */
import { parseGid } from '../../domain/gid.ts';
import type { ContractFacts } from '../contract-facts.ts';

/** Selects below a discount what decides whether it is in force, and for goods or delivery. */
export const DISCOUNT_FACTS = 'type targetType recurringCycleLimit usageCount rejectionReason';

export type DiscountFacts = {
  /** The platform's DiscountType: MANUAL, CODE_DISCOUNT or AUTOMATIC_DISCOUNT. */
  readonly type: string;
  /** The platform's DiscountTargetType: LINE_ITEM or SHIPPING_LINE. */
  readonly targetType: string;
  /** The number of payments that it is for; null: all. */
  readonly recurringCycleLimit: number | null;
  /** The number of payments that it was used for. */
  readonly usageCount: number;
  readonly rejectionReason: string | null;
};

/** The selection below a contract. One holds at most 100 discounts. */
export const DISCOUNTS = `discounts(first: 250) { nodes { id title ${DISCOUNT_FACTS} } }`;

export type ContractDiscount = DiscountFacts & { readonly id: string; readonly title: string | null };

export type DiscountedState = {
  readonly contract: ContractFacts & { readonly discounts: { readonly nodes: readonly ContractDiscount[] } };
};

/** The discount of that id. A code's has another type in drafts than in contracts; the tail is the same. */
export function discountById({ contract }: DiscountedState, id: string): ContractDiscount | undefined {
  const tail = parseGid(id)?.tail;
  return contract.discounts.nodes.find((discount) => parseGid(discount.id)?.tail === tail);
}

/** The discount that a code made and that counts. Codes are compared as the platform does, without case. */
export function discountByCode({ contract }: DiscountedState, code: string): ContractDiscount | undefined {
  const wanted = code.trim().toUpperCase();
  return contract.discounts.nodes.find(
    ({ type, title, rejectionReason }) =>
      type === 'CODE_DISCOUNT' && title?.toUpperCase() === wanted && rejectionReason === null,
  );
}

type Limited = Pick<DiscountFacts, 'recurringCycleLimit' | 'usageCount'>;

/** Whether a discount is for payments to come: for all of them, or for some that are left. */
export function hasPaymentsLeft({ recurringCycleLimit, usageCount }: Limited): boolean {
  return recurringCycleLimit === null || usageCount < recurringCycleLimit;
}

/** Whether every discount on goods that is in force was made by a code. */
export function hasOnlyCodes(discounts: readonly DiscountFacts[]): boolean {
  return !discounts.some((discount) => isOnGoods(discount) && discount.type !== 'CODE_DISCOUNT');
}

/** Whether a discount is in force for goods, not for delivery. */
export function isOnGoods({ targetType, rejectionReason, ...limited }: DiscountFacts): boolean {
  return targetType === 'LINE_ITEM' && rejectionReason === null && hasPaymentsLeft(limited);
}

/** Whether the store gives delivery for free by hand, in payments to come. */
export function isDeliveryGiven(discounts: readonly DiscountFacts[]): boolean {
  return discounts.some(
    (discount) =>
      discount.type === 'MANUAL' && discount.targetType === 'SHIPPING_LINE' && hasPaymentsLeft(discount),
  );
}
