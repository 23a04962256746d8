/**
 * Adjusts manual discounts and the delivery price when a payment will cover another number of deliveries. Both apply to
 * a payment as a whole.
 */
import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';
import { DISCOUNT_FACTS_SELECTION, type DiscountFacts } from '../discount-facts.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import type { Money } from '../order-content.ts';
import { type DeliveryCounts, scaleToDeliveries } from '../selling-plans/plan-price.ts';

/** The selection that `PaymentContract` describes. A contract has at most 100 discounts. */
export const PAYMENT_FIELDS_SELECTION = `deliveryPrice { amount currencyCode } billingAttempts(first: 5, reverse: true) { nodes { completedAt } }
  discounts(first: 100) { nodes { id ${DISCOUNT_FACTS_SELECTION} value {
    ... on SubscriptionDiscountPercentageValue { percentage }
    ... on SubscriptionDiscountFixedAmountValue { appliesOnEachItem amount { amount currencyCode } } } } }`;

export type PaymentContract = {
  readonly deliveryPrice: Money;
  readonly discounts: { readonly nodes: readonly PaymentDiscount[] };
  /** The latest charges. `usageCount` does not include one in progress (`completedAt` is null), so each counts as a use. */
  readonly billingAttempts: { readonly nodes: readonly { readonly completedAt: string | null }[] };
};

export type PaymentDiscount = DiscountFacts & {
  readonly id: string;
  readonly value:
    | { readonly percentage: number }
    | { readonly appliesOnEachItem: boolean; readonly amount: Money };
};

/**
 * Returns the delivery price of later payments as a decimal text.
 * @returns undefined when it stays the same
 */
export function scaleDeliveryPrice(
  { deliveryPrice }: Pick<PaymentContract, 'deliveryPrice'>,
  deliveries: DeliveryCounts,
): string | undefined {
  const priceAfter = scaleToDeliveries(deliveryPrice, deliveries);
  return Number(priceAfter) === Number(deliveryPrice.amount) ? undefined : priceAfter;
}

/**
 * Returns the draft mutations that keep the value of the store's manual discounts. If they stayed the same, 30.00 off a
 * payment for three deliveries would make a payment for one delivery of 10.00 free. If every amount were simply scaled,
 * 8.00 off the next payment would become 48.00 when a payment covers six deliveries. Discounts by code do not change.
 */
export function buildDiscountMutations(
  { discounts, billingAttempts }: Pick<PaymentContract, 'discounts' | 'billingAttempts'>,
  deliveries: DeliveryCounts,
): DraftMutation[] {
  if (deliveries.deliveriesBefore === deliveries.deliveriesAfter) return [];
  const openChargeCount = billingAttempts.nodes.filter(({ completedAt }) => completedAt === null).length;
  return discounts.nodes
    .filter(({ type }) => type === 'MANUAL')
    .flatMap((discount) => {
      const scaledInput =
        discount.recurringCycleLimit === null
          ? scalePermanentDiscount(discount, deliveries)
          : scaleLimitedDiscount(discount, deliveries, {
              paymentLimit: discount.recurringCycleLimit,
              usedPayments: discount.usageCount + openChargeCount,
            });
      if (scaledInput === undefined) return [];
      return [
        {
          ...(scaledInput === 'nothing left'
            ? {
                mutation: 'subscriptionDraftDiscountRemove',
                args: { discountId: ['ID!', discount.id] as const },
              }
            : buildDiscountUpdate(discount, scaledInput)),
          toClientField: () => ['sellingPlanId'],
        } satisfies DraftMutation,
      ];
    });
}

function buildDiscountUpdate({ id, targetType }: PaymentDiscount, input: DiscountUpdateInput) {
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

type DiscountUpdateInput = {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly recurringCycleLimit?: number;
};

/**
 * Returns the input for a discount without a limit of payments. A fixed amount is scaled; a percentage stays.
 * @returns undefined when the discount stays, `nothing left` when it must be removed
 */
function scalePermanentDiscount(
  { value }: PaymentDiscount,
  deliveries: DeliveryCounts,
): DiscountUpdateInput | 'nothing left' | undefined {
  if ('percentage' in value || Number(value.amount.amount) === 0) return undefined;
  const fixedAmount = scaleDiscountAmount(value, deliveries);
  return fixedAmount === undefined ? 'nothing left' : { value: { fixedAmount } };
}

/**
 * Returns the input for a discount with a limit of payments. When payments become smaller, the discount applies to
 * proportionally more of them. When they become larger, it applies to the same number, with a smaller percentage or
 * the same amount. Free delivery cannot be scaled, so it applies to the same number of deliveries, rounded down to
 * whole payments. `usedPayments` includes charges in progress: otherwise a customer who delays the confirmation of a payment
 * could get its discount twice.
 */
function scaleLimitedDiscount(
  { value, targetType }: PaymentDiscount,
  deliveries: DeliveryCounts,
  { paymentLimit, usedPayments }: { readonly paymentLimit: number; readonly usedPayments: number },
): DiscountUpdateInput | 'nothing left' | undefined {
  const { deliveriesBefore, deliveriesAfter } = deliveries;
  const paymentsLeft = paymentLimit - usedPayments;
  if (paymentsLeft <= 0) return undefined;
  const scaledPayments = Math.floor((paymentsLeft * deliveriesBefore) / deliveriesAfter);
  const recurringCycleLimit = usedPayments + scaledPayments;
  if (targetType === 'SHIPPING_LINE') return scaledPayments === 0 ? 'nothing left' : { recurringCycleLimit };
  if (!('percentage' in value)) {
    if (deliveriesAfter > deliveriesBefore) return undefined;
    const fixedAmount = scaleDiscountAmount(value, deliveries);
    return fixedAmount === undefined ? 'nothing left' : { value: { fixedAmount }, recurringCycleLimit };
  }
  if (deliveriesAfter < deliveriesBefore) return { recurringCycleLimit };
  const scaledPercentage = Math.floor((value.percentage * deliveriesBefore) / deliveriesAfter);
  return scaledPercentage === 0 ? 'nothing left' : { value: { percentage: scaledPercentage } };
}

/**
 * Scales the amount to the new number of deliveries. Rounds down, because half a cent more on each of a thousand items
 * would increase the discount.
 * @returns undefined when less than the currency's smallest unit is left
 */
function scaleDiscountAmount(
  {
    amount: { amount, currencyCode },
    appliesOnEachItem,
  }: Exclude<PaymentDiscount['value'], { percentage: number }>,
  { deliveriesBefore, deliveriesAfter }: DeliveryCounts,
) {
  const scaledMinor =
    (toMinorUnits(parseDecimal(amount), currencyCode) * BigInt(deliveriesAfter)) / BigInt(deliveriesBefore);
  return scaledMinor === 0n
    ? undefined
    : { amount: Number(formatMinorUnits(scaledMinor, currencyCode)), appliesOnEachItem };
}
