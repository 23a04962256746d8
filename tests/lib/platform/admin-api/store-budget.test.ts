import { expect, test } from '@jest/globals';
import { awaitAll } from '../../../../lib/domain/await-all.ts';
import type { PlatformCost } from '../../../../lib/platform/admin-api/admin-response.ts';
import {
  createSendWithinBudget,
  createStoreBudget,
} from '../../../../lib/platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';

const MAXIMUM = 2000;
const RATE = 100;

/** Creates a store's bucket at the platform, and a clock that advances when a task waits. */
function createBucket() {
  const bucket = { nowMs: 0, available: MAXIMUM, lowest: MAXIMUM, waitedMs: 0 };
  const now = () => bucket.nowMs;
  const wait = async (ms: number) => {
    bucket.nowMs += ms;
    bucket.waitedMs += ms;
    bucket.available = Math.min(MAXIMUM, bucket.available + (ms / 1000) * RATE);
  };
  const take = (points: number): PlatformCost => {
    bucket.available -= points;
    bucket.lowest = Math.min(bucket.lowest, bucket.available);
    const throttleStatus = {
      maximumAvailable: MAXIMUM,
      currentlyAvailable: bucket.available,
      restoreRate: RATE,
    };
    return { requestedQueryCost: points, actualQueryCost: points, throttleStatus };
  };
  return { bucket, now, wait, take };
}

const operation = {
  store: { shopId: 1 } as StoreRecord,
  document: '{ shop { id } }',
  variables: {},
  mutates: false,
};

test('half of the bucket is left to clients, however much there is to do', async () => {
  const { bucket, now, wait, take } = createBucket();
  const send = async () => ({ data: {}, errors: [], cost: take(90) });
  const sendWithinBudget = createSendWithinBudget({ send, now, wait });
  for (let index = 0; index < 50; index++) {
    await sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  }
  expect(bucket.lowest).toBeGreaterThanOrEqual(MAXIMUM / 2);
  expect(bucket.lowest).toBeLessThan(MAXIMUM / 2 + 2 * 90);
  // 4,500 points, of which 1,000 were there.
  expect(bucket.waitedMs / 1000).toBeCloseTo(35, -1);
});

test('half of the bucket is left to clients, however many requests are under way at once', async () => {
  const { bucket, now, wait: pass, take } = createBucket();
  const waiting: { atMs: number; go: () => void }[] = [];
  const wait = (ms: number) =>
    new Promise<void>((go) => {
      waiting.push({ atMs: now() + ms, go });
    });
  const send = async () => ({ data: {}, errors: [], cost: take(90) });
  const sendWithinBudget = createSendWithinBudget({ send, now, wait });
  const ask = () => sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  await ask();
  const all = awaitAll(Array.from({ length: 40 }, ask));
  for (;;) {
    await new Promise(setImmediate);
    const next = waiting.sort((one, other) => one.atMs - other.atMs).shift();
    if (next === undefined) break;
    await pass(Math.max(0, next.atMs - now()));
    next.go();
  }
  await all;
  expect(bucket.lowest).toBeGreaterThanOrEqual(MAXIMUM / 2);
});

test('what clients take meanwhile is seen, and waited for', async () => {
  const { bucket, now, wait, take } = createBucket();
  const send = async () => ({ data: {}, errors: [], cost: take(10) });
  const sendWithinBudget = createSendWithinBudget({ send, now, wait });
  await sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  take(1500);
  await sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  expect(bucket.waitedMs).toBe(0);
  await sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  expect(bucket.waitedMs).toBe(5300);
});

test('what would have to wait beyond the end of the run is refused, and not sent', async () => {
  const { now, wait, take } = createBucket();
  let sent = 0;
  const send = async () => {
    sent++;
    return { data: {}, errors: [], cost: take(1800) };
  };
  const sendWithinBudget = createSendWithinBudget({ send, now, wait });
  await sendWithinBudget({ ...operation, costKey: 'large', endAtMs: 10_000 });
  const refused = sendWithinBudget({ ...operation, costKey: 'large', endAtMs: 10_000 });
  await expect(refused).rejects.toMatchObject({ code: 'THROTTLED', retryAfterSeconds: 18 });
  expect(sent).toBe(1);
});

test('a large request looks again after it has waited, for clients may have spent that', async () => {
  const { bucket, now, wait, take } = createBucket();
  const sent: string[] = [];
  const send = async ({ costKey }: { costKey: string }) => {
    sent.push(costKey);
    return { data: {}, errors: [], cost: take(costKey === 'large' ? 400 : 1) };
  };
  let hasSpent = false;
  /** Clients use all points that are restored in the first wait. */
  const waitAmongClients = async (ms: number) => {
    await wait(ms);
    if (!hasSpent) take((ms / 1000) * RATE);
    hasSpent = true;
  };
  const sendWithinBudget = createSendWithinBudget({ send, now, wait: waitAmongClients });
  take(900);
  const large = { ...operation, costKey: 'large', expectedCost: 400 };
  await sendWithinBudget({ ...large, endAtMs: Infinity });
  expect(sent).toEqual(['store budget', 'store budget', 'store budget', 'large']);
  expect(bucket.available).toBeGreaterThanOrEqual(MAXIMUM / 2);
});

test("another store's budget is its own", async () => {
  const { bucket, now, wait, take } = createBucket();
  const other = createBucket();
  const send = async ({ store, costKey }: { store: StoreRecord; costKey: string }) => {
    const points = costKey === 'state' ? 900 : 1;
    return { data: {}, errors: [], cost: store.shopId === 2 ? other.take(points) : take(points) };
  };
  const sendWithinBudget = createSendWithinBudget({ send, now, wait });
  await sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  const store = { shopId: 2 } as StoreRecord;
  await sendWithinBudget({ ...operation, store, costKey: 'state', endAtMs: Infinity });
  expect(bucket.waitedMs).toBe(0);
  await sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  expect(bucket.waitedMs).toBeGreaterThan(0);
});

test('spends reserved points without waiting, and leaves half of the bucket to clients', async () => {
  const { bucket, now, wait, take } = createBucket();
  const send = async ({ costKey }: { costKey: string }) => ({
    ...{ data: {}, errors: [], cost: take(costKey === 'state' ? 400 : 1) },
  });
  const { sendWithinBudget, reservePoints } = createStoreBudget({ send, now, wait });
  const request = { ...operation, costKey: 'state', endAtMs: Infinity };
  await sendWithinBudget(request);
  const reservation = await reservePoints({ ...request, workItemCount: 2, expectedCostPerItem: 400 });
  const { waitedMs } = bucket;
  for (let sent = 0; sent < 2; sent++) await reservation?.sendWithinBudget(request);
  reservation?.end();
  expect([waitedMs > 0, bucket.waitedMs]).toEqual([true, waitedMs]);
  expect(bucket.lowest).toBeGreaterThanOrEqual(MAXIMUM / 2);
});

test('reserves points as soon as an earlier reservation has ended, and none that come too late', async () => {
  const { bucket, now, wait, take } = createBucket();
  const send = async () => ({ data: {}, errors: [], cost: take(1) });
  const { reservePoints } = createStoreBudget({ send, now, wait });
  const work = { store: operation.store, endAtMs: 10_000, workItemCount: 1, expectedCostPerItem: 900 };
  const first = await reservePoints(work);
  expect(await reservePoints(work)).toBeUndefined();
  const second = reservePoints({ ...work, endAtMs: 20_000 });
  first?.end();
  expect(await second).toBeDefined();
  expect(bucket.waitedMs).toBeLessThan(10_500);
});

test('reserves what the work has cost, when that is more than expected', async () => {
  const { bucket, now, wait, take } = createBucket();
  const send = async ({ costKey }: { costKey: string }) => ({
    ...{ data: {}, errors: [], cost: take(costKey === 'state' ? 300 : 1) },
  });
  const { reservePoints } = createStoreBudget({ send, now, wait });
  const work = { store: operation.store, endAtMs: Infinity, workItemCount: 1, expectedCostPerItem: 100 };
  const first = await reservePoints(work);
  for (let sent = 0; sent < 2; sent++)
    await first?.sendWithinBudget({ ...operation, costKey: 'state', endAtMs: Infinity });
  first?.end();
  await wait(2_000);
  take(bucket.available - 1200);
  await reservePoints(work);
  expect(bucket.available).toBeGreaterThanOrEqual(MAXIMUM / 2 + 600);
});
