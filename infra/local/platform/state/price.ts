/** Prices under a plan, in minor units, rounded half up. */
import type { PricingPolicy } from './catalogue-records.ts';
import type { ContractRecord, LineRecord } from './contract-records.ts';

type Adjustment = Pick<PricingPolicy, 'adjustmentType' | 'adjustmentValue'>;

/** A price after one adjustment: percent off, amount off, or the price itself. */
export function adjustedPrice(baseMinor: number, { adjustmentType, adjustmentValue }: Adjustment): number {
  if (adjustmentType === 'PRICE') return adjustmentValue;
  if (adjustmentType === 'FIXED_AMOUNT') return Math.max(0, baseMinor - adjustmentValue);
  return Math.round((baseMinor * (100 - adjustmentValue)) / 100);
}

/** The pricing policy that a line gets when bought under a plan. */
export function linePricing(
  baseMinor: number,
  policies: PricingPolicy[],
): NonNullable<LineRecord['pricingPolicy']> {
  return {
    basePriceMinor: baseMinor,
    cycleDiscounts: policies.map((policy) => ({
      adjustmentType: policy.adjustmentType,
      adjustmentValue: policy.adjustmentValue,
      afterCycle: policy.afterCycle ?? 0,
      computedPriceMinor: adjustedPrice(baseMinor, policy),
    })),
  };
}

/** After a charge: lines whose plan has a step after that many orders take that step's price. */
export function advancePrices({ content, billedCycles }: ContractRecord): void {
  for (const line of content.lines) {
    const step = line.pricingPolicy?.cycleDiscounts.find(
      ({ afterCycle }) => afterCycle === billedCycles.length,
    );
    if (step !== undefined && step.afterCycle > 0) line.currentPriceMinor = step.computedPriceMinor;
  }
}
