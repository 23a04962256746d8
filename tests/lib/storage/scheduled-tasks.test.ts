import { describe, expect, test } from '@jest/globals';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import {
  createScheduledTaskRepository,
  PARTITION_KEYS_PER_BUCKET,
  readDueTasksInBatches,
  type ScheduledTask,
  type ScheduledTaskKind,
  STORE_SHARDS,
  type StoreShard,
  scheduledTaskKey,
  shardOfStore,
} from '../../../lib/storage/scheduled-tasks.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createFaults, faulty } from '../stores/world/faults.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-11-21T12:00:00Z');

function createWorld() {
  const clock = { nowMs: START_MS };
  const faults = createFaults();
  const table = faulty(createMemoryTable(), 'table', faults);
  const now = () => clock.nowMs;
  const container = () => createScheduledTaskRepository({ table, now });
  const items = container();
  const due = async (kind: ScheduledTaskKind = 'pause', nowMs = clock.nowMs, part?: StoreShard) => {
    const names: string[] = [];
    for await (const { name } of items.listDue(kind, nowMs, part)) names.push(name);
    return names;
  };
  return { clock, faults, items, container, due };
}

const item = (name: string, dueAtMs: number, kind: ScheduledTaskKind = 'pause'): ScheduledTask => ({
  kind,
  shopId: 81234567001 as ShopId,
  dueAtMs,
  name,
  payload: { of: name },
});

test('nothing was ever put: nothing is due, for one request', async () => {
  const { due, faults } = createWorld();
  expect(await due()).toEqual([]);
  expect(faults.calls).toHaveLength(1);
});

test('lists scheduled tasks that are due, oldest first and by kind, and no others', async () => {
  const { items, due, clock } = createWorld();
  await items.put(item('later', START_MS + 3 * DAY_MS));
  await items.put(item('soon', START_MS + 1));
  await items.put(item('now', START_MS));
  await items.put(item('yesterday', START_MS - DAY_MS));
  await items.put(item('other', START_MS - DAY_MS, 'intent'));
  expect(await due()).toEqual(['yesterday', 'now']);
  expect(await due('intent')).toEqual(['other']);
  clock.nowMs += 4 * DAY_MS;
  expect(await due()).toEqual(['yesterday', 'now', 'soon', 'later']);
});

test('in batches, none of which ends within a millisecond', async () => {
  const { items } = createWorld();
  for (const ms of [1, 2, 2, 2, 3, 4, 4])
    await items.put(item(`${ms} ${crypto.randomUUID()}`, START_MS + ms));
  const batches: number[][] = [];
  const taken = readDueTasksInBatches(items, { kind: 'pause', nowMs: START_MS + 9, batchSize: 2 });
  for await (const batch of taken) batches.push(batch.map(({ dueAtMs }) => dueAtMs - START_MS));
  expect(batches).toEqual([
    [1, 2, 2, 2],
    [3, 4, 4],
  ]);
});

test('writes neighbouring stores to different keys, and lists all of their tasks oldest first', async () => {
  const { items, due } = createWorld();
  const shopIds = Array.from({ length: 20 }, (_, index) => (81234567001 + index) as ShopId);
  const otherItems = shopIds.flatMap((shopId, index) =>
    [0, 1].map((hour) => ({ ...item(`${hour}-${index}`, START_MS - hour * HOUR_MS - index), shopId })),
  );
  expect(new Set(otherItems.map((each) => scheduledTaskKey(each).pk)).size).toBe(PARTITION_KEYS_PER_BUCKET);
  for (const each of otherItems) await items.put(each);
  const inOrder = otherItems.toSorted((one, other) => one.dueAtMs - other.dueAtMs);
  expect(await due()).toEqual(inOrder.map(({ name }) => name));
});

test('lists each store in exactly one part', async () => {
  const { items, due } = createWorld();
  const shopIds = Array.from({ length: 20 }, (_, index) => (81234567001 + index) as ShopId);
  for (const shopId of shopIds) await items.put({ ...item(`${shopId}`, START_MS), shopId });
  const listed = await Promise.all(STORE_SHARDS.map((part) => due('pause', START_MS, part)));
  expect(listed).toEqual(
    STORE_SHARDS.map((part) => shopIds.filter((shopId) => shardOfStore(shopId) === part).map(String)),
  );
});

test('a part whose oldest days are empty passes over no day of another part', async () => {
  const { items, due, clock } = createWorld();
  const shopId = 81234567001 as ShopId;
  const [own, other] = [shardOfStore(shopId), (shardOfStore(shopId) + 1) % STORE_SHARDS.length];
  const waiting = item('waiting', START_MS);
  await items.put(waiting);
  clock.nowMs += 3 * DAY_MS;
  for (let run = 0; run < 2; run++) expect(await due('pause', clock.nowMs, other)).toEqual([]);
  expect(await due('pause', clock.nowMs, own)).toEqual(['waiting']);
});

test('a part passes over days that hold nothing of any store', async () => {
  const { items, due, clock, faults } = createWorld();
  await items.put(item('done', START_MS));
  await items.remove(item('done', START_MS));
  clock.nowMs += 9 * DAY_MS;
  await due('pause', clock.nowMs, 3);
  faults.calls.length = 0;
  await due('pause', clock.nowMs, 3);
  // The marker item, and the key of the bucket on this day.
  expect(faults.calls).toHaveLength(2);
});

test('lists the tasks of one store in a span over the end of a day, and none of its neighbours', async () => {
  const { items } = createWorld();
  const shopId = 81234567001 as ShopId;
  const midnightMs = Math.ceil(START_MS / DAY_MS) * DAY_MS;
  const span = { fromMs: midnightMs - HOUR_MS, toMs: midnightMs + HOUR_MS };
  for (const [name, dueAtMs] of [
    ['too early', span.fromMs - 1],
    ['first', span.fromMs],
    ['after midnight', midnightMs],
    ['last', span.toMs],
    ['too late', span.toMs + 1],
  ] as const) {
    await items.put(item(name, dueAtMs));
    const neighbour = (shopId + PARTITION_KEYS_PER_BUCKET) as ShopId;
    await items.put({ ...item(`neighbour's ${name}`, dueAtMs), shopId: neighbour });
  }
  await items.put(item('of another kind', midnightMs, 'intent'));
  const names: string[] = [];
  for await (const { name } of items.listOfStore('pause', shopId, span)) names.push(name);
  expect(names).toEqual(['first', 'after midnight', 'last']);
});

test('stores one task of a kind, store, time and name, finds it, and removes it without complaint', async () => {
  const { items, due } = createWorld();
  const one = item('one', START_MS);
  expect([await items.put(one), await items.put(one)]).toEqual(['done', 'refused']);
  expect(await items.find(one)).toEqual(one);
  await items.remove(one);
  await items.remove(one);
  expect([await items.find(one), await due()]).toEqual([undefined, []]);
});

describe('wherever the mark of the oldest bucket is', () => {
  test('an item before the first that was ever put is found', async () => {
    const { items, container, due, clock } = createWorld();
    await items.put(item('far', START_MS + 100 * DAY_MS));
    await items.put(item('near', START_MS + DAY_MS));
    clock.nowMs += 2 * DAY_MS;
    expect(await due()).toEqual(['near']);
    await container().put(item('from elsewhere', clock.nowMs - 2 * DAY_MS));
    expect(await due()).toEqual(['from elsewhere', 'near']);
  });

  test('reads the empty days once after a long time without work', async () => {
    const { items, due, clock, faults } = createWorld();
    await items.put(item('old', START_MS));
    clock.nowMs += 50 * DAY_MS;
    for (const name of await due()) await items.remove(item(name, START_MS));
    await due();
    faults.calls.length = 0;
    expect(await due()).toEqual([]);
    // The marker item, and the buckets of today and yesterday.
    expect(faults.calls.length).toBeLessThanOrEqual(1 + 2 * PARTITION_KEYS_PER_BUCKET);
  });

  test('finds a task that was put late, by a clock that is behind', async () => {
    const { items, due, clock } = createWorld();
    await items.put(item('first', START_MS));
    clock.nowMs += 10 * DAY_MS;
    await items.remove(item('first', START_MS));
    await due();
    // Its container thinks that it is half an hour earlier.
    clock.nowMs -= HOUR_MS / 2;
    await items.put(item('late', clock.nowMs));
    clock.nowMs += DAY_MS;
    expect(await due()).toEqual(['late']);
    await items.put(item('long ago', START_MS - DAY_MS));
    expect(await due()).toEqual(['long ago', 'late']);
  });

  test('lists an unfinished task again, and never skips it', async () => {
    const { items, due, clock } = createWorld();
    await items.put(item('stuck', START_MS));
    for (let day = 0; day < 5; day++) {
      clock.nowMs += 10 * DAY_MS;
      expect(await due()).toEqual(['stuck']);
    }
  });
});
