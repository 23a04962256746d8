/** Each store's time zone is read once a day by the scheduled work, of stores from before it was read, too. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Actor } from '../../../../lib/credentials/actor.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { SendWithinBudget } from '../../../../lib/platform/admin-api/send-within-budget.ts';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import { type StoreRecord, storeItemKey, timeZoneOf } from '../../../../lib/storage/stores.ts';
import { installStore } from '../../../../lib/stores/lifecycle/install-store.ts';
import { readShopFacts } from '../../../../lib/stores/lifecycle/read-shop-facts.ts';
import { refreshTimeZones } from '../../../../lib/stores/lifecycle/refresh-time-zones.ts';
import { scheduleMissingTimeZoneRead } from '../../../../lib/stores/lifecycle/schedule-missing-time-zone-read.ts';
import { uninstallStore } from '../../../../lib/stores/lifecycle/uninstall-store.ts';
import { holdsRights, tableOf } from '../../../rights/guarded-table.ts';
import { createWorld, storeFacts, type World } from '../world/world.ts';

const DAY_MS = 86_400_000;
const ZONE = { '#zone': 'timeZone' };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** The platform's response, and the stores of its requests. */
const platform: { answer: () => unknown; requests: ShopId[] } = { answer: () => null, requests: [] };
beforeEach(() => {
  platform.answer = () => ({ shop: { ianaTimezone: 'Pacific/Kiritimati' } });
  platform.requests = [];
});

const enqueued: ShopId[] = [];
const enqueueStore = async (shopId: ShopId) => {
  enqueued.push(shopId);
};

const sendWithinBudget: SendWithinBudget = async ({ store }) => {
  platform.requests.push(store.shopId);
  return { data: platform.answer() as never, errors: [], cost: undefined };
};

function work() {
  const own = world.container();
  const deps = { ...own, table: tableOf('scheduled-work', own.table) };
  const parts = {
    ...deps,
    scheduledTasks: createScheduledTaskRepository(deps),
    sendWithinBudget,
    enqueueStore,
  };
  return refreshTimeZones(parts, world.now() + 600_000);
}

/** Returns the number of requests for this store's zone in a run of the scheduled work. */
async function requestsInRun(shopId: ShopId): Promise<number> {
  platform.requests = [];
  await work();
  return platform.requests.filter((one) => one === shopId).length;
}

async function storeOf(shopId: ShopId): Promise<StoreRecord> {
  return (await world.container().stores.find(shopId)) as StoreRecord;
}

/** As the release before this one installed stores. */
async function installedBefore(): Promise<ShopId> {
  const { shopId } = await world.installed();
  const { table } = world.container();
  await table.update({ key: storeItemKey(shopId), update: 'REMOVE #zone', names: ZONE });
  const scheduledTasks = createScheduledTaskRepository(world.container());
  for await (const item of scheduledTasks.listDue('time-zone', world.now() + 3 * DAY_MS)) {
    if (item.shopId === shopId) await scheduledTasks.remove(item);
  }
  return shopId;
}

/** A request of a container in which nothing is known of the store. */
async function request(shopId: ShopId, faults?: 'no table'): Promise<void> {
  const deps = world.container();
  if (faults !== undefined) {
    deps.table.put = async () => {
      throw new ServiceError('TEMPORARILY_UNAVAILABLE');
    };
  }
  const actor = { kind: 'customer', shopId, store: await storeOf(shopId) } as unknown as Actor;
  const event = { exchange: { actor } };
  await scheduleMissingTimeZoneRead(deps).before?.({ event } as never);
}

test('a store that is installed names its days in the zone that the platform told', async () => {
  const { shopId } = await world.installed();
  expect(timeZoneOf(await storeOf(shopId))).toBe('America/New_York');
  world.advance(DAY_MS);
  expect(await requestsInRun(shopId)).toBe(1);
  expect(timeZoneOf(await storeOf(shopId))).toBe('Pacific/Kiritimati');
  // The store is enqueued for reconciliation, even without a webhook.
  expect(enqueued).toContain(shopId);
});

test('the zone is read once a day, however often the work runs', async () => {
  const { shopId } = await world.installed();
  const { domain } = await storeOf(shopId);
  await installStore(world.container(), storeFacts({ shopId, domain }));
  let requests = 0;
  for (let hour = 0; hour < 72; hour += 6) {
    world.advance(DAY_MS / 4);
    requests += await requestsInRun(shopId);
  }
  expect(requests).toBe(3);
});

test('a store of the release before counts days in UTC until its first request has the zone read', async () => {
  const shopId = await installedBefore();
  expect(timeZoneOf(await storeOf(shopId))).toBe('UTC');
  expect(await requestsInRun(shopId)).toBe(0);
  await Promise.all([request(shopId), request(shopId)]);
  expect(await requestsInRun(shopId)).toBe(1);
  expect(timeZoneOf(await storeOf(shopId))).toBe('Pacific/Kiritimati');
  expect(await requestsInRun(shopId)).toBe(0);
  world.advance(DAY_MS);
  expect(await requestsInRun(shopId)).toBe(1);
});

test('no request fails because the reading cannot be noted; the next one notes it', async () => {
  const shopId = await installedBefore();
  await request(shopId, 'no table');
  expect(await requestsInRun(shopId)).toBe(0);
  await request(shopId);
  expect(await requestsInRun(shopId)).toBe(1);
});

test.each([
  ['a zone that is not known', () => ({ shop: { ianaTimezone: 'Mars/Olympus_Mons' } })],
  ['nothing', () => null],
  [
    'that the grant has ended',
    () => {
      throw new ServiceError('STORE_DISCONNECTED');
    },
  ],
])(
  'where the platform tells %s the old zone stays, and the next day it is asked again',
  async (_, answer) => {
    const { shopId } = await world.installed();
    platform.answer = answer;
    world.advance(DAY_MS);
    expect(await requestsInRun(shopId)).toBe(1);
    expect(timeZoneOf(await storeOf(shopId))).toBe('America/New_York');
    expect(await requestsInRun(shopId)).toBe(0);
    world.advance(DAY_MS);
    expect(await requestsInRun(shopId)).toBe(1);
  },
);

test('where the platform does not answer the next run asks again', async () => {
  const { shopId } = await world.installed();
  platform.answer = () => {
    throw new ServiceError('PLATFORM_UNAVAILABLE');
  };
  world.advance(DAY_MS);
  expect(await requestsInRun(shopId)).toBe(1);
  expect(await requestsInRun(shopId)).toBe(1);
});

test('a store that is not installed is asked for nothing, and again once it is', async () => {
  const { shopId, domain } = await world.installed();
  await uninstallStore(world.container(), shopId);
  world.advance(DAY_MS);
  expect(await requestsInRun(shopId)).toBe(0);
  await installStore(world.container(), storeFacts({ shopId, domain }));
  world.advance(DAY_MS);
  expect(await requestsInRun(shopId)).toBe(1);
});

test('a zone that is kept and that this runtime does not know is no crash: days are those of UTC', async () => {
  const { shopId } = await world.installed();
  const values = { ':zone': 'Mars/Olympus_Mons' };
  const update = { key: storeItemKey(shopId), update: 'SET #zone = :zone', names: ZONE, values };
  await world.container().table.update(update);
  expect(timeZoneOf(await storeOf(shopId))).toBe('UTC');
});

test.each([['Mars/Olympus_Mons'], [undefined]])('a store in the zone %p is not installed', async (zone) => {
  const shop = {
    id: 'gid://shopify/Shop/1',
    name: 'Mars',
    ianaTimezone: zone,
    primaryDomain: { url: 'https://m' },
  };
  const sendAdminRequest = async () => ({
    status: 200,
    retryAfter: undefined,
    body: JSON.stringify({ data: { shop } }),
  });
  const deps = { sendAdminRequest, platformOrigin: 'https://{shop}', platformApiVersion: '2026-07' };
  const request = { domain: 'mars.myshopify.com', accessToken: 'shpat_1' };
  await expect(readShopFacts(deps as never, request)).rejects.toThrow('Choose another in the store');
});

holdsRights();
