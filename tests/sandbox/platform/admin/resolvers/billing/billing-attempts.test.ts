/** The list of a store's billing attempts, and its filters. */
import { expect, test } from '@jest/globals';
import { UNPUBLISHED_BEHAVIOURS } from '../../../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { newPlatform } from '../../harness.ts';

test.each(UNPUBLISHED_BEHAVIOURS.completedAtFilter)(
  'filters by `completed_at` where it is %s',
  async (way) => {
    const platform = newPlatform();
    platform.store().unpublished.completedAtFilter = way;
    const count = async (query: string) =>
      (await platform.data(`{ subscriptionBillingAttempts(first: 250, query: "${query}") { nodes { id } } }`))
        .subscriptionBillingAttempts.nodes.length;
    const all = await count('');
    expect(all).toBeGreaterThan(0);
    expect(await count("completed_at:<'2001-01-01T00:00:00Z'")).toBe(way === 'known' ? 0 : all);
    expect(await count("created_at:<'2001-01-01T00:00:00Z'")).toBe(0);
  },
);

test.each([
  ['>=', (createdAt: string, since: string) => createdAt >= since],
  ['>', (createdAt: string, since: string) => createdAt > since],
])('pages through the attempts that were created since an instant: %s', async (operator, isSince) => {
  const platform = newPlatform();
  type Page = { nodes: { createdAt: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  const pageOf = async (query: string, first: number, after: string | null): Promise<Page> => {
    const document = `query($query: String!, $after: String) { subscriptionBillingAttempts(first: ${first}, after: $after, query: $query,
      sortKey: CREATED_AT) { nodes { createdAt } pageInfo { hasNextPage endCursor } } }`;
    return (await platform.data(document, { query, after })).subscriptionBillingAttempts;
  };
  const all = (await pageOf('', 250, null)).nodes.map(({ createdAt }) => createdAt);
  const since = all[Math.floor(all.length / 2)] ?? '';
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page: Page = await pageOf(`created_at:${operator}'${since}'`, 3, after);
    found.push(...page.nodes.map(({ createdAt }) => createdAt));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  expect(found.length).toBeGreaterThan(3);
  expect(found).toEqual(all.filter((createdAt) => isSince(createdAt, since)));
});
