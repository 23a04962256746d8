/** Concurrent requests of one process do not spend the same points of a store. */
import { expect, test } from '@jest/globals';
import { createStore } from './busy-world.ts';

const REQUESTS = 64;
/** 64 of them exceed the store's bucket. */
const POINTS = 20;

/** A store whose cost and bucket one earlier request has learned. */
async function knownStore() {
  const store = createStore();
  await store.runUntil(store.ask(POINTS));
  await store.runUntil(store.wait(10_000));
  return store;
}

test.each([
  ['merchants', () => undefined],
  ['customers', (at: number) => at],
])('lets the platform reject none of 64 requests that %s send together', async (_who, customerOf) => {
  const store = await knownStore();
  const requests = Array.from({ length: REQUESTS }, (_, at) => store.ask(POINTS, customerOf(at)));
  await store.runUntil(Promise.all(requests));
  expect(store.rejections()).toBe(0);
});

test('counts requests in progress when a response states the points that are left', async () => {
  const store = await knownStore();
  const requests = Array.from({ length: 2 * REQUESTS }, async (_, at) => {
    await store.wait(2 * at);
    return store.ask(POINTS);
  });
  await store.runUntil(Promise.all(requests));
  expect(store.rejections()).toBe(0);
});

test('returns the points of a request that is not sent, and of one whose response is lost', async () => {
  const store = await knownStore();
  store.loseNext(REQUESTS);
  await store.runUntil(Promise.all(Array.from({ length: REQUESTS }, () => store.ask(POINTS).catch(() => 0))));
  await store.runUntil(store.wait(20_000));
  // The whole bucket is there again: requests up to its size do not wait.
  const startedAtMs = store.clock.nowMs;
  await store.runUntil(Promise.all(Array.from({ length: 45 }, () => store.ask(POINTS))));
  expect(store.clock.nowMs - startedAtMs).toBeLessThan(1_000);
});
