import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { forEachStore } from '../../../lib/storage/for-each-store.ts';

const items = [1, 2, 3].map((number) => ({ shopId: number as ShopId }));

test('work that fails ends only after all that was begun beside it: Lambda answers then', async () => {
  const ended: number[] = [];
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
  const run = forEachStore(items, async (shopId) => {
    if (Number(shopId) === 1) throw new Error('the table does not answer');
    await later;
    ended.push(Number(shopId));
  });
  let isOver = false;
  const over = run.catch((error: Error) => {
    isOver = true;
    return error.message;
  });
  for (let turns = 0; turns < 20; turns++) await Promise.resolve();
  expect(isOver).toBe(false);
  goOn();
  expect(await over).toBe('the table does not answer');
  expect(ended).toEqual([2, 3]);
});

/** Files whose awaited work sends no request. */
const SENDS_NOTHING = ['functions/admin-graphql/graphiql/load-graphiql-page.ts'];

/** Files with requests that may be lost: the next request repeats them, or the lease expires. */
const LEFT_BEHIND = ['lib/storage/work-queue/process-work-queue.ts'];

/** Files whose loop continues until all its requests have ended. */
const ENDS_ALL = ['lib/webhooks/deliver/deliver-to-endpoint.ts'];

test('nowhere does a failure leave requests under way', () => {
  const sources = globSync('{lib,graphql,functions}/**/*.ts');
  expect(sources.length).toBeGreaterThan(300);
  const careless = sources.filter((file) => /\bPromise\.(all|race|any)\(/.test(readFileSync(file, 'utf8')));
  expect(careless.sort()).toEqual([...SENDS_NOTHING, ...LEFT_BEHIND, ...ENDS_ALL].sort());
});
