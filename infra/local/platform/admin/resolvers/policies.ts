/** Anchors of policies, and the two forms of an adjustment's value. */
import type { Anchor } from '../../state/catalogue-records.ts';
import { moneyV2 } from '../money.ts';

type Adjustment = { adjustmentType: string; adjustmentValue: number };

/** A percentage, or money. */
export function adjustmentValue(
  { adjustmentType, adjustmentValue: value }: Adjustment,
  currencyCode: string,
) {
  return adjustmentType === 'PERCENTAGE'
    ? { __typename: 'SellingPlanPricingPolicyPercentageValue', percentage: value }
    : moneyV2(value, currencyCode);
}

export type AnchorInput = {
  type?: Anchor['type'] | null;
  day?: number | null;
  month?: number | null;
  cutoffDay?: number | null;
};

/** Anchors as they are kept; one without type or day is left out. */
export function anchorsOf(inputs: AnchorInput[] | null | undefined): Anchor[] {
  return (inputs ?? []).flatMap(({ type, day, month, cutoffDay }) =>
    type == null || day == null ? [] : [{ type, day, month: month ?? null, cutoffDay: cutoffDay ?? null }],
  );
}
