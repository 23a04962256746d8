/**
 * Discounts and the delivery price apply to a whole payment. They change when a payment covers another number of
 * deliveries.
 */
import { formatMinorUnits, minorUnits, parseDecimal } from '../../domain/money.ts';
import { DISCOUNT_FACTS, type DiscountFacts } from '../discount-facts.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import { perPayment } from '../selling-plans/plan-price.ts';

type Money = { readonly amount: string; readonly currencyCode: string };

/** The selection below a contract, which has at most 100 discounts. */
export const PAYMENT_FIELDS = `deliveryPrice { amount currencyCode } billingAttempts(first: 5, reverse: true) { nodes { completedAt } }
  discounts(first: 100) { nodes { id ${DISCOUNT_FACTS} value {
    ... on SubscriptionDiscountPercentageValue { percentage }
    ... on SubscriptionDiscountFixedAmountValue { appliesOnEachItem amount { amount currencyCode } } } } }`;

export type PaymentContract = {
  readonly deliveryPrice: Money;
  readonly discounts: { readonly nodes: readonly Discount[] };
  /** The latest charges. A charge that has not completed may be using the discounts. */
  readonly billingAttempts: { readonly nodes: readonly { readonly completedAt: string | null }[] };
};

export type Discount = DiscountFacts & {
  readonly id: string;
  readonly value:
    | { readonly percentage: number }
    | { readonly appliesOnEachItem: boolean; readonly amount: Money };
};

type Deliveries = { readonly before: number; readonly after: number };

/**
 * Returns the delivery price of future payments.
 * @returns undefined when it stays
 */
export function deliveryPriceFor(
  { deliveryPrice }: Pick<PaymentContract, 'deliveryPrice'>,
  deliveries: Deliveries,
): string | undefined {
  const after = perPayment(deliveryPrice, deliveries);
  return Number(after) === Number(deliveryPrice.amount) ? undefined : after;
}

/**
 * Returns the mutations that preserve the value of the store's manual discounts. Unchanged, 30.00 off a payment for
 * three deliveries would make each delivery of 10.00 free, and 8.00 off one payment would become 48.00 off a payment
 * of six. A code's discount is not changed.
 */
export function discountChanges(
  { discounts, billingAttempts }: Pick<PaymentContract, 'discounts' | 'billingAttempts'>,
  deliveries: Deliveries,
): DraftMutation[] {
  if (deliveries.before === deliveries.after) return [];
  const openCharges = billingAttempts.nodes.filter(({ completedAt }) => completedAt === null).length;
  return discounts.nodes
    .filter(({ type }) => type === 'MANUAL')
    .flatMap((discount) => {
      const input =
        discount.recurringCycleLimit === null
          ? ofEveryPayment(discount, deliveries)
          : ofSomePayments(discount, deliveries, {
              limit: discount.recurringCycleLimit,
              used: discount.usageCount + openCharges,
            });
      if (input === undefined) return [];
      return [
        {
          ...(input === 'nothing left'
            ? {
                mutation: 'subscriptionDraftDiscountRemove',
                args: { discountId: ['ID!', discount.id] as const },
              }
            : updateOf(discount, input)),
          blame: () => ['sellingPlanId'],
        } satisfies DraftMutation,
      ];
    });
}

function updateOf({ id, targetType }: Discount, input: DiscountInput) {
  const discountId = ['ID!', id] as const;
  return targetType === 'SHIPPING_LINE'
    ? {
        mutation: 'subscriptionDraftFreeShippingDiscountUpdate',
        args: { discountId, input: ['SubscriptionFreeShippingDiscountInput!', input] as const },
      }
    : {
        mutation: 'subscriptionDraftDiscountUpdate',
        args: { discountId, input: ['SubscriptionManualDiscountInput!', input] as const },
      };
}

type DiscountInput = {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly recurringCycleLimit?: number;
};

/** A fixed amount is scaled to the payment's deliveries; a percentage needs no change. */
function ofEveryPayment(
  { value }: Discount,
  deliveries: Deliveries,
): DiscountInput | 'nothing left' | undefined {
  if ('percentage' in value || Number(value.amount.amount) === 0) return undefined;
  const fixedAmount = scaled(value, deliveries);
  return fixedAmount === undefined ? 'nothing left' : { value: { fixedAmount } };
}

/**
 * Smaller payments: the discount applies to proportionally more payments. Larger payments: it applies to the same
 * number, and none gets a larger reduction than before. Free delivery has no value to scale, so it applies to the
 * same number of deliveries, or fewer if they do not fill a payment. `used` includes charges in progress: otherwise a
 * customer who delays the confirmation of a payment could get its discount twice.
 */
function ofSomePayments(
  { value, targetType }: Discount,
  deliveries: Deliveries,
  { limit, used }: { readonly limit: number; readonly used: number },
): DiscountInput | 'nothing left' | undefined {
  const { before, after } = deliveries;
  const left = limit - used;
  if (left <= 0) return undefined;
  const payments = Math.floor((left * before) / after);
  const recurringCycleLimit = used + payments;
  if (targetType === 'SHIPPING_LINE') return payments === 0 ? 'nothing left' : { recurringCycleLimit };
  if (!('percentage' in value)) {
    if (after > before) return undefined;
    const fixedAmount = scaled(value, deliveries);
    return fixedAmount === undefined ? 'nothing left' : { value: { fixedAmount }, recurringCycleLimit };
  }
  if (after < before) return { recurringCycleLimit };
  const percentage = Math.floor((value.percentage * before) / after);
  return percentage === 0 ? 'nothing left' : { value: { percentage } };
}

/**
 * Scales the amount to the new number of deliveries, rounded down: rounding up by half a cent for each of a thousand
 * items would increase the discount.
 * @returns undefined when less than the currency's smallest unit is left
 */
function scaled(
  { amount: { amount, currencyCode }, appliesOnEachItem }: Exclude<Discount['value'], { percentage: number }>,
  { before, after }: Deliveries,
) {
  const minor = (minorUnits(parseDecimal(amount), currencyCode) * BigInt(after)) / BigInt(before);
  return minor === 0n
    ? undefined
    : { amount: Number(formatMinorUnits(minor, currencyCode)), appliesOnEachItem };
}
