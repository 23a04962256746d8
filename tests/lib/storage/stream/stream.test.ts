import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createAppendToStream } from '../../../../lib/storage/stream/append-to-stream.ts';
import {
  findStreamNumberSince,
  readLastStreamRecord,
  readStream,
} from '../../../../lib/storage/stream/read-stream.ts';
import {
  type NewStreamRecord,
  STREAM_LIFETIME_MS,
  toStreamItem,
} from '../../../../lib/storage/stream/stream-record.ts';
import type { Item, Table } from '../../../../lib/storage/table.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { Crash, crashEverywhere, createFaults, faulty } from '../../stores/world/faults.ts';

const SHOP = 83000000001 as ShopId;
const OTHER_SHOP = 83000000002 as ShopId;
const START_MS = Date.parse('2026-11-21T12:00:00Z');

let table: ReturnType<typeof createMemoryTable>;
let nowMs = START_MS;
beforeEach(() => {
  table = createMemoryTable();
  nowMs = START_MS;
});

const now = () => nowMs;
/** A run of its own. */
const container = (over: Pick<Table, 'put' | 'query'> = table) => {
  const append = createAppendToStream({ table: over, now });
  return (record: NewStreamRecord) => append(record.shopId, [record]);
};
const entry = (id: string, shopId = SHOP) => ({
  shopId,
  id,
  contract: '31',
  entry: { number: id, action: 'subscription_paused', type: 'subscription.paused' },
});
const all = (shopId = SHOP) => readStream({ table, now }, shopId, { fromNumber: 0, limit: 10_000 });
const eventIds = async (shopId = SHOP) => (await all(shopId)).map(({ id }) => id);

/** The numbers follow one another, each taken once. */
async function expectDense(shopId = SHOP): Promise<void> {
  const numbers = (await all(shopId)).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
}

test('appends each record behind the last one, every store having a stream of its own', async () => {
  const place = container();
  for (const id of ['a', 'b']) await place(entry(id));
  await place(entry('c', OTHER_SHOP));
  expect([await eventIds(), await eventIds(OTHER_SHOP)]).toEqual([['a', 'b'], ['c']]);
  await expectDense();
  const [record] = await all();
  expect(record).toEqual({ ...entry('a'), number: START_MS, placedAtMs: START_MS });
});

test('two runs at once lose no record, and leave no gap', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1), { maxLength: 30 }), fc.scheduler(), async (work, scheduler) => {
      table = createMemoryTable();
      const slow = {
        put: scheduler.scheduleFunction(table.put),
        query: scheduler.scheduleFunction(table.query),
      };
      const runs = [0, 1].map(async (run) => {
        const append = container(slow);
        for (const [index, own] of work.entries()) if (own === run) await append(entry(`${index}`));
      });
      await scheduler.waitFor(Promise.all(runs));
      expect((await eventIds()).toSorted()).toEqual(work.map((_, index) => `${index}`).toSorted());
      await expectDense();
    }),
    { numRuns: 30, seed: 20261121 },
  );
});

test('gives up when other runs are faster each time', async () => {
  const refusing = { ...table, put: async () => 'refused' as const };
  await expect(container(refusing)(entry('own'))).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
});

test('one whose place was taken between its look and its write goes behind it', async () => {
  const slow = container();
  await slow(entry('a'));
  await container()(entry('b'));
  await slow(entry('c'));
  expect(await eventIds()).toEqual(['a', 'b', 'c']);
});

test('one whose answer was lost is found, and not placed again', async () => {
  // As the table's client does it: the second try of a request is refused by the first.
  const twice: Pick<Table, 'put' | 'query'> = {
    query: table.query,
    async put(item, condition) {
      await table.put(item, condition);
      return table.put(item, condition);
    },
  };
  const place = container(twice);
  for (const id of ['a', 'b']) await place(entry(id));
  expect(await eventIds()).toEqual(['a', 'b']);
});

test('a failure of one keeps no other from its place', async () => {
  const faults = createFaults();
  const place = container(faulty<Table>(table, 'table', faults));
  await place(entry('a'));
  let failed = false;
  faults.plan = () => {
    if (failed) return undefined;
    failed = true;
    return 'down';
  };
  const placed = await Promise.allSettled(['b', 'c'].map((id) => place(entry(id))));
  expect(placed.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await eventIds()).toEqual(['a', 'c']);
});

test('a process that dies at any point, and places again: nothing is lost, and there is no gap', async () => {
  const points = await crashEverywhere(
    async (fault) => {
      table = createMemoryTable();
      const faults = createFaults();
      faults.plan = fault;
      const dying = container(faulty<Table>(table, 'table', faults));
      try {
        for (const id of ['a', 'b']) await dying(entry(id));
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        for (const id of ['a', 'b']) await container()(entry(id));
        throw error;
      }
    },
    async (point) => {
      expect([point, [...new Set(await eventIds())]]).toEqual([point, ['a', 'b']]);
      await expectDense();
    },
  );
  expect(points).toBeGreaterThan(6);
});

describe('after 30 days', () => {
  /** As DynamoDB cleans up, some time after. */
  async function cleanUp(): Promise<void> {
    const { items } = await table.query({ keyCondition: 'pk = :pk', values: { ':pk': `STREAM#${SHOP}` } });
    const isOver = ({ expiresAt }: Item) => expiresAt !== undefined && Number(expiresAt) * 1000 < nowMs;
    for (const item of items.filter(isOver)) await table.delete(item);
  }

  test('what was placed is read no more, cleaned up or not', async () => {
    await container()(entry('a'));
    nowMs += STREAM_LIFETIME_MS;
    expect(await eventIds()).toEqual([]);
  });

  test('a stream of which nothing is left goes on above all that it held, with those that remember it too', async () => {
    const old = container();
    for (const id of ['a', 'b', 'c']) await old(entry(id));
    const before = (await readLastStreamRecord({ table }, SHOP))?.number ?? 0;
    nowMs += STREAM_LIFETIME_MS + 2000;
    await cleanUp();
    expect(await readLastStreamRecord({ table }, SHOP)).toBeUndefined();
    await Promise.all([old(entry('d')), container()(entry('e')), container()(entry('f'))]);
    await old(entry('g'));
    expect((await eventIds()).sort()).toEqual(['d', 'e', 'f', 'g']);
    await expectDense();
    expect((await all())[0]?.number).toBeGreaterThan(before);
  });
});

test('a time is found in a stream, however it lies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3), { maxLength: 40 }),
      fc.integer({ min: -2, max: 60 }),
      async (gaps, sinceMs) => {
        table = createMemoryTable();
        let atMs = START_MS;
        let number = START_MS;
        const placed: { number: number; atMs: number }[] = [];
        for (const gap of gaps) {
          atMs += gap;
          placed.push({ number, atMs });
          await table.put(toStreamItem({ ...entry(`${number}`), number: number++, placedAtMs: atMs }));
        }
        nowMs = atMs;
        const found = await findStreamNumberSince({ table, now }, SHOP, START_MS + sinceMs);
        const first = placed.find((one) => one.atMs >= START_MS + sinceMs);
        expect(found).toBe(first?.number ?? (placed.length === 0 ? 0 : number));
      },
    ),
    { numRuns: 100, seed: 20261121 },
  );
});
