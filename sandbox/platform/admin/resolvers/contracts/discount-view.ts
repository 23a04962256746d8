/** The two forms in which one discount is shown. */
import type { ContractContent, DiscountRecord } from '../../../state/contract-records.ts';

export type DiscountView = { __typename: string; discount: DiscountRecord; content: ContractContent };

/** A discount as contracts show it: always in the manual form, with its type. */
export function toDiscountView(discount: DiscountRecord, content: ContractContent): DiscountView {
  return { __typename: 'SubscriptionManualDiscount', discount, content };
}

/** A discount as drafts show it: one made by a code is a form of its own. */
export function toDraftDiscountView(discount: DiscountRecord, content: ContractContent): DiscountView {
  const __typename =
    discount.redeemCode === null ? 'SubscriptionManualDiscount' : 'SubscriptionAppliedCodeDiscount';
  return { __typename, discount, content };
}
