/**
 * Many customers of one store at once, while its own server works: on a clock of the test's own, against a bucket as
 * the platform keeps it. Nobody gets anything but data or a time that is true.
 */
import { expect, test } from '@jest/globals';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { createAdminClient, deadlineAfter } from '../../../lib/platform/admin-client.ts';
import { createThrottleBuckets } from '../../../lib/platform/throttle-bucket.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';

const MAXIMUM = 1000;
const RATE = 50;
const LATENCY_MS = 80;
const CUSTOMERS = 20;
const COST = 120;

/** A clock whose time passes when everybody waits. */
function createClock() {
  const clock = { nowMs: 1_000_000 };
  const timers: { atMs: number; ring: () => void }[] = [];
  const wait = (ms: number) =>
    new Promise<void>((ring) => {
      timers.push({ atMs: clock.nowMs + ms, ring });
    });
  const runUntil = async (work: Promise<unknown>) => {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    for (;;) {
      for (let turn = 0; turn < 100; turn++) await Promise.resolve();
      if (isDone) return;
      timers.sort((one, other) => one.atMs - other.atMs);
      const next = timers.shift();
      if (next === undefined) throw new Error('nobody waits for anything');
      clock.nowMs = Math.max(clock.nowMs, next.atMs);
      next.ring();
    }
  };
  return { clock, wait, runUntil };
}

/** The client against a platform that refuses what does not fit. */
function createStore() {
  const { clock, wait, runUntil } = createClock();
  const bucket = { available: MAXIMUM, atMs: clock.nowMs, refused: 0 };
  const send = async ({ body }: { readonly body: string }) => {
    await wait(LATENCY_MS);
    const restored = ((clock.nowMs - bucket.atMs) / 1000) * RATE;
    bucket.available = Math.min(MAXIMUM, bucket.available + restored);
    bucket.atMs = clock.nowMs;
    const points = Number(JSON.parse(body).query);
    const isRefused = points > bucket.available;
    if (isRefused) bucket.refused += 1;
    else bucket.available -= points;
    const throttleStatus = {
      maximumAvailable: MAXIMUM,
      currentlyAvailable: bucket.available,
      restoreRate: RATE,
    };
    const extensions = {
      cost: { requestedQueryCost: points, actualQueryCost: isRefused ? null : points, throttleStatus },
    };
    const answer = isRefused
      ? { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions }
      : { data: {}, extensions };
    return { status: 200, retryAfter: undefined, body: JSON.stringify(answer) };
  };
  const token = { accessToken: 'token', versionId: '1' };
  const client = createAdminClient({
    send,
    grants: { read: async () => token, renew: async () => token },
    buckets: createThrottleBuckets({ now: () => clock.nowMs }),
    platformOrigin: 'https://{shop}',
    platformApiVersion: '2026-07',
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    now: () => clock.nowMs,
    random: () => 0.5,
    wait,
  });
  const store = { shopId: 1, domain: 'harbor.example' } as unknown as StoreRecord;
  /** 0: served; else the seconds of `Retry-After`. */
  const ask = async (points: number, customer?: number): Promise<number> => {
    try {
      const document = String(points);
      await client({
        ...{ store, document, costKey: document, variables: {}, mutates: false },
        deadlineAtMs: deadlineAfter(clock.nowMs),
        customerId: customer as CustomerId | undefined,
      });
      return 0;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'THROTTLED') throw error;
      return error.retryAfterSeconds ?? 0;
    }
  };
  return { ask, wait, runUntil };
}

test('a customer is served, or served after the time that it was told', async () => {
  const { ask, wait, runUntil } = createStore();
  const told: number[] = [];
  const again: number[] = [];
  const hammer = async (customer: number) => {
    for (let round = 0; round < 3; round++) {
      const seconds = await ask(COST, customer);
      if (seconds === 0) continue;
      told.push(seconds);
      await wait(seconds * 1000);
      again.push(await ask(COST, customer));
    }
  };
  const work = Promise.all([ask(1), ...Array.from({ length: CUSTOMERS }, (_, index) => hammer(index + 1))]);
  await runUntil(work);
  await work;
  expect(told.length).toBeGreaterThan(0);
  expect(again.filter((seconds) => seconds > 0)).toEqual([]);
});

test("the server's calls go through meanwhile, within their deadline", async () => {
  const { ask, wait, runUntil } = createStore();
  const hammer = async (customer: number) => {
    for (let round = 0; round < 3; round++) await ask(COST, customer);
  };
  const server = async () => {
    const answers: number[] = [];
    for (let call = 0; call < 20; call++) {
      answers.push(await ask(30));
      await wait(500);
    }
    return answers;
  };
  const customers = Promise.all(Array.from({ length: CUSTOMERS }, (_, index) => hammer(index + 1)));
  const worked = server();
  await runUntil(Promise.all([customers, worked]));
  expect(await worked).toEqual(Array(20).fill(0));
});
