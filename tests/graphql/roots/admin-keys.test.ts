/**
 * `adminKeys` and `adminKeyRevokeCurrent`, over real keys: a key's view of its store's keys, and its own revocation.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StoreActor } from '../../../lib/credentials/actor.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { storeItemKey } from '../../../lib/storage/stores.ts';
import { storeSecretName } from '../../../lib/storage/versioned-secret.ts';
import { issueAdminKey } from '../../../lib/stores/admin-keys/issue-admin-key.ts';
import { listAdminKeys, toListedAdminKey } from '../../../lib/stores/admin-keys/list-admin-keys.ts';
import { revokeAdminKey } from '../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { rotateAdminKey } from '../../../lib/stores/admin-keys/rotate-admin-key.ts';
import { FACTS, open, tryKey } from '../../lib/stores/world/merchant.ts';
import { createWorld, type Deps, type World } from '../../lib/stores/world/world.ts';
import { ADA, neverCalled, runPlan } from '../world/harness.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const LIST = '{ adminKeys { id label scopes createdAt expiresAt lastUsedAt allowedNetworks isCurrent } }';
const REVOKE = 'mutation { adminKeyRevokeCurrent { revokedKeyId userErrors { message } } }';
const gid = (keyId: string) => `gid://platform/AdminKey/${keyId}`;
const HOUR_MS = 3_600_000;
/** The form of an instant in an answer, which leaves the milliseconds of a whole second out. */
const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

async function keyOf(shop: Awaited<ReturnType<World['installed']>>, facts: object = {}) {
  const deps = world.container();
  const issued = await issueAdminKey(deps, { shopId: shop.shopId, ...FACTS, ...facts });
  return { ...shop, keyId: issued.keyId, key: await open(deps, issued, shop.domain) };
}

/** Sends a request with a key, like one container: verifies the key, then runs the request. */
async function askWith(deps: Deps, key: string, query: string, more: Partial<StoreActor> = {}) {
  const actor = { ...(await deps.verify(`Bearer ${key}`)), ...more };
  const { table, readVersion } = deps;
  const request = { as: 'store', query, standIn: neverCalled, actor, table, readVersion } as const;
  const { result } = await runPlan({ ...request, store: actor.store, now: world.now, logger: deps.logger });
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  return { data: result.data as any, errors: result.errors ?? [], text: JSON.stringify(result) };
}

describe('adminKeys', () => {
  test('lists the keys that work on the store of the key, which one asks, and never a hash', async () => {
    const shop = await world.installed();
    const office = await keyOf(shop);
    world.advance(1000);
    const networks = ['203.0.113.0/24' as never];
    const notAfter = world.now() + HOUR_MS * 24;
    const reader = await keyOf(shop, { label: 'Reports', scopes: ['READ'], networks, notAfter });
    const otherStore = await keyOf(await world.installed());
    const revoked = await keyOf(shop, { label: 'Old' });
    await revokeAdminKey(world.container(), revoked);
    await issueAdminKey(world.container(), { shopId: shop.shopId, ...FACTS, label: 'Nobody has it' });
    // Long before the hour ends.
    world.advance(HOUR_MS - (world.now() % HOUR_MS));
    const { data, errors, text } = await askWith(world.container(), office.key, LIST);
    expect(errors).toEqual([]);
    const hour = instant(Math.floor(world.now() / HOUR_MS) * HOUR_MS);
    expect(data.adminKeys).toEqual([
      {
        id: gid(office.keyId),
        label: 'Back office',
        scopes: ['READ', 'WRITE'],
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: null,
        lastUsedAt: hour,
        allowedNetworks: [],
        isCurrent: true,
      },
      {
        id: gid(reader.keyId),
        label: 'Reports',
        scopes: ['READ'],
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: instant(notAfter),
        lastUsedAt: null,
        allowedNetworks: ['203.0.113.0/24'],
        isCurrent: false,
      },
    ]);
    expect(text).not.toContain(otherStore.keyId);
    const name = storeSecretName(world.container().secretsPrefix, shop.shopId, 'admin-keys');
    const secret = JSON.stringify((await world.container().secrets.read(name))?.json);
    const hashes = [...secret.matchAll(/"hash":"([^"]+)"/g)].map(([, hash]) => hash ?? '');
    expect(hashes.length).toBe(4);
    for (const hash of hashes) expect(text).not.toContain(hash);
  });

  test('a key that was replaced shows when it ends', async () => {
    const shop = await world.installed();
    const old = await keyOf(shop);
    const deps = world.container();
    const { shopId, keyId } = old;
    const next = await rotateAdminKey(deps, { shopId, keyId, createdBy: 'ops', overlap: '1h' });
    const key = await open(deps, next, shop.domain);
    const { data } = await askWith(deps, key, '{ adminKeys { id expiresAt isCurrent } }');
    expect(data.adminKeys).toEqual([
      { id: gid(keyId), expiresAt: expect.stringMatching(/Z$/), isCurrent: false },
      { id: gid(next.keyId), expiresAt: null, isCurrent: true },
    ]);
  });

  test.each([LIST, REVOKE])('is closed while the key acts for a customer: %s', async (query) => {
    const { key } = await keyOf(await world.installed());
    const { errors } = await askWith(world.container(), key, query, { actingCustomerId: ADA });
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
    expect(await tryKey(world.container(), key)).toBe('ok');
  });

  test.each([LIST, REVOKE])('no customer knows of it: %s', async (query) => {
    const { result } = await runPlan({ as: 'customer', query, standIn: neverCalled });
    expect(result.errors?.[0]?.extensions?.code).toBe('FIELD_NOT_AVAILABLE');
  });
});

describe('adminKeyRevokeCurrent', () => {
  test('ends the key from the next request on, and no other; it can be repeated', async () => {
    const shop = await world.installed();
    const [leaked, other] = [await keyOf(shop), await keyOf(shop)];
    const container = world.container();
    const verified = await container.verify(`Bearer ${leaked.key}`);
    for (const _ of ['first', 'the answer was lost']) {
      const { data } = await askWith({ ...container, verify: async () => verified }, leaked.key, REVOKE);
      expect(data.adminKeyRevokeCurrent).toEqual({ revokedKeyId: gid(leaked.keyId), userErrors: [] });
    }
    for (const each of [container, world.container()]) {
      expect(await tryKey(each, leaked.key)).toBe('UNAUTHENTICATED: The key has been revoked.');
      expect(await tryKey(each, other.key)).toBe('ok');
    }
    expect(world.logs).toContainEqual({
      message: 'key.revoked_itself',
      fields: { shopId: shop.shopId, keyId: leaked.keyId, revokedAtMs: expect.any(Number) },
    });
  });

  test.each([[['READ']], [['WEBHOOKS']]])('a key with %j alone can', async (scopes) => {
    const { key } = await keyOf(await world.installed(), { scopes });
    const { errors } = await askWith(world.container(), key, REVOKE);
    expect(errors).toEqual([]);
    expect(await tryKey(world.container(), key)).toBe('UNAUTHENTICATED: The key has been revoked.');
  });

  test("is folded into the secret by the operator's next change, and makes room", async () => {
    const shop = await world.installed();
    const { key, keyId, shopId } = await keyOf(shop);
    await askWith(world.container(), key, REVOKE);
    const states = async () => {
      const { store, keys } = await listAdminKeys(world.container(), shopId);
      return keys.map((record) => [record.state, toListedAdminKey(record, store, world.now()).state]);
    };
    expect(await states()).toEqual([['active', 'revoked']]);
    await issueAdminKey(world.container(), { shopId, ...FACTS });
    expect(await states()).toEqual([
      ['revoked', 'revoked'],
      ['active', 'unclaimed'],
    ]);
    const rotating = rotateAdminKey(world.container(), { shopId, keyId, createdBy: 'ops', overlap: '0' });
    await expect(rotating).rejects.toThrow('The key has been revoked.');
  });

  test('works where the store has its claims in the store item still, and nothing else beside it', async () => {
    const shop = await world.installed();
    const { key, keyId } = await keyOf(shop);
    await asBefore(shop.shopId, keyId);
    expect(await tryKey(world.container(), key)).toBe('ok');
    await askWith(world.container(), key, REVOKE);
    expect(await tryKey(world.container(), key)).toBe('UNAUTHENTICATED: The key has been revoked.');
  });

  test('tells that it failed if the table does not answer, and the key works on', async () => {
    const { key } = await keyOf(await world.installed());
    const deps = world.container();
    const verified = await deps.verify(`Bearer ${key}`);
    deps.faults.plan = () => 'down';
    const pending = askWith({ ...deps, verify: async () => verified }, key, REVOKE);
    await expect(pending).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
    expect(await tryKey(world.container(), key)).toBe('ok');
  });
});

/** Makes the store one of before its items were parted. */
async function asBefore(shopId: ShopId, keyId: string): Promise<void> {
  const { table } = world.container();
  await table.delete({ pk: `KEYS#${shopId}`, sk: 'KEYS' });
  await table.update({
    key: storeItemKey(shopId),
    update: 'SET keyClaims = :claims',
    values: { ':claims': { [keyId]: world.now() } },
  });
}
