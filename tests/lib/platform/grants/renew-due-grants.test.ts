/** The scheduled work renews expiring grants before any request needs it. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { PlatformGrant } from '../../../../lib/platform/grants/platform-grant.ts';
import type { PostForm } from '../../../../lib/platform/grants/post-form.ts';
import { renewDueGrants } from '../../../../lib/platform/grants/renew-due-grants.ts';
import { createRenewGrant } from '../../../../lib/platform/grants/renew-grant.ts';
import { createStoreGrantReader } from '../../../../lib/platform/grants/store-grants.ts';
import { STORE_CONCURRENCY } from '../../../../lib/storage/for-each-store.ts';
import { createScheduledTaskRepository, STORE_SHARDS } from '../../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { uninstallStore } from '../../../../lib/stores/lifecycle/uninstall-store.ts';
import { updateStore } from '../../../../lib/stores/lifecycle/update-store.ts';
import type { Fault } from '../../stores/world/faults.ts';
import { createWorld, type Deps, type World } from '../../stores/world/world.ts';

const MINUTE_MS = 60_000;
const RUN_MS = 10 * MINUTE_MS;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

/** A grant that expires in this many minutes. */
const ending = (minutes: number): PlatformGrant => ({
  accessToken: 'access-1',
  scopes: [],
  expiresAt: new Date(world.now() + minutes * MINUTE_MS).toISOString(),
  refreshToken: 'refresh-1',
  clientId: 'client',
  clientSecret: 'secret',
});

/** Stores with a grant that ends in `minutes`, a platform that renews it for an hour, and the scheduled work. */
async function setUp({
  minutes = 60,
  stores = 1,
  faults,
}: {
  minutes?: number;
  stores?: number;
  faults?: Fault;
} = {}) {
  const shopIds: ShopId[] = [];
  for (let made = 0; made < stores; made++) {
    const { shopId } = await world.installed();
    const deps = world.container();
    if (faults !== undefined) failScheduledTasks(deps, faults);
    await updateStore(deps, { shopId, properties: {}, grant: ending(minutes) });
    shopIds.push(shopId);
  }
  const requests: string[] = [];
  const platform: { answer: PostForm } = {
    answer: async () => {
      const number = requests.length + 1;
      const body = { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3600 };
      return { status: 200, body: JSON.stringify(body) };
    },
  };
  const deps = world.container();
  const scheduledTasks = createScheduledTaskRepository(deps);
  const postForm: PostForm = async (url, fields) => {
    requests.push(String(fields.refresh_token));
    return platform.answer(url, fields);
  };
  /** The start times of delayed renewals. */
  const startsMs: number[] = [];
  /** Several wait at the same time. */
  const wait = async (ms: number) => {
    const untilMs = world.now() + ms;
    startsMs.push(untilMs);
    await Promise.resolve();
    world.advance(Math.max(0, untilMs - world.now()));
  };
  const renewGrant = createRenewGrant({ ...deps, postForm, platformOrigin: 'https://{shop}' });
  const grants = createStoreGrantReader({ ...deps, renewGrant });
  const storeOf = async (shopId = shopIds[0]) => (await deps.stores.find(shopId as ShopId)) as StoreRecord;
  return {
    ...{ deps, requests, platform, grants, shopIds, storeOf, startsMs },
    work: () => renewDueGrants({ ...deps, scheduledTasks, grants, wait }, world.now() + RUN_MS),
    /** The token that a request would use. */
    token: async (shopId = shopIds[0]) => (await grants.read(await storeOf(shopId))).accessToken,
    async reminders() {
      let count = 0;
      for await (const { shopId } of scheduledTasks.listDue(
        'grant-renewal',
        world.now() + 24 * 60 * MINUTE_MS,
      )) {
        if (shopIds.includes(shopId)) count++;
      }
      return count;
    },
  };
}

/** An update of a grant writes only the reminder, and before it the day's marker of its kind. */
function failScheduledTasks({ faults }: Deps, fault: Fault): void {
  faults.plan = ({ operation }) => (operation === 'put' ? fault : undefined);
}

test('a grant is renewed in its last twenty minutes, and again an hour later, though nobody uses the store', async () => {
  const { work, requests, token, reminders } = await setUp();
  expect(await work()).toBe(0);
  world.advance(39 * MINUTE_MS);
  expect(await work()).toBe(0);
  world.advance(2 * MINUTE_MS);
  expect(await work()).toBe(1);
  expect(await work()).toBe(0);
  expect([await token(), requests, await reminders()]).toEqual(['access-2', ['refresh-1'], 1]);
  world.advance(41 * MINUTE_MS);
  expect(await work()).toBe(1);
  expect([await token(), requests, await reminders()]).toEqual(['access-3', ['refresh-1', 'refresh-2'], 1]);
});

test('a grant that a request has renewed meanwhile is left alone', async () => {
  const { work, requests, grants, storeOf, reminders } = await setUp();
  world.advance(41 * MINUTE_MS);
  const store = await storeOf();
  await grants.renew(store, store.platformVersionId ?? '');
  expect(await work()).toBe(0);
  expect([requests, await reminders()]).toEqual([['refresh-1'], 1]);
});

test('a platform that does not answer is asked again by the next run, and holds up no other store', async () => {
  const { work, requests, platform, shopIds, token, reminders } = await setUp({ stores: 3 });
  const { answer } = platform;
  world.advance(41 * MINUTE_MS);
  let isDown = true;
  platform.answer = async (...form) => (isDown && requests.length === 1 ? undefined : answer(...form));
  expect(await work()).toBe(2);
  expect(await reminders()).toBe(3);
  isDown = false;
  expect(await work()).toBe(1);
  expect(await reminders()).toBe(3);
  for (const shopId of shopIds) expect(await token(shopId)).not.toBe('access-1');
});

test('a grant that has ended for good raises the alarm once', async () => {
  const { work, platform, shopIds, reminders } = await setUp();
  world.advance(41 * MINUTE_MS);
  platform.answer = async () => ({ status: 400, body: '{"error":"invalid_grant"}' });
  expect([await work(), await work(), await reminders()]).toEqual([0, 0, 0]);
  const alarms = world.logs.filter(
    ({ fields }) => fields.shopId === shopIds[0] && fields.alarm !== undefined,
  );
  expect(alarms.map(({ fields }) => fields.alarm)).toEqual(['store-disconnected']);
});

test('a refused grant that is still good is asked for by each run and told, until it has ended', async () => {
  const { work, platform, shopIds, reminders, token, requests } = await setUp();
  world.advance(41 * MINUTE_MS);
  platform.answer = async () => ({ status: 401, body: '{"error":"invalid_client"}' });
  expect([await work(), await token(), await reminders()]).toEqual([0, 'access-1', 1]);
  world.advance(15 * MINUTE_MS);
  expect([await work(), await token(), await reminders()]).toEqual([0, 'access-1', 1]);
  world.advance(15 * MINUTE_MS);
  expect([await work(), await work(), await reminders()]).toEqual([0, 0, 0]);
  expect(requests).toHaveLength(3);
  const alarms = world.logs.filter(
    ({ fields }) => fields.shopId === shopIds[0] && fields.alarm !== undefined,
  );
  expect(alarms).toHaveLength(3);
});

test('a grant of client credentials is asked for again in its last four hours', async () => {
  const { work, deps, requests, token, shopIds, platform } = await setUp();
  const shopId = shopIds[0] as ShopId;
  const { refreshToken: _none, ...own } = ending(24 * 60);
  await updateStore(deps, { shopId, properties: {}, grant: { ...own, renewedBy: 'client_credentials' } });
  platform.answer = async (_url, fields) => {
    expect(fields.grant_type).toBe('client_credentials');
    return { status: 200, body: '{"access_token":"access-2","expires_in":86399}' };
  };
  world.advance((20 * 60 - 5) * MINUTE_MS);
  expect(await work()).toBe(0);
  world.advance(10 * MINUTE_MS);
  expect([await work(), await token(), requests.length]).toEqual([1, 'access-2', 1]);
  world.advance(20 * 60 * MINUTE_MS);
  expect(await work()).toBe(1);
});

test('a store that is uninstalled is forgotten', async () => {
  const { work, deps, requests, shopIds, reminders } = await setUp();
  await uninstallStore(deps, shopIds[0] as ShopId);
  world.advance(41 * MINUTE_MS);
  expect([await work(), requests, await reminders()]).toEqual([0, [], 0]);
});

test('a grant that does not end has no reminder', async () => {
  const { shopId } = await world.installed();
  const scheduledTasks = createScheduledTaskRepository(world.container());
  for await (const item of scheduledTasks.listDue('grant-renewal', world.now() + 24 * 60 * MINUTE_MS)) {
    expect(item.shopId).not.toBe(shopId);
  }
});

test.each<Fault>(['down', 'lost'])(
  'a reminder that is %s keeps no grant from being stored; a request renews it',
  async (fault) => {
    const { token, requests } = await setUp({ minutes: 1, faults: fault });
    expect([await token(), requests]).toEqual(['access-2', ['refresh-1']]);
  },
);

test('renews the grants of a part of the stores at its share of the rate', async () => {
  const { work, startsMs } = await setUp({ stores: 20 });
  world.advance(41 * MINUTE_MS);
  const beganAtMs = world.now();
  expect(await work()).toBe(20);
  const starts = [beganAtMs, ...startsMs];
  expect(starts).toHaveLength(20);
  const inTheSecondFrom = (fromMs: number) =>
    starts.filter((atMs) => atMs >= fromMs && atMs < fromMs + 1000).length;
  // Eight runs at the same time write twice for each, of the 50 writes a second that Secrets Manager takes.
  expect(Math.max(...starts.map(inTheSecondFrom)) * STORE_SHARDS.length * 2).toBeLessThanOrEqual(50);
  // 10,000 stores are renewed every 45 minutes, so a run has a third of a part's to do.
  const secondsOfRun = (((starts.at(-1) ?? 0) - beganAtMs) / 1000 / 19) * (10_000 / STORE_SHARDS.length / 3);
  expect(secondsOfRun).toBeLessThan(RUN_MS / 1000);
});

test('few are renewed at once, and none after the end of the run', async () => {
  const { work, requests, platform } = await setUp({ stores: STORE_CONCURRENCY + 3 });
  const { answer } = platform;
  const requestsSent = Promise.withResolvers<void>();
  world.advance(41 * MINUTE_MS);
  platform.answer = async (...form) => {
    if (requests.length === STORE_CONCURRENCY) {
      world.advance(RUN_MS);
      requestsSent.resolve();
    }
    await requestsSent.promise;
    return answer(...form);
  };
  expect(await work()).toBe(STORE_CONCURRENCY);
  expect(await work()).toBe(3);
});
