/**
 * Calculates a line's price with a selling plan, for one payment. It uses the step of the plan's pricing policies for
 * the contract's next order, so that changing a line does not restart a discount of the first orders. All changes use
 * this function.
 */
import { type Decimal, formatMinorUnits, minorUnits, parseDecimal } from '../../domain/money.ts';

/** The selection of a policy's reduction. */
export const ADJUSTMENT =
  'adjustmentType adjustmentValue { ... on MoneyV2 { amount } ... on SellingPlanPricingPolicyPercentageValue { percentage } }';
/** The selection of `PlanPricingPolicy` below a selling plan. */
export const PRICING_POLICIES = `pricingPolicies {
  ... on SellingPlanFixedPricingPolicy { ${ADJUSTMENT} }
  ... on SellingPlanRecurringPricingPolicy { ${ADJUSTMENT} afterCycle }
}`;

/** A fixed or recurring pricing policy, in the form of the platform's response. */
export type PlanPricingPolicy = {
  /** PERCENTAGE (off), FIXED_AMOUNT (off) or PRICE (replaces the price). */
  readonly adjustmentType: string;
  /** A percentage, 0 to 100, or an amount in the shop's currency (`2.50`). */
  readonly adjustmentValue: { readonly percentage?: number; readonly amount?: string };
  /** Orders before the policy applies. Absent in a fixed policy, which applies from the first order on. */
  readonly afterCycle?: number | null;
};

export type PlanPriceRequest = {
  /**
   * The price of one delivery without a plan, for example `14.00`: the line's own, or the catalogue's for an added
   * variant.
   */
  readonly basePrice: string;
  readonly policies: readonly PlanPricingPolicy[];
  /** The contract's past orders: the price is for the next one. */
  readonly ordersMade: number;
  readonly deliveriesPerPayment: number;
  /** The contract's currency. The policies' amounts are in the shop's currency, which must be the same. */
  readonly currencyCode: string;
};

/** The values of the platform's `SellingPlanPricingPolicyAdjustmentType` for which prices can be calculated. */
type AdjustmentType = 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';

/**
 * One step of a line's pricing policy, in the form of the platform's SubscriptionPricingPolicyCycleDiscountsInput.
 */
type CycleDiscount = {
  readonly adjustmentType: AdjustmentType;
  readonly adjustmentValue: { readonly percentage: number } | { readonly fixedValue: string };
  readonly afterCycle: number;
  readonly computedPrice: string;
};

/** Amounts as decimals, for example `12.6`. */
export type PlanPrice = {
  /** The price of one item, for all deliveries of the next payment. */
  readonly currentPrice: string;
  /** The price of one delivery without a plan, with the currency's decimals. */
  readonly basePrice: string;
  /** All steps of the plan, including past and future ones; ascending, one for each `afterCycle`. */
  readonly cycleDiscounts: readonly CycleDiscount[];
};

/**
 * Calculates the price of one item with a plan's policies. Each step starts from the base price of all deliveries, is
 * rounded half up to the currency's smallest unit and is never below zero. The last step that has started applies.
 * @returns undefined when no price can be calculated: a policy has an unknown type; a PRICE covers several
 * deliveries, whose meaning the platform does not document; or an amount off is at least the price, so that the
 * deliveries would be free
 */
export function planPrice(request: PlanPriceRequest): PlanPrice | undefined {
  const { policies, ordersMade, deliveriesPerPayment, currencyCode } = request;
  const base = parseDecimal(request.basePrice);
  const whole = { units: base.units * BigInt(deliveriesPerPayment), digits: base.digits };
  const steps = new Map<number, CycleDiscount>();
  if (!isPublished(policies, deliveriesPerPayment)) return undefined;
  for (const policy of policies) {
    const afterCycle = policy.afterCycle ?? 0;
    const step = toStep(policy, { base: whole, currencyCode });
    if (step === undefined) return undefined;
    steps.set(afterCycle, { ...step, afterCycle });
  }
  const cycleDiscounts = [...steps.values()].sort((one, other) => one.afterCycle - other.afterCycle);
  const current = cycleDiscounts.findLast(({ afterCycle }) => afterCycle <= ordersMade);
  const undiscounted = minorUnits(whole, currencyCode);
  const currentPrice = current?.computedPrice ?? formatMinorUnits(undiscounted, currencyCode);
  const isGift = current?.adjustmentType === 'FIXED_AMOUNT' && Number(currentPrice) === 0;
  if (isGift && undiscounted > 0n) return undefined;
  const basePrice = formatMinorUnits(minorUnits(base, currencyCode), currencyCode);
  return { currentPrice, basePrice, cycleDiscounts };
}

/** Whether the platform documents the meaning of the policies: not for a PRICE of several deliveries. */
export function isPublished(policies: readonly PlanPricingPolicy[], deliveriesPerPayment: number): boolean {
  return deliveriesPerPayment === 1 || policies.every(({ adjustmentType }) => adjustmentType !== 'PRICE');
}

type Deliveries = { readonly before: number; readonly after: number };

/**
 * Scales an amount to a payment with another number of deliveries; the amount for each delivery stays. Rounded half
 * up once; an amount above zero stays above zero.
 */
export function perPayment(
  { amount, currencyCode }: { readonly amount: string; readonly currencyCode: string },
  { before, after }: Deliveries,
): string {
  const minor = minorUnits(parseDecimal(amount), currencyCode);
  const scaled = (2n * minor * BigInt(after) + BigInt(before)) / (2n * BigInt(before));
  return formatMinorUnits(scaled === 0n && minor > 0n ? 1n : scaled, currencyCode);
}

type Priced = { readonly base: Decimal; readonly currencyCode: string };

function toStep(
  { adjustmentType, adjustmentValue }: PlanPricingPolicy,
  { base, currencyCode }: Priced,
): Omit<CycleDiscount, 'afterCycle'> | undefined {
  const { percentage, amount } = adjustmentValue;
  const priced = (minor: bigint) => ({
    computedPrice: formatMinorUnits(minor > 0n ? minor : 0n, currencyCode),
  });
  if (adjustmentType === 'PERCENTAGE' && percentage !== undefined) {
    return {
      adjustmentType,
      adjustmentValue: { percentage },
      ...priced(percentOff(percentage, base, currencyCode)),
    };
  }
  if (amount === undefined) return undefined;
  const value = minorUnits(parseDecimal(amount), currencyCode);
  const adjusted = { adjustmentValue: { fixedValue: formatMinorUnits(value, currencyCode) } };
  if (adjustmentType === 'PRICE') return { adjustmentType, ...adjusted, ...priced(value) };
  if (adjustmentType !== 'FIXED_AMOUNT') return undefined;
  return { adjustmentType, ...adjusted, ...priced(minorUnits(base, currencyCode) - value) };
}

/** A percentage is a float in the response; digits beyond these are floating-point noise. */
const PERCENT_DIGITS = 10;

function percentOff(percentage: number, base: Decimal, currencyCode: string): bigint {
  const left = 100n * 10n ** BigInt(PERCENT_DIGITS) - parseDecimal(percentage.toFixed(PERCENT_DIGITS)).units;
  if (left <= 0n) return 0n;
  return minorUnits({ units: base.units * left, digits: base.digits + PERCENT_DIGITS + 2 }, currencyCode);
}
