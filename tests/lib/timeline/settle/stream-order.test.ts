/** The worker gives entries their places in the store's stream: each at least once, those of a contract in order. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { readStream } from '../../../../lib/storage/stream/read-stream.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { appendQueuedItems } from '../../../../lib/timeline/append/append-queued-items.ts';
import { type ContractNumber, formatEventNumber } from '../../../../lib/timeline/event-record.ts';
import { recordEntryWithoutIntent, reserveStreamOrder } from '../../../../lib/timeline/intent.ts';
import type { OpenChange } from '../../../../lib/timeline/run-change.ts';
import { settleOpenIntents } from '../../../../lib/timeline/settle/settle-open-intents.ts';
import { appenderOver, appendNow } from '../../../appending.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { Crash, createFaults, faulty } from '../../stores/world/faults.ts';
import { createSettleWorld, MONTHLY, type SettleWorld, WEEKLY } from '../settle-world.ts';
import { timelineOver } from '../timeline-world.ts';

const MINUTE_MS = 60_000;

let world: SettleWorld;
beforeEach(() => {
  world = createSettleWorld();
});

const clock = {
  get nowMs() {
    return world.nowMs();
  },
};
const settle = () => settleOpenIntents(world.deps(), world.nowMs() + 10 * MINUTE_MS);
const stream = async () => {
  const { timelines, shopId, nowMs } = world;
  return readStream({ table: timelines.table, now: nowMs }, shopId, { fromNumber: 0, limit: 1000 });
};
const recorded = async () => (await stream()).map(({ entry, contract }) => `${contract} ${entry?.action}`);
const pause = () => world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
const resume = () => world.begin('subscription_resumed', 'PAUSED', 'ACTIVE');
const cancel = () => world.begin('subscription_cancelled', 'ACTIVE', 'CANCELLED');
const [PAUSED, RESUMED, CANCELLED] = ['paused', 'resumed', 'cancelled'].map(
  (done) => `${WEEKLY} subscription_${done}`,
);

const table = () => world.timelines.table;
const over = (own = table()) => ({ table: own, now: world.nowMs });
/** The same table for a process that crashes after this many writes. */
function dyingAfter(writes: number | undefined): Table {
  const faults = createFaults();
  let left = writes;
  faults.plan = ({ operation }) => {
    if (left === undefined || !['put', 'update', 'delete'].includes(operation)) return undefined;
    return left-- > 0 ? undefined : 'before';
  };
  return faulty<Table>(table(), 'table', faults);
}

test('writes the entry to the stream with the next run of the worker, without a request to the platform', async () => {
  await (await pause()).settleAsDone();
  expect([await world.timeline(), await recorded()]).toEqual([['subscription_paused DONE'], []]);
  world.later(3 * MINUTE_MS);
  expect([await settle(), await recorded()]).toEqual([0, []]);
  expect([await world.place(), await recorded()]).toEqual([1, [PAUSED]]);
  expect([await world.left(), world.requests()]).toEqual([[], 0]);
});

test('appends nothing that merchants are not notified of, and deletes its intent at once', async () => {
  await (await world.begin('payment_method_update_email_sent', null, null)).settleAsDone();
  expect(await world.left()).toEqual([]);
  await world.place();
  expect([await world.timeline(), await recorded()]).toEqual([['payment_method_update_email_sent DONE'], []]);
});

describe('a change that makes a contract', () => {
  const made = `gid://shopify/SubscriptionContract/77`;
  const create = (own: Table) =>
    timelineOver(own, world.shopId, clock).begin({
      ...{ action: 'subscription_created', contractId: null, details: {}, changes: [] },
    });

  test.each([0, 1, 2])('is recorded there although its process crashed after %i writes', async (writes) => {
    let own = table();
    const switched = new Proxy(own, { get: (_, name: keyof Table) => own[name] });
    const open = await create(switched);
    own = dyingAfter(writes);
    await open.settleAsDone([], made).catch(() => undefined);
    world.later(3 * MINUTE_MS);
    await settle();
    // The contract is never read.
    world.later(8 * 1440 * MINUTE_MS);
    await world.place();
    const isKnown = writes > 0;
    expect(await recorded()).toEqual([`${isKnown ? '77' : 'undefined'} subscription_created`]);
    expect(await world.timeline(isKnown ? '77' : 'whole store')).toEqual([
      `subscription_created ${isKnown ? 'DONE' : 'UNKNOWN'}`,
    ]);
    expect(await world.left()).toEqual([]);
  });
});

describe('while an older change of the contract is open', () => {
  let older: OpenChange;
  beforeEach(async () => {
    older = await pause();
    world.later(1);
    const newer = await resume();
    await newer.settleAsDone();
    world.later(1);
    await (await cancel()).settleAsDone();
    await world.place();
  });

  test('entries wait; those of other contracts do not', async () => {
    await (await world.begin('subscription_paused', 'ACTIVE', 'PAUSED', MONTHLY)).settleAsDone();
    await world.place();
    expect(await recorded()).toEqual([`${MONTHLY} subscription_paused`]);
    expect(await world.timeline()).toEqual(['subscription_resumed DONE', 'subscription_cancelled DONE']);
  });

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['done', () => older.settleAsDone(), [PAUSED, RESUMED, CANCELLED]],
    ['not done', () => older.settleAsNotDone(), [RESUMED, CANCELLED]],
  ])(
    'appends the waiting entries by their numbers with the next run when it is %s',
    async (_, end, expected) => {
      await end();
      // Changes at the same time wait for what is read after them, five minutes at most.
      world.later(6 * MINUTE_MS);
      await world.place();
      expect(await recorded()).toEqual(expected);
      expect(await world.left()).toEqual([]);
    },
  );

  test('appends entries without waiting for a change that comes to nothing during the run', async () => {
    const appender = appenderOver(over());
    const { listDue } = appender.scheduledTasks;
    const scheduledTasks = {
      ...appender.scheduledTasks,
      async *listDue(...args: Parameters<typeof listDue>) {
        yield* listDue(...args);
        await older.settleAsNotDone();
      },
    };
    await appendQueuedItems({ ...appender, scheduledTasks }, Infinity);
    expect(await recorded()).toEqual([RESUMED, CANCELLED]);
  });

  test('appends the waiting entries once the change of a crashed process is settled', async () => {
    await world.change('subscriptionContractPause');
    world.later(3 * MINUTE_MS);
    await settle();
    world.later(3 * MINUTE_MS);
    await world.place();
    expect([await recorded(), await world.left()]).toEqual([[PAUSED, RESUMED, CANCELLED], []]);
  });

  test('waits no longer than 15 minutes for a change that cannot be settled', async () => {
    world.withhold('read_own_subscription_contracts', 'write_own_subscription_contracts');
    world.later(14 * MINUTE_MS);
    await settle();
    await world.place();
    expect(await recorded()).toEqual([]);
    world.later(2 * MINUTE_MS);
    await settle();
    await world.place();
    expect(await recorded()).toEqual([RESUMED, CANCELLED]);
    expect(await world.left()).toHaveLength(1);
  });

  test.each([
    ['uninstalled', [RESUMED, CANCELLED]],
    ['purging', []],
  ])('appends only what may be reported when the store is %s', async (status, expected) => {
    world.later(16 * MINUTE_MS);
    const stores = { find: async () => ({ status }) as StoreRecord };
    await appendQueuedItems({ ...appenderOver(over()), stores }, Infinity);
    expect(await recorded()).toEqual(expected);
  });
});

test('allows one append run at a time, and lets a crashed one block the others for a minute at most', async () => {
  await (await pause()).settleAsDone();
  const runs = [appendNow(over()), appendNow(over())];
  expect((await Promise.all(runs)).sort()).toEqual([0, 1]);
  await (await resume()).settleAsDone();
  await appendNow(over(dyingAfter(1))).catch(() => undefined);
  expect(await world.place()).toBe(0);
  // Days that hold nothing any more are passed over from then on.
  world.later(2 * 1440 * MINUTE_MS);
  expect(await world.place()).toBe(1);
  expect(await world.place()).toBe(0);
  expect(await recorded()).toEqual([PAUSED, RESUMED]);
});

test('enqueues a store once a run, before its first record, and continues when another store fails', async () => {
  const contracts = [WEEKLY, MONTHLY];
  for (const contract of contracts)
    await (await world.begin('subscription_paused', 'ACTIVE', 'PAUSED', contract)).settleAsDone();
  const broken = timelineOver(table(), (world.shopId + 1) as typeof world.shopId, clock);
  await (
    await broken.begin({
      action: 'subscription_paused',
      contractId: `gid://shopify/SubscriptionContract/${WEEKLY}`,
      details: {},
      changes: [],
    })
  ).settleAsDone();
  const appender = appenderOver(over());
  const enqueued: unknown[] = [];
  const logged: string[] = [];
  await appendQueuedItems(
    {
      ...appender,
      startAppending: () => {
        const append = appender.startAppending();
        return async (shopId, records) => {
          if (shopId !== world.shopId) throw new Error('no place');
          return append(shopId, records);
        };
      },
      enqueueDelivery: async (shopId) => {
        if (shopId === world.shopId) enqueued.push([(await stream()).length, (await world.left()).length]);
      },
      logger: { error: (message) => void logged.push(message) },
    },
    Infinity,
  );
  expect([enqueued, logged]).toEqual([[[0, 3]], ['stream.append_failed']]);
  expect([(await stream()).length, (await world.left()).length]).toEqual([2, 1]);
});

/** Finds an external charge, reserves its stream position, and records it. */
async function found(index: number, { base, slow }: { readonly base: Table; readonly slow: Table }) {
  const [createdAtMs, contract, action] = [
    world.nowMs(),
    String(WEEKLY) as ContractNumber,
    'billing_cycle_charged',
  ];
  const number = formatEventNumber({ createdAtMs, sequence: 0, contract });
  const actor = { kind: 'UNKNOWN' } as const;
  const facts = { shopId: world.shopId, requestId: '', details: {}, changes: [], outcome: 'DONE' } as const;
  const entry = { ...facts, id: `found-${index}`, number, createdAtMs, contract, action, actor };
  const deps = (own: Table) => ({
    table: own,
    scheduledTasks: createScheduledTaskRepository({ table: own, now: world.nowMs }),
  });
  await reserveStreamOrder(deps(base).scheduledTasks, entry);
  return () => recordEntryWithoutIntent(deps(slow), entry);
}

test('reports each of several concurrent changes in the order of their numbers, wherever processes crash', async () => {
  const change = fc.oneof(
    fc.record({ isDone: fc.boolean(), diesAt: fc.option(fc.nat(6)) }),
    fc.constant('elsewhere' as const),
  );
  const changes = fc.array(change, { minLength: 1, maxLength: 6 });
  const deaths = fc.array(fc.option(fc.nat(12), { nil: undefined }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(changes, deaths, fc.scheduler(), async (all, runs, scheduler) => {
      world = createSettleWorld();
      const base = table();
      const slow: Table = {
        ...base,
        put: scheduler.scheduleFunction(base.put),
        query: scheduler.scheduleFunction(base.query),
        delete: scheduler.scheduleFunction(base.delete),
        batchGet: scheduler.scheduleFunction(base.batchGet),
      };
      const open: (() => Promise<unknown>)[] = [() => appendNow(over(slow))];
      for (const [index, one] of all.entries()) {
        if (one === 'elsewhere') {
          open.push(await found(index, { base, slow }));
          continue;
        }
        const { isDone, diesAt } = one;
        const faults = createFaults();
        // Requests are delayed only from the end of the change on.
        let own: Table = base;
        const switched = new Proxy(base, { get: (_, name: keyof Table) => own[name] });
        const { begin } = timelineOver(faulty(switched, 'table', faults), world.shopId, clock);
        const contractId = `gid://shopify/SubscriptionContract/${WEEKLY}`;
        const facts = [{ coordinate: 'any', field: `any${index}`, before: 'a', after: 'b' }];
        const change = await begin({
          action: 'subscription_updated',
          contractId,
          details: {},
          changes: facts,
        });
        own = slow;
        faults.calls.length = 0;
        faults.plan = ({ count }) => (count === diesAt ? 'after' : undefined);
        open.push(isDone ? change.settleAsDone : change.settleAsNotDone);
        if (index % 2 === 0) world.later(1);
      }
      await scheduler.waitFor(Promise.all(open.map((end) => end())));
      for (const writes of runs) {
        world.later(MINUTE_MS);
        await appendNow(over(dyingAfter(writes))).catch((error: unknown) =>
          expect(error).toBeInstanceOf(Crash),
        );
      }
      world.later(3 * MINUTE_MS);
      await settle();
      await world.place();
      const entries = (await world.entries()).map(({ number }) => number);
      const first = [...new Map((await stream()).map(({ id, entry }) => [id, entry?.number])).values()];
      expect(first).toEqual(entries);
      expect(await world.left()).toEqual([]);
    }),
    { numRuns: 40, seed: 20261122 },
  );
});

holdsRights();
