import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { processWorkQueue, type StoreWork } from '../../../../lib/storage/work-queue/process-work-queue.ts';
import { createWorkQueue, type WorkLease } from '../../../../lib/storage/work-queue/work-queue.ts';
import { propertyRuns } from '../../../full-size.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { holdsRights, tableOf } from '../../../rights/guarded-table.ts';
import { createFaults, faulty } from '../../stores/world/faults.ts';

const KIND = 'store-events';
const START_MS = Date.parse('2026-11-22T12:00:00Z');
const MINUTE_MS = 60_000;
const [shop, other, third] = [81234567001, 81234567002, 81234567009] as ShopId[] as [ShopId, ShopId, ShopId];

function createWorld(worker: 'store-events' | 'webhook-deliveries' = 'store-events') {
  const clock = { nowMs: START_MS };
  const faults = createFaults();
  const memory = createMemoryTable();
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const deps = { now: () => clock.nowMs, newId };
  const queue = createWorkQueue({ ...deps, table: faulty(memory, 'table', faults) });
  /** Marks of a container whose clock is wrong. */
  const containerOf = (skewMs: number) =>
    createWorkQueue({ newId, now: () => clock.nowMs + skewMs, table: faulty(memory, 'table', faults) });
  const sound = createWorkQueue({ ...deps, table: tableOf(worker, memory) });
  const take = async (by = sound) => {
    const leases: WorkLease[] = [];
    for await (const lease of by.leaseStores(KIND)) leases.push(lease);
    return leases;
  };
  const shopsOf = (leases: readonly WorkLease[]) => leases.map(({ shopId }) => shopId);
  const left = async () => (await memory.scan({ filter: 'attribute_exists(id)' })).items.length;
  return { clock, faults, queue, containerOf, sound, take, shopsOf, left };
}

test('a woken store is taken by one worker, the longest waiting first, and its mark goes after a second look', async () => {
  const { clock, sound, take, shopsOf, left } = createWorld();
  await sound.enqueue(KIND, other);
  clock.nowMs += 1;
  await sound.enqueue(KIND, shop);
  await sound.enqueue(KIND, other);
  await sound.enqueue('webhook-deliveries', third);
  const first = await take();
  expect(shopsOf(first)).toEqual([other, shop]);
  expect(await take()).toEqual([]);
  for (const lease of first) await lease.complete();
  expect(await take()).toEqual([]);
  clock.nowMs += MINUTE_MS;
  const second = await take();
  expect(shopsOf(second).sort()).toEqual([shop, other]);
  for (const lease of second) await lease.complete();
  clock.nowMs += 60 * MINUTE_MS;
  expect([await take(), await left()]).toEqual([[], 1]);
});

test('what is woken during the work is taken again, and behind those who wait', async () => {
  const { clock, sound, take, shopsOf } = createWorld();
  await sound.enqueue(KIND, shop);
  const [lease] = await take();
  clock.nowMs += 1_000;
  await sound.enqueue(KIND, other);
  await sound.enqueue(KIND, shop);
  clock.nowMs += 1_000;
  await lease?.complete(clock.nowMs + 60 * MINUTE_MS);
  expect(shopsOf(await take())).toEqual([other, shop]);
});

test('a time moves forward only, and is kept while it lies ahead', async () => {
  const { clock, sound, take, shopsOf } = createWorld();
  await sound.enqueue(KIND, shop, START_MS + 10 * MINUTE_MS);
  await sound.enqueue(KIND, shop, START_MS + 20 * MINUTE_MS);
  expect(await take()).toEqual([]);
  await sound.enqueue(KIND, shop, START_MS + 5 * MINUTE_MS);
  clock.nowMs += 5 * MINUTE_MS;
  for (const lease of await take()) await lease.complete(START_MS + 8 * MINUTE_MS);
  clock.nowMs += 3 * MINUTE_MS;
  expect(shopsOf(await take())).toEqual([shop]);
  const late = createWorld('webhook-deliveries');
  await late.sound.enqueue(KIND, shop, START_MS + 10 * MINUTE_MS);
  await late.sound.enqueue(KIND, shop);
  for (let minute = 0; minute < 3; minute++) {
    for (const lease of await late.take()) await lease.complete();
    late.clock.nowMs += MINUTE_MS;
  }
  expect(await late.take()).toEqual([]);
  late.clock.nowMs += 7 * MINUTE_MS;
  const last = await late.take();
  expect(late.shopsOf(last)).toEqual([shop]);
  for (const lease of last) await lease.complete();
  expect(await late.left()).toBe(0);
});

test('a lease runs out unless it is renewed, and whoever lost it changes nothing', async () => {
  const { clock, sound, take, shopsOf, left } = createWorld();
  await sound.enqueue(KIND, shop);
  const [lost] = await take();
  clock.nowMs += 50_000;
  expect(await lost?.renew()).toBe(true);
  clock.nowMs += 50_000;
  expect(await take()).toEqual([]);
  clock.nowMs += 10_000;
  const [lease] = await take();
  expect(await lost?.renew()).toBe(false);
  await lost?.complete();
  await lost?.release();
  expect(await take()).toEqual([]);
  await lease?.release(clock.nowMs + 5 * MINUTE_MS);
  await sound.enqueue(KIND, shop);
  expect(await take()).toEqual([]);
  clock.nowMs += 5 * MINUTE_MS;
  expect([shopsOf(await take()), await left()]).toEqual([[shop], 1]);
});

const writer = fc.record({
  shopId: fc.constantFrom(shop, other),
  /** Whether it wakes the store before it writes the work, or after. */
  enqueuesFirst: fc.boolean(),
  /** Undefined: at once. */
  laterMs: fc.option(fc.nat(2_000), { nil: undefined }),
  /** Its clock's error. */
  skewMs: fc.integer({ min: -3_600_000, max: 30_000 }),
});
type Writer = typeof writer extends fc.Arbitrary<infer Value> ? Value : never;
const crash = fc.record({
  at: fc.nat(60),
  how: fc.constantFrom('before' as const, 'after' as const, 'lost' as const),
});
const plan = fc.record({
  /** Whether the queue was read before, so that its items are deleted after the next read. */
  isRead: fc.boolean(),
  writers: fc.array(writer, { minLength: 1, maxLength: 6 }),
  workers: fc.integer({ min: 1, max: 3 }),
  crashes: fc.array(crash, { maxLength: 4 }),
  stepsMs: fc.array(fc.nat(400), { minLength: 1, maxLength: 20 }),
});

test('however writers and workers run into each other and die, all work is found, and every mark goes', async () => {
  const property = fc.asyncProperty(plan, fc.scheduler(), async (given, scheduler) => {
    const { clock, faults, queue, sound, take, left, containerOf } = createWorld();
    if (given.isRead) for (const shopId of [shop, other]) await sound.enqueue(KIND, shopId);
    for (const lease of await take()) await lease.complete();
    clock.nowMs += MINUTE_MS;
    /** The written work. It can be relied on unless the process crashed before it enqueued the store. */
    const work = new Map<number, { readonly shopId: ShopId; isReliedOn: boolean; isDone: boolean }>();
    const pause = async () => {
      await scheduler.schedule(Promise.resolve());
      clock.nowMs += given.stepsMs[faults.calls.length % given.stepsMs.length] ?? 0;
    };
    faults.pause = pause;
    faults.plan = ({ count }) => given.crashes.find(({ at }) => at === count)?.how;
    const write = async (index: number, { shopId, enqueuesFirst, laterMs, skewMs }: Writer) => {
      const own = containerOf(skewMs);
      const enqueue = () => own.enqueue(KIND, shopId, laterMs && clock.nowMs + laterMs);
      if (enqueuesFirst) await enqueue();
      await pause();
      const written = { shopId, isReliedOn: enqueuesFirst, isDone: false };
      work.set(index, written);
      if (enqueuesFirst) return;
      await enqueue();
      written.isReliedOn = true;
    };
    const doAll = async (lease: WorkLease) => {
      const seen = [...work.values()].filter(({ shopId }) => shopId === lease.shopId);
      await faults.pause({ at: 'table', operation: 'work', count: -1, parameters: [] });
      for (const each of seen) each.isDone = true;
      await lease.complete();
    };
    const runWorker = async () => {
      for await (const lease of queue.leaseStores(KIND)) await doAll(lease);
    };
    const all = [
      ...given.writers.map((each, index) => write(index, each)),
      ...Array.from({ length: given.workers }, runWorker),
    ];
    await scheduler.waitFor(Promise.allSettled(all));
    faults.pause = async () => undefined;
    for (let round = 0; round < 5; round++) {
      clock.nowMs += MINUTE_MS;
      for (const lease of await take()) await doAll(lease);
    }
    expect([...work.values()].filter(({ isReliedOn, isDone }) => isReliedOn && !isDone)).toEqual([]);
    expect(await left()).toBe(0);
  });
  await fc.assert(property, propertyRuns(20_000));
});

/** A clock that advances as soon as all tasks wait for it. */
function createLoop({
  storeConcurrency,
  timeSliceMs,
}: {
  readonly storeConcurrency: number;
  readonly timeSliceMs: number;
}) {
  const world = createWorld();
  const logged: string[] = [];
  const waiters = new Set<{ readonly atMs: number; readonly enqueue: () => void }>();
  const wait = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const enqueue = () => {
        waiters.delete(sleeper);
        resolve();
      };
      const sleeper = { atMs: world.clock.nowMs + ms, enqueue };
      waiters.add(sleeper);
      signal?.addEventListener('abort', enqueue);
    });
  const logger = {
    error: (message: string, { shopId }: Readonly<Record<string, unknown>> = {}) =>
      void logged.push(`${message}: ${shopId}`),
  };
  const deps = { workQueue: world.sound, logger: logger as never, now: () => world.clock.nowMs, wait };
  const run = async (work: StoreWork, endAtMs = START_MS + 50_000) => {
    let isOver = false;
    const running = processWorkQueue(deps, { kind: KIND, endAtMs, storeConcurrency, timeSliceMs }, work);
    const over = running.finally(() => (isOver = true));
    while (!isOver) {
      for (let turns = 0; turns < 200 && !isOver; turns++) await Promise.resolve();
      const [next] = [...waiters].sort((one, another) => one.atMs - another.atMs);
      if (isOver || next === undefined) continue;
      world.clock.nowMs = Math.max(world.clock.nowMs, next.atMs);
      next.enqueue();
    }
    return over;
  };
  return { ...world, logged, wait, run };
}

test('a store that hangs or fails delays no other, and its lease is there for the next run', async () => {
  const { sound, run, logged, clock, take, shopsOf } = createLoop({
    storeConcurrency: 2,
    timeSliceMs: 20_000,
  });
  for (const each of [shop, other, third]) await sound.enqueue(KIND, each);
  const worked: string[] = [];
  const done = await run(async ({ shopId, signal }) => {
    worked.push(`${shopId} at ${clock.nowMs - START_MS}`);
    if (shopId === other) throw new Error('nobody knows');
    if (shopId !== shop) return undefined;
    return await new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => setImmediate(() => reject(new Error('told to stop')))),
    );
  });
  expect(done).toBe(1);
  expect(worked.sort()).toEqual([`${shop} at 0`, `${other} at 0`, `${third} at 0`]);
  expect(logged).toEqual([`store_work.failed: ${other}`, `store_work.aborted: ${shop}`]);
  clock.nowMs = START_MS + 3 * MINUTE_MS;
  expect(shopsOf(await take()).sort()).toEqual([shop, other, third]);
});

test('stores that have more to do take turns, and a run ends in time', async () => {
  const { sound, run, wait, clock } = createLoop({ storeConcurrency: 1, timeSliceMs: 20_000 });
  for (const each of [shop, other]) await sound.enqueue(KIND, each);
  const turns: ShopId[] = [];
  const work: StoreWork = async ({ shopId, endAtMs }) => {
    turns.push(shopId);
    await wait(endAtMs - clock.nowMs);
    return clock.nowMs;
  };
  await run(work, START_MS + 90_000);
  expect(turns).toEqual([shop, other, shop, other, shop]);
  expect(clock.nowMs).toBe(START_MS + 90_000);
});

test('takes a store that has more to do again at once, though no other store waits', async () => {
  const { sound, run, wait, clock } = createLoop({ storeConcurrency: 2, timeSliceMs: 20_000 });
  await sound.enqueue(KIND, shop);
  const turnsAtMs: number[] = [];
  const work: StoreWork = async ({ endAtMs }) => {
    turnsAtMs.push(clock.nowMs - START_MS);
    await wait(endAtMs - clock.nowMs);
    return turnsAtMs.length < 4 ? clock.nowMs : undefined;
  };
  await run(work, START_MS + 90_000);
  expect(turnsAtMs).toEqual([0, 20_000, 40_000, 60_000]);
});

test('a long turn keeps its lease', async () => {
  const { sound, run, wait, take } = createLoop({ storeConcurrency: 1, timeSliceMs: 300_000 });
  await sound.enqueue(KIND, shop);
  const isTaken: boolean[] = [];
  await run(async () => {
    await wait(200_000);
    isTaken.push((await take()).length > 0);
    return undefined;
  }, START_MS + 400_000);
  // The second read starts immediately.
  expect(isTaken).toEqual([false, false]);
});

holdsRights();
