import { expect, test } from '@jest/globals';
import { decideHold } from '../../../../lib/billing/run/decide-hold.ts';

test.each([
  ['PREVIEW_MISSING', { foundCount: 1 }],
  [undefined, { foundCount: 300, expectedCount: 200 }],
  ['MORE_THAN_EXPECTED', { foundCount: 301, expectedCount: 200 }],
  [undefined, { foundCount: 99, expectedCount: 0 }],
  ['MORE_THAN_EXPECTED', { foundCount: 100, expectedCount: 0 }],
])('returns %s for %j', (holdReason, counts) => {
  expect(decideHold(counts, undefined)).toBe(holdReason);
});

test('holds the run once after ten refusals in a row', () => {
  const decide = (earlierRefusalCount: number, before: number) =>
    decideHold({ foundCount: 1, expectedCount: 1, earlierRefusalCount }, { earlierRefusalCount: before });
  expect([decide(9, 0), decide(10, 9), decide(11, 10)]).toEqual([
    ...[undefined, 'MERCHANT_ACCOUNT_REFUSES', undefined],
  ]);
});
