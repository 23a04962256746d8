/** The selling plan groups of the two stores: pay for each delivery, prepaid, anchored, and for a price. */
import type { GroupSeed, PriceSeed } from './seed-plans.ts';

const TEN_THEN_FIFTEEN_PERCENT: PriceSeed[] = [
  ['PERCENTAGE', 10],
  ['PERCENTAGE', 15, 6],
];

function createSubscribeAndSaveGroup(id: number, productIds: number[]): GroupSeed {
  const plans: GroupSeed['plans'] = [
    { name: 'Every week', billing: ['WEEK', 1], prices: TEN_THEN_FIFTEEN_PERCENT },
    { name: 'Every 2 weeks', billing: ['WEEK', 2], prices: TEN_THEN_FIFTEEN_PERCENT },
    { name: 'Every month', billing: ['MONTH', 1], prices: TEN_THEN_FIFTEEN_PERCENT },
  ];
  return { id, name: 'Subscribe and save', productIds, plans };
}

export const HARBOR_GROUPS: readonly GroupSeed[] = [
  createSubscribeAndSaveGroup(8301001, [8101001, 8101002, 8101003, 8101005]),
  {
    id: 8301002,
    name: 'Prepaid decaf',
    productIds: [8101002],
    plans: [
      {
        name: 'Monthly, paid every 3 months',
        billing: ['MONTH', 3],
        delivery: ['MONTH', 1],
        prices: TEN_THEN_FIFTEEN_PERCENT,
      },
    ],
  },
];

export const JUNIPER_GROUPS: readonly GroupSeed[] = [
  createSubscribeAndSaveGroup(8302001, [8202001, 8202002]),
  {
    id: 8302002,
    name: 'Tasting, paid ahead or not',
    productIds: [8202003],
    plans: [
      { name: 'Every month', billing: ['MONTH', 1], prices: [['PERCENTAGE', 5]] },
      { name: 'Every 3 months', billing: ['MONTH', 3], prices: [['FIXED_AMOUNT', 100]] },
      {
        name: 'Every month, 3 paid at once',
        billing: ['MONTH', 3],
        delivery: ['MONTH', 1],
        prices: [
          ['PERCENTAGE', 20],
          ['PERCENTAGE', 10, 3],
        ],
      },
      {
        name: 'Every month, 6 paid at once',
        billing: ['MONTH', 6],
        delivery: ['MONTH', 1],
        prices: [['PERCENTAGE', 25]],
      },
      {
        name: 'Every 2 weeks, 3 paid at once',
        billing: ['WEEK', 6],
        delivery: ['WEEK', 2],
        prices: [['FIXED_AMOUNT', 500]],
      },
      { name: 'Every 6 months', billing: ['MONTH', 6], prices: [] },
    ],
  },
  {
    id: 8302003,
    name: 'On a set day',
    productIds: [8202004],
    plans: [
      {
        name: 'Every 2 weeks on Monday',
        billing: ['WEEK', 2],
        anchors: [{ type: 'WEEKDAY', day: 1, cutoffDay: 5 }],
        prices: TEN_THEN_FIFTEEN_PERCENT,
        cutoff: 2,
        preAnchorBehavior: 'NEXT',
      },
      {
        name: 'Every month on the 31st',
        billing: ['MONTH', 1],
        anchors: [{ type: 'MONTHDAY', day: 31 }],
        prices: TEN_THEN_FIFTEEN_PERCENT,
      },
      {
        name: 'Every year on Christmas Eve',
        billing: ['YEAR', 1],
        anchors: [{ type: 'YEARDAY', day: 24, month: 12 }],
        prices: TEN_THEN_FIFTEEN_PERCENT,
      },
      {
        name: 'Every month on the 1st, 3 paid at once',
        billing: ['MONTH', 3],
        delivery: ['MONTH', 1],
        anchors: [{ type: 'MONTHDAY', day: 1 }],
        prices: [['PERCENTAGE', 20]],
      },
    ],
  },
  {
    id: 8302004,
    name: 'For a price',
    productIds: [8202004],
    plans: [{ name: 'Every month for 9.00', billing: ['MONTH', 1], prices: [['PRICE', 900]] }],
  },
];
