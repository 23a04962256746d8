/**
 * Computes prices under a selling plan, in minor units, for one payment of one or more deliveries. Rounds once, half
 * up.
 */
import type { PricingPolicy } from './catalogue-records.ts';
import type { LineRecord } from './contract-records.ts';

type PriceAdjustment = Pick<PricingPolicy, 'adjustmentType' | 'adjustmentValue'>;

/** The precision of percentages: the parts of one percent. */
const PARTS_OF_ONE_PERCENT = 1_000_000;

/**
 * The price of all `deliveries` of one payment after an adjustment: percent off, amount off, or the price itself.
 * `baseMinor` is for one delivery. Throws for a PRICE over several deliveries: the platform does not publish its rule.
 * @internal Tests try kinds and values that no selling plan of the seed has.
 */
export function computeAdjustedPrice(
  baseMinor: number,
  deliveryCount: number,
  { adjustmentType, adjustmentValue }: PriceAdjustment,
): number {
  const orderBaseMinor = baseMinor * deliveryCount;
  if (adjustmentType === 'FIXED_AMOUNT') return Math.max(0, orderBaseMinor - adjustmentValue);
  if (adjustmentType === 'PERCENTAGE') return computePercentOff(orderBaseMinor, adjustmentValue);
  if (deliveryCount > 1)
    throw new Error('What a PRICE policy means for several deliveries is not published.');
  return adjustmentValue;
}

/** Calculates with whole numbers, because floating-point errors could lose half a cent. */
function computePercentOff(baseMinor: number, percent: number): number {
  const remainingParts = BigInt(Math.round((100 - percent) * PARTS_OF_ONE_PERCENT));
  const wholeParts = BigInt(100 * PARTS_OF_ONE_PERCENT);
  return Number((BigInt(baseMinor) * remainingParts * 2n + wholeParts) / (wholeParts * 2n));
}

/** Creates the pricing policy of a line that is bought under a plan. Its base price is for one delivery. */
export function createLinePricing(
  baseMinor: number,
  deliveryCount: number,
  policies: PricingPolicy[],
): NonNullable<LineRecord['pricingPolicy']> {
  return {
    basePriceMinor: baseMinor,
    cycleDiscounts: policies.map((policy) => ({
      adjustmentType: policy.adjustmentType,
      adjustmentValue: policy.adjustmentValue,
      afterCycle: policy.afterCycle ?? 0,
      computedPriceMinor: computeAdjustedPrice(baseMinor, deliveryCount, policy),
    })),
  };
}
