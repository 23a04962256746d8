/** What a stream of names leaves of what is kept. */
import { expect, test } from '@jest/globals';
import { createBoundedCache } from '../../../lib/platform/bounded-cache.ts';
import { createRecentlyUsed } from '../../../lib/platform/recently-used.ts';

test('what is in use stays, however many others are asked for', async () => {
  const cache = createBoundedCache<string>({
    now: () => 0,
    freshMs: 1000,
    staleMs: 2000,
    reloadMs: 0,
    maxEntries: 3,
  });
  let loads = 0;
  const ours = () =>
    cache.get('ours', async () => {
      loads += 1;
      return 'ours';
    });
  for (let other = 0; other < 20; other++) {
    await ours();
    await cache.get(`other ${other}`, async () => 'other');
  }
  expect(loads).toBe(1);
});

test('a bound takes no memory before it is reached', () => {
  const few = createRecentlyUsed<string, number>(1e12);
  few.set('one', 1);
  expect(few.get('one')).toBe(1);
});
