/** What is for a whole payment beside its lines, where payments get another number of deliveries. */
import type { DraftChange } from './draft-spec.ts';
import { perPayment } from './plan-price.ts';

type Money = { readonly amount: string; readonly currencyCode: string };

/** The selection below a contract. A contract has at most 100 discounts. */
export const PAYMENT_FIELDS = `deliveryPrice { amount currencyCode } discounts(first: 100) { nodes { id type
  value { ... on SubscriptionDiscountFixedAmountValue { appliesOnEachItem amount { amount currencyCode } } } } }`;

export type PaymentContract = {
  readonly deliveryPrice: Money;
  readonly discounts: { readonly nodes: readonly Discount[] };
};

type Discount = {
  readonly id: string;
  readonly type: string;
  /** Of a percentage both are missing. */
  readonly value: { readonly appliesOnEachItem?: boolean; readonly amount?: Money };
};

type Deliveries = { readonly before: number; readonly after: number };

/** The delivery price for the payments to come; undefined: it stays. */
export function deliveryPriceFor(
  { deliveryPrice }: Pick<PaymentContract, 'deliveryPrice'>,
  deliveries: Deliveries,
): string | undefined {
  const after = perPayment(deliveryPrice, deliveries);
  return Number(after) === Number(deliveryPrice.amount) ? undefined : after;
}

/**
 * A fixed amount that the store takes off each payment is that of its deliveries: else 30.00 off a payment for three
 * would make each delivery of 10.00 free. What a code takes off is the code's own.
 */
export function discountChanges(
  { discounts }: Pick<PaymentContract, 'discounts'>,
  deliveries: Deliveries,
): DraftChange[] {
  if (deliveries.before === deliveries.after) return [];
  return discounts.nodes.flatMap(({ id, type, value: { amount, appliesOnEachItem = false } }) => {
    if (type !== 'MANUAL' || amount === undefined || Number(amount.amount) === 0) return [];
    const fixedAmount = { amount: Number(perPayment(amount, deliveries)), appliesOnEachItem };
    return [
      {
        mutation: 'subscriptionDraftDiscountUpdate',
        args: {
          discountId: ['ID!', id],
          input: ['SubscriptionManualDiscountInput!', { value: { fixedAmount } }],
        },
        blame: () => ['sellingPlanId'],
      } satisfies DraftChange,
    ];
  });
}
