/** Anchors of policies, and the two forms of an adjustment's value. */
import type { Anchor, Interval } from '../../../state/catalogue-records.ts';
import { moneyV2 } from '../../money.ts';

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

const anchorTypes = { DAY: null, WEEK: 'WEEKDAY', MONTH: 'MONTHDAY', YEAR: 'YEARDAY' } as const;

/** Whether an interval can have such anchors: none by the day, else weekdays, days of a month or of a year. */
export function anchorsFit(interval: Interval, anchors: AnchorInput[]): boolean {
  return anchors.every(({ type }) => type === anchorTypes[interval]);
}

const lastDays = { WEEKDAY: 7, MONTHDAY: 31, YEARDAY: 31 } as const;

/** Whether the days exist: Monday is 1; a day of the year has a month, and no cutoff day. */
export function anchorDaysExist(anchors: AnchorInput[]): boolean {
  return anchors.every(({ type, day, month, cutoffDay }) => {
    if (type == null || day == null) return true;
    const within = (value: number) => value >= 1 && value <= lastDays[type];
    const rightMonth = type === 'YEARDAY' ? month != null && month >= 1 && month <= 12 : month == null;
    const rightCutoff = cutoffDay == null || (type !== 'YEARDAY' && within(cutoffDay));
    return within(day) && rightMonth && rightCutoff;
  });
}
