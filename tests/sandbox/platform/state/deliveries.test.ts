import { describe, expect, test } from '@jest/globals';
import type { IntervalUnit } from '../../../../sandbox/platform/state/catalogue-records.ts';
import {
  countDeliveriesPerPayment,
  listCheckoutDeliveryDates,
  listDeliveryDates,
} from '../../../../sandbox/platform/state/deliveries.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';

type Frequency = readonly [intervalCount: number, interval: IntervalUnit];

const monday = { type: 'WEEKDAY' as const, day: 1 };
const lastDay = { type: 'MONTHDAY' as const, day: 31 };

function policy([intervalCount, interval]: Frequency, anchor?: typeof monday | typeof lastDay) {
  const anchors = anchor === undefined ? [] : [{ month: null, cutoffDay: null, ...anchor }];
  return { interval, intervalCount, anchors };
}

const days = (dates: number[]) => dates.map((ms) => formatIsoInstant(ms).slice(0, 10));
const at = (day: string) => Date.parse(`${day}T06:00:00Z`);

test.each<[Frequency, Frequency, number | null]>([
  [[3, 'MONTH'], [1, 'MONTH'], 3],
  [[1, 'YEAR'], [3, 'MONTH'], 4],
  [[2, 'WEEK'], [7, 'DAY'], 2],
  [[1, 'WEEK'], [1, 'WEEK'], 1],
  [[1, 'WEEK'], [2, 'WEEK'], null],
  [[3, 'WEEK'], [2, 'WEEK'], null],
  [[1, 'MONTH'], [1, 'WEEK'], null],
])(
  'returns the deliveries of a payment that is paid every %j and delivered every %j: %s',
  (billing, delivery, count) => {
    expect(
      countDeliveriesPerPayment({ billingPolicy: policy(billing), deliveryPolicy: policy(delivery) }),
    ).toBe(count);
  },
);

describe('the deliveries of a payment', () => {
  test('follows the origin time at the delivery interval, through short months', () => {
    expect(days(listDeliveryDates(policy([1, 'MONTH']), at('2027-01-31'), 3))).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ]);
  });

  test('are on the anchored days from that day on, which may be one', () => {
    const dates = (day: string) => days(listDeliveryDates(policy([2, 'WEEK'], monday), at(day), 2));
    expect(dates('2026-03-09')).toEqual(['2026-03-09', '2026-03-23']);
    expect(dates('2026-03-10')).toEqual(['2026-03-16', '2026-03-30']);
    expect(days(listDeliveryDates(policy([1, 'MONTH'], lastDay), at('2027-02-28'), 3))).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
    ]);
  });
});

describe("the first deliveries of a checkout, on a Friday for Mondays' plan", () => {
  test.each([
    ['ASAP', null, ['2026-03-06', '2026-03-09', '2026-03-16']],
    ['NEXT', null, ['2026-03-09', '2026-03-16', '2026-03-23']],
    ['NEXT', 3, ['2026-03-09', '2026-03-16', '2026-03-23']],
    ['NEXT', 4, ['2026-03-16', '2026-03-23', '2026-03-30']],
  ])(
    'starts deliveries with %s and a cutoff of %s days on the days %j',
    (preAnchorBehavior, cutoff, expected) => {
      const plan = { ...policy([1, 'WEEK'], monday), preAnchorBehavior, cutoff };
      expect(days(listCheckoutDeliveryDates(plan, at('2026-03-06'), 3))).toEqual(expected);
    },
  );

  test('without anchors go out at once', () => {
    const plan = { ...policy([1, 'WEEK']), preAnchorBehavior: 'NEXT', cutoff: 9 };
    expect(days(listCheckoutDeliveryDates(plan, at('2026-03-06'), 2))).toEqual(['2026-03-06', '2026-03-13']);
  });
});
