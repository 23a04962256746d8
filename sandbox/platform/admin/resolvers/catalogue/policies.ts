/** Parses the anchors of policies, and converts the value of a price adjustment. */
import type { BillingAnchor, IntervalUnit } from '../../../state/catalogue-records.ts';
import { toMoneyV2 } from '../../money.ts';

type PriceAdjustment = { adjustmentType: string; adjustmentValue: number };

/** Returns the value of an adjustment, as a percentage or as money. */
export function toAdjustmentValue(
  { adjustmentType, adjustmentValue: valueInput }: PriceAdjustment,
  currencyCode: string,
) {
  return adjustmentType === 'PERCENTAGE'
    ? { __typename: 'SellingPlanPricingPolicyPercentageValue', percentage: valueInput }
    : toMoneyV2(valueInput, currencyCode);
}

export type AnchorInput = {
  type?: BillingAnchor['type'] | null;
  day?: number | null;
  month?: number | null;
  cutoffDay?: number | null;
};

/** Parses anchors. Omits an anchor without type or day. */
export function parseAnchors(inputs: AnchorInput[] | null | undefined): BillingAnchor[] {
  return (inputs ?? []).flatMap(({ type, day, month, cutoffDay }) =>
    type == null || day == null ? [] : [{ type, day, month: month ?? null, cutoffDay: cutoffDay ?? null }],
  );
}

const ANCHOR_TYPE_BY_INTERVAL = { DAY: null, WEEK: 'WEEKDAY', MONTH: 'MONTHDAY', YEAR: 'YEARDAY' } as const;

/** Whether the anchors match the interval: none for days, else weekdays, days of a month, or days of a year. */
export function doAnchorsFitInterval(interval: IntervalUnit, anchors: AnchorInput[]): boolean {
  return anchors.every(({ type }) => type === ANCHOR_TYPE_BY_INTERVAL[interval]);
}

const LAST_DAY_BY_ANCHOR_TYPE = { WEEKDAY: 7, MONTHDAY: 31, YEARDAY: 31 } as const;

/** Whether the days exist: Monday is 1; a day of the year has a month, and no cutoff day. */
export function doAnchorDaysExist(anchors: AnchorInput[]): boolean {
  return anchors.every(({ type, day, month, cutoffDay }) => {
    if (type == null || day == null) return true;
    const isValidDay = (value: number) => value >= 1 && value <= LAST_DAY_BY_ANCHOR_TYPE[type];
    const hasValidMonth = type === 'YEARDAY' ? month != null && month >= 1 && month <= 12 : month == null;
    const hasValidCutoff = cutoffDay == null || (type !== 'YEARDAY' && isValidDay(cutoffDay));
    return isValidDay(day) && hasValidMonth && hasValidCutoff;
  });
}
