/** A store's storefront token is created under a lease and maintained by the scheduled work; no request creates one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { AdminResponse } from '../../../../lib/platform/admin-api/admin-response.ts';
import type { SendWithinBudget } from '../../../../lib/platform/admin-api/send-within-budget.ts';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import { createStorefrontTokenRepository } from '../../../../lib/storage/storefront-tokens.ts';
import { type StoreRecord, storeItemKey } from '../../../../lib/storage/stores.ts';
import { ensureStorefrontToken } from '../../../../lib/stores/lifecycle/ensure-storefront-token.ts';
import { installStore } from '../../../../lib/stores/lifecycle/install-store.ts';
import { refreshTimeZones } from '../../../../lib/stores/lifecycle/refresh-time-zones.ts';
import { runStorefrontTokenChecks } from '../../../../lib/stores/lifecycle/run-storefront-token-checks.ts';
import { uninstallStore } from '../../../../lib/stores/lifecycle/uninstall-store.ts';
import { createWorld, storeFacts, type World } from '../world/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CREATE = 'storefrontAccessTokenCreate';
const DENIED = { message: 'Access denied.', extensions: { code: 'ACCESS_DENIED' } };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type Token = { readonly id: string; readonly title: string; readonly accessToken: string };
type Answer = Partial<AdminResponse> | ServiceError;
/** The platform's tokens, the requests for each store, and the response in place of the list or a token. */
const platform = {
  tokens: new Map<ShopId, Token[]>(),
  requests: [] as { shopId: ShopId; what: 'list' | 'create' }[],
  list: undefined as Answer | undefined,
  create: undefined as Answer | undefined,
};
beforeEach(() => {
  Object.assign(platform, { tokens: new Map(), requests: [], list: undefined, create: undefined });
});

const sendWithinBudget: SendWithinBudget = async ({ store, document, variables, mutates }) => {
  if (document.includes('ianaTimezone'))
    return { data: { shop: { ianaTimezone: 'UTC' } }, errors: [], cost: undefined };
  const tokens = tokensOf(store.shopId);
  platform.requests.push({ shopId: store.shopId, what: mutates ? 'create' : 'list' });
  const instead = mutates ? platform.create : platform.list;
  if (instead instanceof ServiceError) throw instead;
  if (instead !== undefined) return { data: null, errors: [], cost: undefined, ...instead };
  if (!mutates) return { data: listed([...tokens]), errors: [], cost: undefined };
  const at = tokens.length;
  const made = { id: idOf(at), title: String(variables.title), accessToken: `token-${at}` };
  tokens.push(made);
  const data = { [CREATE]: { storefrontAccessToken: made, userErrors: [] } };
  return { data, errors: [], cost: undefined };
};

const idOf = (place: number) => `gid://shopify/StorefrontAccessToken/${place + 1}`;

function tokensOf(shopId: ShopId): Token[] {
  const tokens = platform.tokens.get(shopId) ?? [
    { id: idOf(0), title: "Somebody else's", accessToken: 'other' },
  ];
  platform.tokens.set(shopId, tokens);
  return tokens;
}

function listed(nodes: readonly Token[]) {
  return { shop: { storefrontAccessTokens: { nodes } } } as never;
}

function parts() {
  const deps = world.container();
  return {
    ...deps,
    scheduledTasks: createScheduledTaskRepository(deps),
    storefrontTokens: createStorefrontTokenRepository(deps),
    sendWithinBudget,
    enqueueStore: async () => undefined,
  };
}

async function storeOf(shopId: ShopId): Promise<StoreRecord> {
  return (await world.container().stores.find(shopId)) as StoreRecord;
}
async function make(shopId: ShopId) {
  return ensureStorefrontToken(parts(), await storeOf(shopId), world.now() + 10 * MINUTE_MS);
}

/** Returns the platform requests for this store in a run of the scheduled work. */
async function requestsInRun(shopId: ShopId): Promise<string[]> {
  platform.requests = [];
  const deps = parts();
  await refreshTimeZones(deps, world.now() + 10 * MINUTE_MS);
  await runStorefrontTokenChecks(deps, world.now() + 10 * MINUTE_MS);
  return platform.requests.filter((one) => one.shopId === shopId).map(({ what }) => what);
}

const whats = () => platform.requests.map(({ what }) => what);
/** As stores were installed before this work: nothing is noted, but the daily reading of the zone. */
async function installedBefore(): Promise<ShopId> {
  const { shopId } = await world.installed();
  const scheduledTasks = createScheduledTaskRepository(world.container());
  for await (const item of scheduledTasks.listDue('storefront-token', world.now() + DAY_MS)) {
    if (item.shopId === shopId) await scheduledTasks.remove(item);
  }
  return shopId;
}

describe('a token', () => {
  test('is made once, also by 20 at the same time', async () => {
    const { shopId } = await world.installed();
    const results = await Promise.all(Array.from({ length: 20 }, () => make(shopId)));
    expect(results.filter((result) => result === 'made')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['made', 'not yet']));
    expect(whats()).toEqual(['list', 'create']);
    expect(await make(shopId)).toBe('good');
    expect(await storeOf(shopId)).toMatchObject({
      storefrontAccessToken: 'token-1',
      storefrontTokenId: idOf(1),
    });
  });

  test('finds its missing id in the list by its value, whatever others are called', async () => {
    const { shopId } = await world.installed();
    await make(shopId);
    const [, own] = tokensOf(shopId);
    tokensOf(shopId).unshift({ id: idOf(7), title: `${own?.title}`, accessToken: 'of the same title' });
    const key = storeItemKey(shopId);
    await world.container().table.update({ key, update: 'REMOVE storefrontTokenId' });
    expect(await make(shopId)).toBe('good');
    expect(await storeOf(shopId)).toMatchObject({
      storefrontAccessToken: 'token-1',
      storefrontTokenId: idOf(1),
    });
    platform.requests = [];
    expect(await make(shopId)).toBe('good');
    expect(whats()).toEqual(['list']);
  });

  test('is made again when the platform has deleted it; apps keep the old one until then', async () => {
    const { shopId } = await world.installed();
    await make(shopId);
    tokensOf(shopId).pop();
    platform.create = new ServiceError('PLATFORM_UNAVAILABLE');
    expect(await make(shopId)).toBe('not yet');
    expect((await storeOf(shopId)).storefrontAccessToken).toBe('token-1');
    platform.create = undefined;
    tokensOf(shopId).push({ id: idOf(8), title: 'another', accessToken: 'another' });
    expect(await make(shopId)).toBe('made');
    expect((await storeOf(shopId)).storefrontAccessToken).toBe('token-2');
  });

  test.each<[string, Answer]>([
    ['nothing', { data: {} }],
    ['null', { data: null }],
    ['a refusal', { data: { shop: null } as never, errors: [{ ...DENIED, path: ['shop'] }] }],
    ['that it is down', new ServiceError('PLATFORM_UNAVAILABLE')],
  ])('stays as it is where the platform answers %s in place of the list', async (_what, list) => {
    const { shopId } = await world.installed();
    await make(shopId);
    platform.list = list;
    platform.requests = [];
    expect(['not yet', 'refused']).toContain(await make(shopId));
    expect(whats()).toEqual(['list']);
    expect((await storeOf(shopId)).storefrontAccessToken).toBe('token-1');
  });

  test('from before a crash, or an earlier installation, is found by its title', async () => {
    const { shopId, domain } = await world.installed();
    await make(shopId);
    await uninstallStore(world.container(), shopId);
    await installStore(world.container(), storeFacts({ shopId, domain }));
    expect((await storeOf(shopId)).storefrontAccessToken).toBeUndefined();
    platform.requests = [];
    expect(await make(shopId)).toBe('made');
    expect((await storeOf(shopId)).storefrontAccessToken).toBe('token-1');
    expect(whats()).toEqual(['list']);
  });

  test('stays when an installed store is installed over', async () => {
    const { shopId, domain } = await world.installed();
    await make(shopId);
    await installStore(world.container(), storeFacts({ shopId, domain }));
    expect((await storeOf(shopId)).storefrontAccessToken).toBe('token-1');
  });

  test('is not made for a minute after another process crashed over it', async () => {
    const { shopId } = await world.installed();
    const store = await storeOf(shopId);
    await parts().storefrontTokens.lease({ store, untilMs: world.now() + MINUTE_MS }, world.now());
    expect(await make(shopId)).toBe('not yet');
    expect(platform.requests).toEqual([]);
    world.advance(MINUTE_MS + 1);
    expect(await make(shopId)).toBe('made');
  });
});

describe('what the platform says in place of a token is kept for the doctor', () => {
  const refused = (create: Answer) => () => Object.assign(platform, { create });
  test.each<[string, () => void, { reason: string; isPassing: boolean }]>([
    ['the mutation is denied', refused(new ServiceError('STORE_ACCESS_MISSING')), permanentRefusal()],
    [
      'its field is denied',
      refused({ data: { [CREATE]: null } as never, errors: [denied()] }),
      permanentRefusal(),
    ],
    ['the list is denied', () => Object.assign(platform, { list: { errors: [DENIED] } }), permanentRefusal()],
    ['there are too many', refused({ data: tooMany() }), permanentRefusal(/A maximum of 100/)],
    [
      'the grant has ended',
      refused(new ServiceError('STORE_DISCONNECTED')),
      permanentRefusal(/DISCONNECTED/),
    ],
    [
      'it is down',
      refused(new ServiceError('PLATFORM_UNAVAILABLE')),
      transientRefusal(/PLATFORM_UNAVAILABLE/),
    ],
    ['the bucket is empty', refused(new ServiceError('THROTTLED')), transientRefusal(/THROTTLED/)],
    ['nobody knows', refused(new ServiceError('OUTCOME_UNKNOWN')), transientRefusal(/OUTCOME_UNKNOWN/)],
    [
      'an error that may pass',
      refused({ errors: [DENIED, { message: 'Down.' }] }),
      transientRefusal(/an error/),
    ],
  ])('%s', async (_what, refuse, stored) => {
    const { shopId } = await world.installed();
    refuse();
    expect(await make(shopId)).toBe(stored.isPassing ? 'not yet' : 'refused');
    expect(await storeOf(shopId)).toMatchObject({ storefrontRefusal: stored });
    Object.assign(platform, { list: undefined, create: undefined });
    expect(await make(shopId)).toBe('made');
    expect((await storeOf(shopId)).storefrontRefusal).toBeUndefined();
  });

  function permanentRefusal(reason = /./) {
    return { reason: expect.stringMatching(reason) as never, isPassing: false };
  }
  function transientRefusal(reason: RegExp) {
    return { ...permanentRefusal(reason), isPassing: true };
  }
  function denied() {
    return { ...DENIED, path: [CREATE] };
  }
  function tooMany() {
    const userErrors = [{ message: 'A maximum of 100' }];
    return { [CREATE]: { storefrontAccessToken: null, userErrors } } as never;
  }
});

describe('the scheduled work', () => {
  test('makes the token of a store whose install did not make it, then checks once a day', async () => {
    const { shopId } = await world.installed();
    expect(await requestsInRun(shopId)).toEqual([]);
    world.advance(15 * MINUTE_MS);
    expect(await requestsInRun(shopId)).toEqual(['list', 'create']);
    let requests = 0;
    for (let quarter = 0; quarter < 2 * 96; quarter++) {
      world.advance(15 * MINUTE_MS);
      requests += (await requestsInRun(shopId)).length;
    }
    expect(requests).toBe(2);
  });

  test('makes the token of a store from before, on its day', async () => {
    const shopId = await installedBefore();
    world.advance(DAY_MS);
    expect(await requestsInRun(shopId)).toEqual(['list', 'create']);
    expect((await storeOf(shopId)).storefrontAccessToken).toMatch(/^token-/);
  });

  test('retries ever later when the platform is down, and once a day when it refuses', async () => {
    const requests = async (create: Answer) => {
      const shopId = await installedBefore();
      Object.assign(platform, { create });
      const times: number[] = [];
      for (let quarter = 1; quarter <= 96; quarter++) {
        world.advance(15 * MINUTE_MS);
        if ((await requestsInRun(shopId)).length > 0) times.push(quarter);
      }
      await uninstallStore(world.container(), shopId);
      return times.map((time) => time - (times[0] ?? 0));
    };
    const down = await requests(new ServiceError('PLATFORM_UNAVAILABLE'));
    expect([0, 1, 3, 7, 15, 31, 63].slice(0, down.length)).toEqual(down);
    expect(await requests(new ServiceError('STORE_ACCESS_MISSING'))).toEqual([0]);
  });

  test('leaves a store alone that is not installed', async () => {
    const { shopId } = await world.installed();
    await uninstallStore(world.container(), shopId);
    world.advance(15 * MINUTE_MS);
    expect(await requestsInRun(shopId)).toEqual([]);
  });

  test('killed at any of its calls, makes one token in the end', async () => {
    for (let call = 0; ; call++) {
      const { shopId } = await world.installed();
      world.advance(15 * MINUTE_MS);
      const dying = parts();
      dying.faults.plan = ({ count }) => (count === call ? 'after' : undefined);
      const died = await runStorefrontTokenChecks(dying, world.now() + MINUTE_MS).then(
        () => false,
        () => true,
      );
      world.advance(2 * MINUTE_MS);
      await runStorefrontTokenChecks(parts(), world.now() + MINUTE_MS);
      world.advance(DAY_MS);
      await requestsInRun(shopId);
      expect((await storeOf(shopId)).storefrontAccessToken).toBe('token-1');
      expect(tokensOf(shopId)).toHaveLength(2);
      if (!died) return expect(call).toBeGreaterThan(5);
    }
  });
});

test('returns no token that was not stored under its lease', async () => {
  const { shopId } = await world.installed();
  const store = await storeOf(shopId);
  const lease = { store, untilMs: world.now() + MINUTE_MS };
  const { table, storefrontTokens } = parts();
  await storefrontTokens.lease(lease, world.now());
  await table.update({ key: storeItemKey(shopId), update: 'REMOVE storefrontLeaseUntilMs' });
  expect((await storefrontTokens.store(lease, { id: idOf(1), accessToken: 'late' })).outcome).toBe('refused');
  expect((await storeOf(shopId)).storefrontAccessToken).toBeUndefined();
});
