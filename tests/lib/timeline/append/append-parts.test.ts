/** Several runs of the append step share the stores, part by part. */
import { expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { STORE_SHARDS, shardOfStore } from '../../../../lib/storage/scheduled-tasks.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { appendLeaseKey } from '../../../../lib/storage/work-queue/shard-lease.ts';
import { appendQueuedItems } from '../../../../lib/timeline/append/append-queued-items.ts';
import { appenderOver } from '../../../appending.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { timelineOver } from '../timeline-world.ts';

const START_MS = Date.parse('2026-11-24T12:00:00Z');
const SHOPS = STORE_SHARDS.map((part) => (81234567000 + part) as ShopId);

async function createWorld() {
  const clock = { nowMs: START_MS };
  const table = createMemoryTable();
  const pause = async (shopId: ShopId, contract: number) => {
    const open = await timelineOver(table, shopId, clock).begin({
      action: 'subscription_paused',
      contractId: `gid://shopify/SubscriptionContract/${contract}`,
      details: {},
      changes: [
        {
          ...{ coordinate: 'SubscriptionContract.status', field: 'status' },
          ...{ before: 'ACTIVE', after: 'PAUSED' },
        },
      ],
    });
    await open.settleAsDone();
  };
  for (const shopId of SHOPS) await pause(shopId, 1);
  const deps = (over: Table = table) => appenderOver({ table: over, now: () => clock.nowMs });
  const appended = async () => {
    const streams = await Promise.all(
      SHOPS.map((shopId) =>
        table.query({ keyCondition: 'pk = :pk', values: { ':pk': `STREAM#${shopId}` }, consistent: true }),
      ),
    );
    return SHOPS.filter((_, index) => (streams[index]?.items.length ?? 0) > 0);
  };
  return { clock, table, deps, appended, pause };
}

test('writes all parts in a single run', async () => {
  const { deps, appended } = await createWorld();
  expect(await appendQueuedItems(deps(), Infinity)).toBe(SHOPS.length);
  expect(await appended()).toEqual(SHOPS);
});

test('counts the items of stores that it appends concurrently', async () => {
  const { deps, pause } = await createWorld();
  const ofSamePart = (SHOPS[0] ?? 0) + STORE_SHARDS.length;
  await pause(ofSamePart as ShopId, 1);
  await pause(ofSamePart as ShopId, 2);
  expect(await appendQueuedItems(deps(), Infinity)).toBe(SHOPS.length + 2);
});

test('writes all other parts in a second run while the first is at one of them', async () => {
  const { table, deps, appended } = await createWorld();
  let second: number | undefined;
  const slow: Table = {
    ...table,
    async put(item, condition) {
      if (second === undefined && item.pk.startsWith('STREAM#')) {
        second = 0;
        second = await appendQueuedItems(deps(), Infinity);
      }
      return table.put(item, condition);
    },
  };
  expect(await appendQueuedItems(deps(slow), Infinity)).toBe(1);
  expect(second).toBe(SHOPS.length - 1);
  expect(await appended()).toEqual(SHOPS);
});

test('a part whose lease a crashed run has left delays no other part', async () => {
  const { clock, table, deps, appended } = await createWorld();
  const [crashed, ...others] = SHOPS;
  const lease = appendLeaseKey(shardOfStore(crashed as ShopId));
  await table.put({ ...lease, leaseToken: 'crashed', leaseUntilMs: clock.nowMs + 55_000 });
  await appendQueuedItems(deps(), Infinity);
  expect(await appended()).toEqual(others);
  clock.nowMs += 55_000;
  await appendQueuedItems(deps(), Infinity);
  expect(await appended()).toEqual(SHOPS);
});

test('a part with a long queue leaves the others their share of the time', async () => {
  const { clock, deps, appended, pause } = await createWorld();
  const own = deps();
  const first = SHOPS[0] as ShopId;
  for (let contract = 2; contract < 40; contract++) await pause(first, contract);
  const isSlow = {
    ...own,
    startAppending: () => {
      const append = own.startAppending();
      return async (...[shopId, records]: Parameters<typeof append>) => {
        if (shopId === first) clock.nowMs += 2_000;
        await append(shopId, records);
      };
    },
  };
  await appendQueuedItems(isSlow, clock.nowMs + 45_000);
  expect(await appended()).toEqual(SHOPS);
});

test('a run that finds nothing queued writes nothing', async () => {
  const { deps, table } = await createWorld();
  await appendQueuedItems(deps(), Infinity);
  const writes: string[] = [];
  const counting: Table = {
    ...table,
    put: (item, condition) => {
      writes.push(item.pk);
      return table.put(item, condition);
    },
    update: (change) => {
      writes.push(change.key.pk);
      return table.update(change);
    },
    delete: (key, condition) => {
      writes.push(key.pk);
      return table.delete(key, condition);
    },
  };
  expect(await appendQueuedItems(deps(counting), Infinity)).toBe(0);
  expect(writes).toEqual([]);
});
