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
