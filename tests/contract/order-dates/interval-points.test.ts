/** What a new interval costs, and how long a customer waits after the most expensive one. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { countDocumentPoints } from '../../../graphql/run/count-document-points.ts';
import { MAX_POINTS_PER_QUERY } from '../../../lib/platform/admin-api/query-points.ts';
import { RESCHEDULING_KINDS } from '../../../sandbox/platform/state/billing-cycles.ts';
import { createPostponementWorld, FIRST, ID, postpone } from '../postponement/postponement-world.ts';

const skip = (index: number) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}) { userErrors { code } } }`;
const resume = (date: string) =>
  `mutation { subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "${date}") { userErrors { code } } }`;
const weekly = (more = '') =>
  `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: WEEK, intervalCount: 1 } ${more}) { userErrors { code } } }`;
const DOCS = readFileSync('docs/operations.md', 'utf8');
const POSTPONED = postpone(FIRST, '2027-01-09');
const SKIPS = [6, 8, 10, 12, 14].map(skip);

async function changeInterval(
  rescheduling: (typeof RESCHEDULING_KINDS)[number],
  before: readonly string[],
  query: string,
) {
  const world = createPostponementWorld();
  Object.assign(world.platform.store(), { rescheduling });
  for (const one of before) expect((await world.send('store', one)).payload.userErrors).toEqual([]);
  // All points are there again.
  world.later(120_000);
  const { documents, payload } = await world.send('customer', query);
  expect(payload.userErrors).toEqual([]);
  const points = documents.map((document) => countDocumentPoints(document, {}));
  expect(Math.max(...points)).toBeLessThanOrEqual(MAX_POINTS_PER_QUERY);
  return { world, points: points.reduce((sum, one) => sum + one, 0) };
}

test.each([
  ['of a subscription without skips and moves', 350, [], weekly()],
  ['of a postponed order', 600, [POSTPONED], weekly()],
  ['of an order that was chosen seven weeks ahead', 600, [resume('2027-01-10T10:00:00Z')], weekly()],
  ['of an order that was chosen eleven months ahead', 840, [resume('2027-10-20T10:00:00Z')], weekly()],
])(
  'a new interval %s costs a customer at most the %i points of docs/operations.md',
  async (_case, maximum, before, query) => {
    for (const rescheduling of RESCHEDULING_KINDS)
      expect((await changeInterval(rescheduling, before, query)).points).toBeLessThanOrEqual(maximum);
    expect(DOCS.includes(`up to ${maximum}`)).toBe(true);
  },
);

test('a new interval that costs more than a customer’s share is made, and the next request waits as long as it says', async () => {
  const before = [...SKIPS, postpone(FIRST, '2026-12-16')];
  const query = weekly(', nextBillingDate: "2027-10-20T10:00:00Z"');
  const { world, points } = await changeInterval('FROM_CURRENT_CYCLE', before, query);
  expect(points).toBe(1025);
  expect(DOCS.includes('1,025')).toBe(true);
  const { code, retryAfterSeconds = 0 } = await world.send('customer', POSTPONED);
  expect([code, retryAfterSeconds <= 30]).toEqual(['THROTTLED', true]);
  world.later(retryAfterSeconds * 1000);
  expect((await world.send('customer', POSTPONED)).code).toBeUndefined();
});
