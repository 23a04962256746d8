/**
 * Computes a line's price for one payment with a selling plan. Uses the price step of the plan that applies to the
 * contract's next order, so that changing a line does not restart a discount for the first orders. All changes of lines
 * use this function.
 */
import { type Decimal, formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';

/** The selection of how a pricing policy changes the price. */
export const ADJUSTMENT_SELECTION =
  'adjustmentType adjustmentValue { ... on MoneyV2 { amount } ... on SellingPlanPricingPolicyPercentageValue { percentage } }';
/** The selection of a selling plan's pricing policies, as `PlanPricingPolicy` describes them. */
export const PRICING_POLICIES_SELECTION = `pricingPolicies {
  ... on SellingPlanFixedPricingPolicy { ${ADJUSTMENT_SELECTION} }
  ... on SellingPlanRecurringPricingPolicy { ${ADJUSTMENT_SELECTION} afterCycle }
}`;

/** A fixed or recurring pricing policy as the platform returns it. */
export type PlanPricingPolicy = {
  /** PERCENTAGE and FIXED_AMOUNT reduce the price; PRICE replaces it. */
  readonly adjustmentType: string;
  /** A percentage from 0 to 100, or a decimal amount in the shop's currency, for example `2.50`. */
  readonly adjustmentValue: { readonly percentage?: number; readonly amount?: string };
  /**
   * The number of orders after which the policy applies. Absent in a fixed policy, which applies from the first order
   * on.
   */
  readonly afterCycle?: number | null;
};

export type PlanPriceRequest = {
  /**
   * The price of one delivery without a plan, for example `14.00`: the line's base price, or the variant's price for an
   * added line.
   */
  readonly basePrice: string;
  readonly policies: readonly PlanPricingPolicy[];
  /** How many orders of the contract are paid. The price is computed for the order after them. */
  readonly paidOrderCount: number;
  readonly deliveriesPerPayment: number;
  /** The contract's currency. It must be the shop's currency, in which the amounts of the policies are. */
  readonly currencyCode: string;
};

/** The values of the platform's enum SellingPlanPricingPolicyAdjustmentType for which a price can be computed. */
type AdjustmentType = 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';

/** One price step of a line, in the shape of the platform's input type SubscriptionPricingPolicyCycleDiscountsInput. */
type CycleDiscount = {
  readonly adjustmentType: AdjustmentType;
  readonly adjustmentValue: { readonly percentage: number } | { readonly fixedValue: string };
  readonly afterCycle: number;
  readonly computedPrice: string;
};

/** The computed price. Amounts are decimal texts, for example `12.6`. */
export type PlanPrice = {
  /** The price of one piece, for all deliveries that the next payment covers. */
  readonly currentPrice: string;
  /** The price of one delivery without a plan, rounded to the currency's smallest unit. */
  readonly basePrice: string;
  /** All price steps of the plan, past and future ones, sorted by `afterCycle`, one for each value of it. */
  readonly cycleDiscounts: readonly CycleDiscount[];
};

/**
 * Computes the price of one piece with a plan's pricing policies. Each step starts from the base price of all
 * deliveries of a payment, is rounded half up to the currency's smallest unit, and is never below zero. The last step
 * that has started applies.
 * @returns undefined when no price can be computed: a policy has an unknown type, a PRICE would cover several
 * deliveries (the platform does not document what it means then), or a fixed amount off would make the deliveries free
 */
export function computePlanPrice(request: PlanPriceRequest): PlanPrice | undefined {
  const { policies, paidOrderCount, deliveriesPerPayment, currencyCode } = request;
  const baseDecimal = parseDecimal(request.basePrice);
  const basePerPayment = {
    units: baseDecimal.units * BigInt(deliveriesPerPayment),
    digits: baseDecimal.digits,
  };
  const discountByCycle = new Map<number, CycleDiscount>();
  if (!isPriceDefinedByPlatform(policies, deliveriesPerPayment)) return undefined;
  for (const policy of policies) {
    const afterCycle = policy.afterCycle ?? 0;
    const step = toPriceStep(policy, { basePerPayment, currencyCode });
    if (step === undefined) return undefined;
    discountByCycle.set(afterCycle, { ...step, afterCycle });
  }
  const cycleDiscounts = [...discountByCycle.values()].sort(
    (one, other) => one.afterCycle - other.afterCycle,
  );
  const currentDiscount = cycleDiscounts.findLast(({ afterCycle }) => afterCycle <= paidOrderCount);
  const undiscountedMinor = toMinorUnits(basePerPayment, currencyCode);
  const currentPrice = currentDiscount?.computedPrice ?? formatMinorUnits(undiscountedMinor, currencyCode);
  const isSetToZero = currentDiscount?.adjustmentType === 'FIXED_AMOUNT' && Number(currentPrice) === 0;
  if (isSetToZero && undiscountedMinor > 0n) return undefined;
  const basePrice = formatMinorUnits(toMinorUnits(baseDecimal, currencyCode), currencyCode);
  return { currentPrice, basePrice, cycleDiscounts };
}

/**
 * Whether the platform documents what the policies mean. It does not for a PRICE when a payment covers several
 * deliveries.
 */
export function isPriceDefinedByPlatform(
  policies: readonly PlanPricingPolicy[],
  deliveriesPerPayment: number,
): boolean {
  return deliveriesPerPayment === 1 || policies.every(({ adjustmentType }) => adjustmentType !== 'PRICE');
}

/** How many deliveries a payment covers before and after a change. */
export type DeliveryCounts = { readonly deliveriesBefore: number; readonly deliveriesAfter: number };

/**
 * Scales an amount to another number of deliveries per payment, so that the amount per delivery stays the same. Rounds
 * half up. An amount above zero stays above zero.
 */
export function scaleToDeliveries(
  { amount, currencyCode }: { readonly amount: string; readonly currencyCode: string },
  { deliveriesBefore, deliveriesAfter }: DeliveryCounts,
): string {
  const minor = toMinorUnits(parseDecimal(amount), currencyCode);
  const scaledMinor =
    (2n * minor * BigInt(deliveriesAfter) + BigInt(deliveriesBefore)) / (2n * BigInt(deliveriesBefore));
  return formatMinorUnits(scaledMinor === 0n && minor > 0n ? 1n : scaledMinor, currencyCode);
}

type PaymentBasePrice = { readonly basePerPayment: Decimal; readonly currencyCode: string };

function toPriceStep(
  { adjustmentType, adjustmentValue }: PlanPricingPolicy,
  { basePerPayment, currencyCode }: PaymentBasePrice,
): Omit<CycleDiscount, 'afterCycle'> | undefined {
  const { percentage, amount } = adjustmentValue;
  const toComputedPrice = (minor: bigint) => ({
    computedPrice: formatMinorUnits(minor > 0n ? minor : 0n, currencyCode),
  });
  if (adjustmentType === 'PERCENTAGE' && percentage !== undefined) {
    return {
      adjustmentType,
      adjustmentValue: { percentage },
      ...toComputedPrice(subtractPercentage(percentage, basePerPayment, currencyCode)),
    };
  }
  if (amount === undefined) return undefined;
  const amountMinor = toMinorUnits(parseDecimal(amount), currencyCode);
  const adjustedValue = { adjustmentValue: { fixedValue: formatMinorUnits(amountMinor, currencyCode) } };
  if (adjustmentType === 'PRICE')
    return { adjustmentType, ...adjustedValue, ...toComputedPrice(amountMinor) };
  if (adjustmentType !== 'FIXED_AMOUNT') return undefined;
  return {
    adjustmentType,
    ...adjustedValue,
    ...toComputedPrice(toMinorUnits(basePerPayment, currencyCode) - amountMinor),
  };
}

/**
 * The decimal places of a percentage that are used. The platform returns it as a float, and later digits are rounding
 * errors.
 */
const PERCENT_DIGITS = 10;

function subtractPercentage(percentage: number, base: Decimal, currencyCode: string): bigint {
  const remainingUnits =
    100n * 10n ** BigInt(PERCENT_DIGITS) - parseDecimal(percentage.toFixed(PERCENT_DIGITS)).units;
  if (remainingUnits <= 0n) return 0n;
  return toMinorUnits(
    { units: base.units * remainingUnits, digits: base.digits + PERCENT_DIGITS + 2 },
    currencyCode,
  );
}
