/**
 * What a line costs under a selling plan, for one payment: as the plan's pricing policies stand for the contract's next
 * order, so that a discount of the first orders is not won again by changing a line. One function for all that changes.
 */
import { type Decimal, formatMinorUnits, minorUnits, parseDecimal } from '../../domain/money.ts';

/** The selection of what a policy takes off. */
export const ADJUSTMENT =
  'adjustmentType adjustmentValue { ... on MoneyV2 { amount } ... on SellingPlanPricingPolicyPercentageValue { percentage } }';
/** The selection that brings a selling plan's policies in the shape of `PlanPricingPolicy`. */
export const PRICING_POLICIES = `pricingPolicies {
  ... on SellingPlanFixedPricingPolicy { ${ADJUSTMENT} }
  ... on SellingPlanRecurringPricingPolicy { ${ADJUSTMENT} afterCycle }
}`;

/** A fixed or a recurring pricing policy, as the platform answers it. */
export type PlanPricingPolicy = {
  /** PERCENTAGE (off), FIXED_AMOUNT (off) or PRICE (instead). */
  readonly adjustmentType: string;
  /** A percentage, 0 to 100, or an amount in the shop's currency (`2.50`). */
  readonly adjustmentValue: { readonly percentage?: number; readonly amount?: string };
  /** Orders before it applies. A fixed policy has none: it applies from the first order on. */
  readonly afterCycle?: number | null;
};

export type PlanPriceRequest = {
  /**
   * The price of one delivery without a plan, for example `14.00`: the line's own, or for a variant that comes in the
   * catalogue's.
   */
  readonly basePrice: string;
  readonly policies: readonly PlanPricingPolicy[];
  /** Orders that the contract has had: the price is that of the next one. */
  readonly ordersMade: number;
  readonly deliveriesPerPayment: number;
  /** The contract's. Amounts of the policies are in the shop's, which has to be the same. */
  readonly currencyCode: string;
};

/** The platform's `SellingPlanPricingPolicyAdjustmentType` as far as prices can be told for it. */
type AdjustmentType = 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';

/** One step of a line's pricing policy, in the shape of the platform's SubscriptionPricingPolicyCycleDiscountsInput. */
type CycleDiscount = {
  readonly adjustmentType: AdjustmentType;
  readonly adjustmentValue: { readonly percentage: number } | { readonly fixedValue: string };
  readonly afterCycle: number;
  readonly computedPrice: string;
};

/** Amounts as decimals, for example `12.6`. */
export type PlanPrice = {
  /** The price of one piece, for all deliveries of the next payment. */
  readonly currentPrice: string;
  /** The price of one delivery without a plan, in the currency's digits. */
  readonly basePrice: string;
  /** Every step of the plan, also those that are over or still to come; ascending, one for each `afterCycle`. */
  readonly cycleDiscounts: readonly CycleDiscount[];
};

/**
 * The price of one under a plan's policies. Each step starts from the base price of all deliveries, is rounded half up
 * to the currency's smallest unit and is never below zero; the last step that has begun applies. Undefined: no price
 * can be told, for a policy of a kind that is not known here, a PRICE for several deliveries, whose meaning the
 * platform does not publish, or an amount off that is no less than the price, which would give the deliveries away.
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

/** Whether the platform says what the policies mean: not for a PRICE of several deliveries. */
export function isPublished(policies: readonly PlanPricingPolicy[], deliveriesPerPayment: number): boolean {
  return deliveriesPerPayment === 1 || policies.every(({ adjustmentType }) => adjustmentType !== 'PRICE');
}

type Deliveries = { readonly before: number; readonly after: number };

/**
 * An amount for one payment, where each pays for another number of deliveries than before: the same for one delivery.
 * Rounded half up once; what is not free does not become free.
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

/** A percentage is a float on the wire; what lies beyond these digits is the float's own noise. */
const PERCENT_DIGITS = 10;

function percentOff(percentage: number, base: Decimal, currencyCode: string): bigint {
  const left = 100n * 10n ** BigInt(PERCENT_DIGITS) - parseDecimal(percentage.toFixed(PERCENT_DIGITS)).units;
  if (left <= 0n) return 0n;
  return minorUnits({ units: base.units * left, digits: base.digits + PERCENT_DIGITS + 2 }, currencyCode);
}
