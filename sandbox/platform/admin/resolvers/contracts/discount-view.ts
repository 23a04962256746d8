/** The type name (`__typename`) of a discount: contracts return all discounts as manual ones, drafts distinguish codes. */
import type { ContractContent, DiscountRecord } from '../../../state/contract-records.ts';

export type DiscountView = { __typename: string; discount: DiscountRecord; content: ContractContent };

/** Returns a contract's discount, always as SubscriptionManualDiscount. */
export function toDiscountView(discount: DiscountRecord, content: ContractContent): DiscountView {
  return { __typename: 'SubscriptionManualDiscount', discount, content };
}

/** Returns a draft's discount, as SubscriptionAppliedCodeDiscount if the customer entered a code. */
export function toDraftDiscountView(discount: DiscountRecord, content: ContractContent): DiscountView {
  const __typename =
    discount.redeemCode === null ? 'SubscriptionManualDiscount' : 'SubscriptionAppliedCodeDiscount';
  return { __typename, discount, content };
}
