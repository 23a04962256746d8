/** Entries take their places in the store's stream: each at least once, those of a contract in order. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readStream } from '../../../../lib/storage/stream/read-stream.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import type { OpenChange } from '../../../../lib/timeline/begin-change.ts';
import { settleOpenIntents } from '../../../../lib/timeline/settle/settle-open-intents.ts';
import { createFaults, faulty } from '../../stores/world/faults.ts';
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
const told = async () => (await stream()).map(({ entry, contract }) => `${contract} ${entry?.action}`);
const pause = () => world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
const resume = () => world.begin('subscription_resumed', 'PAUSED', 'ACTIVE');
const cancel = () => world.begin('subscription_cancelled', 'ACTIVE', 'CANCELLED');
const [PAUSED, RESUMED, CANCELLED] = ['paused', 'resumed', 'cancelled'].map(
  (done) => `${WEEKLY} subscription_${done}`,
);

test('an entry whose process died before it was placed is placed, and the platform is not asked', async () => {
  const faults = createFaults();
  const dying = timelineOver(faulty<Table>(world.timelines.table, 'table', faults), world.shopId, clock);
  await world.change('subscriptionContractPause');
  const open = await dying.begin({
    action: 'subscription_paused',
    contractId: `gid://shopify/SubscriptionContract/${WEEKLY}`,
    details: {},
    changes: [
      { coordinate: 'SubscriptionContract.status', field: 'status', before: 'ACTIVE', after: 'PAUSED' },
    ],
  });
  let puts = 0;
  // The head of its fact, the entry; then its place.
  faults.plan = ({ operation }) => (operation === 'put' && ++puts === 3 ? 'before' : undefined);
  await open.done();
  expect([await world.story(), await told()]).toEqual([['subscription_paused DONE'], []]);
  world.later(3 * MINUTE_MS);
  const requests = world.requests();
  expect(await settle()).toBe(1);
  expect([await world.story(), await told()]).toEqual([['subscription_paused DONE'], [PAUSED]]);
  expect([await world.open(), world.requests()]).toEqual([[], requests]);
});

test('what merchants are not told has no place', async () => {
  await (await world.begin('payment_method_update_email_sent', null, null)).done();
  expect([await world.story(), await told()]).toEqual([['payment_method_update_email_sent DONE'], []]);
});

describe('while an older change of the contract is open', () => {
  let older: OpenChange;
  beforeEach(async () => {
    older = await pause();
    world.later(1);
    const newer = await resume();
    await newer.done();
    world.later(1);
    await (await cancel()).done();
  });

  test('entries wait; those of other contracts do not', async () => {
    await (await world.begin('subscription_paused', 'ACTIVE', 'PAUSED', MONTHLY)).done();
    expect(await told()).toEqual([`${MONTHLY} subscription_paused`]);
    expect(await world.story()).toEqual(['subscription_resumed DONE', 'subscription_cancelled DONE']);
  });

  test.each<[string, () => Promise<void>, unknown]>([
    ['done', () => older.done(), [PAUSED, RESUMED, CANCELLED]],
    ['not done', () => older.notDone(), [RESUMED, CANCELLED]],
  ])('and when it is %s they go at once, by their numbers', async (_, end, expected) => {
    await end();
    expect(await told()).toEqual(expected);
    expect(await world.open()).toEqual([]);
  });

  test('and its process is dead: they go when it is settled', async () => {
    await world.change('subscriptionContractPause');
    world.later(3 * MINUTE_MS);
    await settle();
    expect([await told(), await world.open()]).toEqual([[PAUSED, RESUMED, CANCELLED], []]);
  });

  test('and cannot be settled: they wait no longer than 15 minutes', async () => {
    world.withhold('read_own_subscription_contracts', 'write_own_subscription_contracts');
    world.later(14 * MINUTE_MS);
    await settle();
    expect(await told()).toEqual([]);
    world.later(2 * MINUTE_MS);
    await settle();
    expect(await told()).toEqual([RESUMED, CANCELLED]);
    expect(await world.open()).toHaveLength(1);
  });

  test('and the store is uninstalled: they go all the same', async () => {
    world.later(16 * MINUTE_MS);
    await settleOpenIntents({ ...world.deps(), stores: { find: async () => undefined } }, Infinity);
    expect(await told()).toEqual([RESUMED, CANCELLED]);
  });
});

test('changes at once, each process dying anywhere: each is told, in the order of their numbers', async () => {
  const change = fc.record({ isDone: fc.boolean(), diesAt: fc.option(fc.nat(12)) });
  const changes = fc.array(change, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(changes, fc.scheduler(), async (all, scheduler) => {
      world = createSettleWorld();
      const { table } = world.timelines;
      const slow: Table = {
        ...table,
        put: scheduler.scheduleFunction(table.put),
        query: scheduler.scheduleFunction(table.query),
        delete: scheduler.scheduleFunction(table.delete),
      };
      const open: (() => Promise<void>)[] = [];
      for (const [index, { isDone, diesAt }] of all.entries()) {
        const faults = createFaults();
        // Which of its requests are held back begins with the end of the change.
        let own: Table = table;
        const switched = new Proxy(table, { get: (_, name: keyof Table) => own[name] });
        const { begin } = timelineOver(faulty(switched, 'table', faults), world.shopId, clock);
        const contractId = `gid://shopify/SubscriptionContract/${WEEKLY}`;
        const facts = [{ coordinate: 'any', field: `any${index}`, before: 'a', after: 'b' }];
        const change = await begin({ action: `change_${index}`, contractId, details: {}, changes: facts });
        own = slow;
        faults.calls.length = 0;
        faults.plan = ({ count }) => (count === diesAt ? 'after' : undefined);
        open.push(isDone ? change.done : change.notDone);
        if (index % 2 === 0) world.later(1);
      }
      await scheduler.waitFor(Promise.all(open.map((end) => end())));
      world.later(3 * MINUTE_MS);
      await settle();
      const entries = (await world.entries()).map(({ number }) => number);
      const first = [...new Map((await stream()).map(({ id, entry }) => [id, entry?.number])).values()];
      expect(first).toEqual(entries);
      expect(await world.open()).toEqual([]);
    }),
    { numRuns: 40, seed: 20261122 },
  );
});
