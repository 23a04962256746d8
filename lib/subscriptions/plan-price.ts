/**
 * What a variant costs under a selling plan: the catalogue's price after the plan's pricing policies, as they stand
 * at a contract's current cycle, so that a discount of the first orders is not won again by swapping a line.
 */
import { type Decimal, formatMinorUnits, minorUnits, parseDecimal } from '../domain/money.ts';

const ADJUSTMENT =
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
  /** The variant's price without a plan, in the shop's currency, for example `14.00`. */
  readonly cataloguePrice: string;
  readonly policies: readonly PlanPricingPolicy[];
  /** Index of the contract's current cycle, the one that is billed next; the first cycle is 1. */
  readonly cycleIndex: number;
  /** The shop's, which has to be the contract's too. */
  readonly currencyCode: string;
};

/** The platform's `SellingPlanPricingPolicyAdjustmentType` as far as prices can be told for it. */
export type AdjustmentType = 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';

/** One step of a line's pricing policy, in the shape of the platform's SubscriptionPricingPolicyCycleDiscountsInput. */
export type CycleDiscount = {
  readonly adjustmentType: AdjustmentType;
  readonly adjustmentValue: { readonly percentage: number } | { readonly fixedValue: string };
  readonly afterCycle: number;
  readonly computedPrice: string;
};

/** Amounts as decimals, for example `12.6`. */
export type PlanPrice = {
  /** The price of one at the current cycle. */
  readonly currentPrice: string;
  /** The catalogue's, in the currency's digits. */
  readonly basePrice: string;
  /** Every step of the plan, also those that are over or still to come; ascending, one for each `afterCycle`. */
  readonly cycleDiscounts: readonly CycleDiscount[];
};

/**
 * The price of one under a plan's policies. Each step starts from the catalogue's price, is rounded half up to the
 * currency's smallest unit and is never below zero; the last step whose orders have been counted applies.
 * Undefined: a policy of a kind that is not known here, so that no price can be told.
 */
export function planPrice(request: PlanPriceRequest): PlanPrice | undefined {
  const { cataloguePrice, policies, cycleIndex, currencyCode } = request;
  const base = parseDecimal(cataloguePrice);
  const steps = new Map<number, CycleDiscount>();
  for (const policy of policies) {
    const afterCycle = policy.afterCycle ?? 0;
    const step = toStep(policy, { base, currencyCode });
    if (step === undefined) return undefined;
    steps.set(afterCycle, { ...step, afterCycle });
  }
  const cycleDiscounts = [...steps.values()].sort((one, other) => one.afterCycle - other.afterCycle);
  const basePrice = formatMinorUnits(minorUnits(base, currencyCode), currencyCode);
  const current = cycleDiscounts.findLast(({ afterCycle }) => afterCycle < Math.max(cycleIndex, 1));
  return { currentPrice: current?.computedPrice ?? basePrice, basePrice, cycleDiscounts };
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
