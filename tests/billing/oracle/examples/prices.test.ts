/** The price at which an order is charged: hand-worked examples. */
import { describe, expect, test } from '@jest/globals';
import type { ContractEvent, Line } from '../description.ts';
import { stepPrice } from '../prices.ts';
import { at, type Given, showExample } from './examples.ts';

/** 20 percent off the first three orders, then 10. Each order costs 4.00 for delivery. */
const stepped: Line = {
  ...{ quantity: 1, currentPriceMinor: 800 },
  steps: [
    { afterCycle: 0, priceMinor: 800 },
    { afterCycle: 3, priceMinor: 900 },
  ],
};
const created = { createdMs: at('2026-12-05T08:20Z') };
const weekly = {
  createdMs: at('2026-12-29T08:20Z'),
  policy: { interval: 'WEEK', intervalCount: 1, anchors: [] } as const,
};
const until = '2027-01-27T00:00Z';
const skip = (index: number, instant: string): ContractEvent => ({ kind: 'skip', index, atMs: at(instant) });

const EXAMPLES: readonly (readonly [string, Given, readonly string[]])[] = [
  [
    'sets the price of the next step at the order after as many orders as it names',
    { contract: { ...weekly, lines: [stepped] }, until },
    [
      '1 CHARGED 12.00: 01-05 10:00 PAYS',
      '2 CHARGED 12.00: 01-12 10:00 PAYS',
      '3 CHARGED 13.00: 01-19 10:00 PAYS',
      '4 CHARGED 13.00: 01-26 10:00 PAYS',
    ],
  ],
  [
    'does not count a skipped order for the step',
    { contract: { ...weekly, lines: [stepped] }, until, events: [skip(2, '2027-01-06T00:00Z')] },
    [
      '1 CHARGED 12.00: 01-05 10:00 PAYS',
      '2 NONE SKIPPED_ORDER',
      '3 CHARGED 12.00: 01-19 10:00 PAYS',
      '4 CHARGED 13.00: 01-26 10:00 PAYS',
    ],
  ],
  [
    'counts no checkout order for a contract that an app has imported',
    { contract: { ...weekly, lines: [stepped], hasCheckoutOrder: false, billedCount: 0 }, until },
    [
      '1 CHARGED 12.00: 01-05 10:00 PAYS',
      '2 CHARGED 12.00: 01-12 10:00 PAYS',
      '3 CHARGED 12.00: 01-19 10:00 PAYS',
      '4 CHARGED 13.00: 01-26 10:00 PAYS',
    ],
  ],
  [
    'leaves a price of the merchant’s own',
    {
      ...{ contract: { ...weekly, lines: [stepped] }, until: '2027-01-20T00:00Z' },
      events: [{ kind: 'price', atMs: at('2027-01-06T00:00Z'), priceMinor: 500 }],
    },
    [
      '1 CHARGED 12.00: 01-05 10:00 PAYS',
      '2 CHARGED 9.00: 01-12 10:00 PAYS',
      '3 CHARGED 9.00: 01-19 10:00 PAYS',
    ],
  ],
  [
    'charges an edited order at its own total',
    { events: [{ kind: 'edit', atMs: at('2027-01-02T00:00Z'), index: 1, totalMinor: 3333 }] },
    ['1 CHARGED 33.33: 01-05 10:00 PAYS'],
  ],
  [
    'charges the lower price that stands when the platform refuses the next one',
    { contract: { ...created, lines: [stepped], billedCount: 0, refusesPrice: true }, until },
    ['1 CHARGED 12.00: 01-05 10:00 PAYS'],
  ],
  [
    'reports an order when the platform refuses a price that is lower',
    {
      contract: {
        ...{ ...created, refusesPrice: true },
        lines: [
          {
            ...stepped,
            steps: [
              { afterCycle: 0, priceMinor: 800 },
              { afterCycle: 1, priceMinor: 700 },
            ],
          },
        ],
      },
    },
    ['1 REPORTED PRICE_REFUSED'],
  ],
];

test.each(EXAMPLES)('%s', (_sentence, given, expected) => {
  expect(showExample(given)).toEqual(expected);
});

describe('the price of a line', () => {
  test('stays when all steps have one price', () => {
    expect(stepPrice({ ...stepped, steps: [{ afterCycle: 0, priceMinor: 800 }] }, 9)).toBe(800);
  });

  test('goes back when the service missed no order but the merchant set a later step', () => {
    expect(stepPrice({ ...stepped, currentPriceMinor: 900 }, 2)).toBe(800);
  });

  test('stays before the first step', () => {
    const steps = [
      { afterCycle: 2, priceMinor: 800 },
      { afterCycle: 3, priceMinor: 900 },
    ];
    expect(stepPrice({ ...stepped, steps }, 1)).toBe(800);
  });
});
