/**
 * Many customers of one store at once, while its own server works: on a clock of the test's own, against a bucket as
 * the platform keeps it. Nobody gets anything but data or a time that is true.
 */
import { expect, test } from '@jest/globals';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { createAdminClient, deadlineAfter } from '../../../../lib/platform/admin-api/admin-client.ts';
import type { SendAdminRequest } from '../../../../lib/platform/admin-api/admin-request.ts';
import { createThrottleBuckets } from '../../../../lib/platform/admin-api/throttle-buckets.ts';
import { createPatience } from '../../../../lib/platform/admin-api/wait-for-points.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';

const MAXIMUM = 1000;
const RATE = 50;
const LATENCY_MS = 80;
const CUSTOMERS = 20;
const COST = 120;
const INSTANCES = 10;

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

/** Clients, one a container, against a platform that refuses what does not fit. */
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
  const startContainer = () => createContainer({ clock, wait, send });
  return { ...startContainer(), startContainer, clock, wait, runUntil };
}

type Container = Pick<ReturnType<typeof createClock>, 'clock' | 'wait'> & {
  readonly send: SendAdminRequest;
};

function createContainer({ clock, wait, send }: Container) {
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
  /** What one client's request asks the platform. */
  const startRequest = (customer?: number) => {
    const deadlineAtMs = deadlineAfter(clock.nowMs);
    const customerId = customer as CustomerId | undefined;
    const patience = customer === undefined ? undefined : createPatience();
    /** 0: served; else the seconds of `Retry-After`. */
    return async (points: number, mutates = false): Promise<number> => {
      const document = String(points);
      const operation = { store, document, costKey: document, variables: {}, mutates, deadlineAtMs };
      try {
        await client({ ...operation, customerId, patience });
        return 0;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'THROTTLED') throw error;
        return error.retryAfterSeconds ?? 0;
      }
    };
  };
  const ask = (points: number, customer?: number) => startRequest(customer)(points);
  return { startRequest, ask };
}

/** Instances that serve one request at a time; further requests wait for one. */
function createInstances(count: number, start: () => ReturnType<typeof createContainer>) {
  const idle = Array.from({ length: count }, start);
  const waiting: (() => void)[] = [];
  return async <T>(work: (container: ReturnType<typeof createContainer>) => Promise<T>): Promise<T> => {
    while (idle.length === 0) await new Promise<void>((free) => waiting.push(free));
    const container = idle.shift() as ReturnType<typeof createContainer>;
    try {
      return await work(container);
    } finally {
      idle.push(container);
      waiting.shift()?.();
    }
  };
}

test('a customer is served, or served after the time that it was told', async () => {
  const { startContainer, wait, runUntil } = createStore();
  const invoke = createInstances(1, startContainer);
  const told: number[] = [];
  const again: number[] = [];
  const askAs = (customer: number) => invoke(({ ask }) => ask(COST, customer));
  const hammer = async (customer: number) => {
    for (let round = 0; round < 3; round++) {
      const seconds = await askAs(customer);
      if (seconds === 0) continue;
      told.push(seconds);
      await wait(seconds * 1000);
      again.push(await askAs(customer));
    }
  };
  const known = invoke(({ ask }) => ask(1));
  const work = Promise.all([known, ...Array.from({ length: CUSTOMERS }, (_, index) => hammer(index + 1))]);
  await runUntil(work);
  await work;
  expect(told.length).toBeGreaterThan(0);
  expect(again.filter((seconds) => seconds > 0)).toEqual([]);
});

test("the server's calls go through meanwhile, within their deadline", async () => {
  const { startContainer, wait, runUntil } = createStore();
  const invoke = createInstances(INSTANCES, startContainer);
  const hammer = async (customer: number) => {
    for (let round = 0; round < 3; round++) await invoke(({ ask }) => ask(COST, customer));
  };
  const server = async () => {
    const { ask } = startContainer();
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

const CONNECTIONS = 60;
const NETWORK_MS = 50;
const DEAR = 250;

test('one customer with many connections holds no instance for long, and so no other store', async () => {
  const { startContainer, clock, wait, runUntil } = createStore();
  const invoke = createInstances(INSTANCES, startContainer);
  const endAtMs = clock.nowMs + 60_000;
  let heldMs = 0;
  const hammer = async () => {
    while (clock.nowMs < endAtMs) {
      await wait(NETWORK_MS);
      await invoke(async ({ startRequest }) => {
        const beganAtMs = clock.nowMs;
        const ask = startRequest(1);
        for (let part = 0; part < 5; part++) if ((await ask(DEAR)) > 0) break;
        heldMs = Math.max(heldMs, clock.nowMs - beganAtMs);
      });
    }
  };
  let othersMs = 0;
  const other = async () => {
    while (clock.nowMs < endAtMs) {
      await wait(1000);
      const cameAtMs = clock.nowMs;
      await invoke(async () => undefined);
      othersMs = Math.max(othersMs, clock.nowMs - cameAtMs);
    }
  };
  await runUntil(Promise.all([...Array.from({ length: CONNECTIONS }, hammer), other()]));
  expect(heldMs).toBeLessThan(4000);
  expect(othersMs).toBeLessThan(4000);
});

test('who asks without waiting sends nobody else further back', async () => {
  const { ask, wait, runUntil } = createStore();
  const told: number[] = [];
  const hammer = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += NETWORK_MS) {
      await wait(NETWORK_MS);
      await ask(DEAR, 1);
    }
  };
  const play = async () => {
    await hammer(20_000);
    for (let customer = 2; customer < 6; customer++) {
      const seconds = await ask(10, customer);
      told.push(seconds);
      if (seconds > 60) return;
      await Promise.all([wait(seconds * 1000), hammer(seconds * 1000)]);
      told.push(seconds === 0 ? 0 : await ask(10, customer));
    }
  };
  await runUntil(play());
  const first = told.filter((_, index) => index % 2 === 0);
  expect(Math.max(...first)).toBeLessThanOrEqual(15);
  expect(told.filter((_, index) => index % 2 === 1)).toEqual([0, 0, 0, 0]);
});

test('the parts of a request share its two seconds', async () => {
  const { ask, startRequest, clock, runUntil } = createStore();
  const play = async () => {
    for (const points of [60, 61, 62, MAXIMUM - 190]) await ask(points);
    const read = startRequest(1);
    const beganAtMs = clock.nowMs;
    const parts = [await read(60), await read(61), await read(62)];
    return { parts, passedMs: clock.nowMs - beganAtMs };
  };
  const played = play();
  await runUntil(played);
  expect((await played).parts).toEqual([0, 0, expect.any(Number)]);
  expect((await played).parts.at(-1)).toBeGreaterThan(0);
  expect((await played).passedMs).toBeLessThan(3000);
});

test('a change that has begun waits for its points until it is finished', async () => {
  const { ask, startRequest, runUntil } = createStore();
  const play = async () => {
    const change = startRequest(1);
    const begun = await change(1, true);
    await ask(MAXIMUM - 50);
    return [begun, await change(310), await change(320, true)];
  };
  const played = play();
  await runUntil(played);
  expect(await played).toEqual([0, 0, 0]);
});

test('who has come when it was told does not queue again with the next part of its request', async () => {
  const { ask, startRequest, wait, runUntil } = createStore();
  const play = async () => {
    for (const points of [160, 1, MAXIMUM - 170]) await ask(points);
    const seconds = await ask(160, 1);
    await wait(seconds * 1000);
    const read = startRequest(1);
    return [seconds > 0, await read(160), await read(1)];
  };
  const played = play();
  await runUntil(played);
  expect(await played).toEqual([true, 0, 0]);
});
