/** The stream trigger: an event of the table's stream that starts the worker that delivers before the schedule does. */
import { expect, test } from '@jest/globals';
import { shardOfStore } from '../../../lib/storage/scheduled-tasks.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { appendLeaseKey } from '../../../lib/storage/work-queue/shard-lease.ts';
import { createStreamTriggerWorld, SHOP, STREAM_EVENT, TICK } from './stream-trigger-world.ts';

const LEASE = appendLeaseKey(shardOfStore(SHOP));

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** The longest that the stream gathers records, and what a container needs to start and append. */
const [WINDOW_MS, START_AND_APPEND_MS] = [2 * SECOND_MS, SECOND_MS];

test('delivers a change by the stream trigger, without a tick of the schedule', async () => {
  const world = await createStreamTriggerWorld();
  await world.pause(11);
  await world.run(STREAM_EVENT);
  expect(world.deliveries).toEqual([{ contract: 11, type: 'subscription.paused', atMs: world.clock.nowMs }]);
});

test('delivers everything by the schedule when the stream trigger is switched off', async () => {
  const world = await createStreamTriggerWorld();
  for (const contract of [11, 12, 13]) await world.pause(contract);
  world.clock.nowMs += MINUTE_MS;
  await world.run(TICK);
  expect(world.contracts()).toEqual([11, 12, 13]);
});

/** The table, which does something once before its next write of this kind to the append lease. */
function before(base: Table, write: 'update' | 'delete', action: () => Promise<unknown>): Table {
  let isDone = false;
  const once = async (pk: string) => {
    if (isDone || pk !== LEASE.pk) return;
    isDone = true;
    await action();
  };
  return {
    ...base,
    update: async (change) => {
      if (write === 'update') await once(change.key.pk);
      return base.update(change);
    },
    delete: async (key, condition) => {
      if (write === 'delete') await once(key.pk);
      return base.delete(key, condition);
    },
  };
}

test('delivers a change whose stream event arrived while another run had listed the queue and held the lease', async () => {
  const world = await createStreamTriggerWorld();
  await world.pause(11);
  const releasing = before(world.base, 'delete', async () => {
    await world.pause(12);
    await world.run(STREAM_EVENT);
  });
  await world.run(TICK, releasing);
  expect(world.contracts().sort()).toEqual([11, 12]);
});

test('appends by itself when the lease was released between its two attempts', async () => {
  const world = await createStreamTriggerWorld();
  await world.pause(11);
  await world.base.put({ ...LEASE, leaseUntilMs: world.clock.nowMs + MINUTE_MS });
  let updates = 0;
  const released: Table = {
    ...world.base,
    async update(change) {
      if (change.key.pk === LEASE.pk && ++updates === 2) await world.base.delete(change.key);
      return world.base.update(change);
    },
  };
  await world.run(STREAM_EVENT, released);
  expect(world.contracts()).toEqual([11]);
});

test('lists the queue four times at most for stream events that never stop', async () => {
  const world = await createStreamTriggerWorld();
  await world.pause(11);
  let listed = 0;
  const ringing: Table = {
    ...world.base,
    async delete(key, condition) {
      if (key.pk === LEASE.pk) {
        listed++;
        await world.base.update({
          key: LEASE,
          update: 'SET rungAtMs = :now',
          values: { ':now': 1 },
        });
      }
      return world.base.delete(key, condition);
    },
  };
  await world.run(STREAM_EVENT, ringing);
  // The fifth attempt releases the lease, even after a new ring.
  expect(listed).toBe(5);
  expect(await world.base.get(LEASE)).toBeUndefined();
});

test('a run delivers what is appended while it has the store', async () => {
  const world = await createStreamTriggerWorld();
  await world.pause(11);
  world.duringSend.push(async () => {
    await world.pause(12);
    await world.run(STREAM_EVENT);
  });
  await world.run(STREAM_EVENT);
  expect(world.contracts()).toEqual([11, 12]);
});

test.each([
  ['no records', { Records: [] }],
  ['records that are no list', { Records: 'x' }],
  ['records of nothing', { Records: [null, 7, {}, { dynamodb: null }] }],
  ['keys that are none of ours', { Records: [{ dynamodb: { Keys: { pk: { N: '1' } } } }] }],
])('takes a stream event with %s as any other', async (_, event) => {
  const world = await createStreamTriggerWorld();
  await world.pause(11);
  await expect(world.run(event)).resolves.toBeUndefined();
  expect(world.contracts()).toEqual([11]);
});

test('throws nothing for a stream event when the table is out of reach, and the schedule delivers later', async () => {
  const world = await createStreamTriggerWorld();
  await world.pause(11);
  const fail = () => Promise.reject(new Error('out of reach'));
  const broken: Table = { get: fail, batchGet: fail, put: fail, update: fail, delete: fail, query: fail };
  await expect(world.run(STREAM_EVENT, broken)).resolves.toBeUndefined();
  await expect(world.run(TICK, broken)).rejects.toThrow('out of reach');
  await world.run(TICK);
  expect(world.contracts()).toEqual([11]);
});

/** How long each of 100 changes at random moments waits for the first poll after it, which has to deliver it. */
async function waits(pollAfter: (atMs: number) => number, event: unknown): Promise<number[]> {
  const world = await createStreamTriggerWorld();
  const startMs = world.clock.nowMs;
  const waited: number[] = [];
  for (let index = 0; index < 100; index++) {
    // Steps of 17.7 s fall on all parts of a minute.
    const changedAtMs = startMs + index * 17_700;
    world.clock.nowMs = changedAtMs;
    await world.pause(1000 + index);
    world.clock.nowMs = pollAfter(changedAtMs);
    await world.run(event);
    expect(world.contracts().at(-1)).toBe(1000 + index);
    waited.push(world.clock.nowMs - changedAtMs + START_AND_APPEND_MS);
  }
  return waited.sort((one, other) => one - other);
}

test('half of all changes arrive within five seconds by the stream trigger, in one poll each', async () => {
  const waited = await waits((atMs) => atMs + WINDOW_MS, STREAM_EVENT);
  expect(waited[50]).toBeLessThanOrEqual(5 * SECOND_MS);
});

test('every change arrives with the next minute by the schedule, in one poll each', async () => {
  const waited = await waits((atMs) => (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS, TICK);
  expect(waited[50]).toBeGreaterThan(20 * SECOND_MS);
  expect(waited.at(-1)).toBeLessThanOrEqual(MINUTE_MS + START_AND_APPEND_MS);
});
