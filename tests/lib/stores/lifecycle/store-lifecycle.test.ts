import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FUNCTION_DEFINITIONS } from '../../../../infra/definition/function-definitions.ts';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createRemoveSecret } from '../../../../lib/storage/sdk-client/remove-secret.ts';
import { storeItemKey } from '../../../../lib/storage/stores.ts';
import { storeSecretName } from '../../../../lib/storage/versioned-secret.ts';
import { issueAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import { revokeAdminKey } from '../../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { installStore } from '../../../../lib/stores/lifecycle/install-store.ts';
import {
  purgeStore,
  WAIT_AFTER_PURGE_START_MS,
  WAIT_AFTER_UNINSTALL_MS,
} from '../../../../lib/stores/lifecycle/purge-store.ts';
import {
  findSignInAddressChanges,
  pinChangedSignInAddresses,
} from '../../../../lib/stores/lifecycle/sign-in-address-changes.ts';
import { uninstallStore } from '../../../../lib/stores/lifecycle/uninstall-store.ts';
import { updateStore } from '../../../../lib/stores/lifecycle/update-store.ts';
import { listStores } from '../../../../lib/stores/list-stores.ts';
import { previewResync, resyncStore } from '../../../../lib/stores/restore/resync-store.ts';
import { crashEverywhere, faulty } from '../world/faults.ts';
import { FACTS, open, tryKey } from '../world/merchant.ts';
import { createWiredWorld, createWorld, SIGN_IN, storeFacts, type World } from '../world/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWiredWorld();
});
afterAll(() => world.close());

let shops = 0;
function newShop() {
  shops++;
  return { shopId: (82000000000 + shops) as ShopId, domain: `new-${shops}.myshopify.com` as ShopDomain };
}

/** Creates the dependencies of a purge; over the wire the scan returns few items per page. */
function purger({ container, scan, secretsManager } = world) {
  const deps = container();
  const removal = { remove: createRemoveSecret({ client: secretsManager }) };
  const waits: number[] = [];
  return {
    ...deps,
    scan: faulty({ scan }, 'table', deps.faults).scan,
    removeSecret: faulty(removal, 'secrets', deps.faults).remove,
    waits,
    wait: async (ms: number) => void waits.push(ms),
    progress: () => undefined,
  };
}

describe('install', () => {
  test('ends in an installed store when it is repeated after a crash at any step', async () => {
    // A hundred installations: without the wire, over which each goes below.
    const { container } = await createWorld();
    let shop: ReturnType<typeof newShop>;
    const points = await crashEverywhere(
      (plan) => {
        shop = newShop();
        const dying = container();
        dying.faults.plan = plan;
        return installStore(dying, storeFacts(shop));
      },
      async () => {
        const store = await installStore(container(), storeFacts(shop));
        expect(store).toMatchObject({ status: 'installed', platformVersionId: expect.any(String) });
      },
    );
    expect(points).toBeGreaterThan(12);
  });

  test('a domain of another shop id is refused, with what to do', async () => {
    const { domain } = await world.installed();
    const request = storeFacts({ shopId: 83000000001 as ShopId, domain });
    await expect(installStore(world.container(), request)).rejects.toThrow('Check the shop id');
  });

  test('over an installed store, without them, keeps client id and portal page; after an uninstall, not', async () => {
    const shop = await world.installed();
    const deps = world.container();
    await updateStore(deps, { shopId: shop.shopId, properties: { portalPageId: '8f0c' } });
    const bare = { ...storeFacts(shop), clientId: undefined };
    expect(await installStore(deps, bare)).toMatchObject({ clientId: 'client-1', portalPageId: '8f0c' });
    await uninstallStore(deps, shop.shopId);
    const again = await installStore(deps, bare);
    expect([again.clientId, again.portalPageId]).toEqual([undefined, undefined]);
  });

  test('keeps the keys of an installed store alive over an install and an update', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const key = await open(deps, await issueAdminKey(deps, { shopId, ...FACTS }), domain);
    world.advance(1000);
    await installStore(deps, storeFacts({ shopId, domain }));
    await updateStore(deps, { shopId, properties: { displayName: 'Harbor', clientId: null } });
    expect(await tryKey(deps, key)).toBe('ok');
    expect(await deps.stores.find(shopId)).toMatchObject({ displayName: 'Harbor' });
    expect((await deps.stores.find(shopId))?.clientId).toBeUndefined();
  });
});

describe('update', () => {
  test('accepts one of two concurrent changes of the web pages', async () => {
    const shop = newShop();
    const { container } = world;
    const deps = container();
    await installStore(deps, storeFacts(shop));
    const { shopId } = shop;
    const change = (clientId: string, revision: number) =>
      updateStore(deps, { shopId, properties: {}, webSignIn: { clientId, redirectUris: [], revision } });
    await change('web-1', 1);
    for (const revision of [1, 3]) await expect(change('web-2', revision)).rejects.toThrow('Somebody else');
    expect(await change('web-3', 2)).toMatchObject({ webSignIn: { clientId: 'web-3', revision: 2 } });
    await expect(change('web-4', 2)).rejects.toThrow('Somebody else');
  });

  test('sign-in addresses change only when the operator accepts them', async () => {
    const { shopId } = await world.installed();
    const moved = { ...SIGN_IN, tokenEndpoint: 'https://elsewhere.example/token' };
    const deps = { ...world.container(), discoverSignIn: async () => moved };
    const find = async () => {
      const store = await deps.stores.find(shopId);
      if (store === undefined) throw new Error('no store');
      return store;
    };
    await updateStore(deps, { shopId, properties: { displayName: 'A' } });
    expect((await find()).signIn).toEqual(SIGN_IN);
    const [strange] = await findSignInAddressChanges(deps, { stores: [await find()] });
    expect(strange).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('--trust-issuer') });
    const moves = await findSignInAddressChanges(deps, {
      stores: [await find()],
      trustedIssuer: moved.issuer,
    });
    expect(moves).toMatchObject([
      {
        outcome: 'moved',
        moved: [{ name: 'tokenEndpoint', before: SIGN_IN.tokenEndpoint, after: moved.tokenEndpoint }],
      },
    ]);
    expect((await find()).signIn).toEqual(SIGN_IN);
    expect(await pinChangedSignInAddresses(deps, moves)).toEqual(moves);
    expect((await find()).signIn).toEqual(moved);
    // The accepted addresses have changed since, so the same moves are rejected.
    expect(await pinChangedSignInAddresses(deps, moves)).toMatchObject([{ outcome: 'failed' }]);
  });

  test('trust in the sub of id_tokens ends with the addresses that it was for, and with an uninstall', async () => {
    const shop = await world.installed();
    const { shopId } = shop;
    const deps = { ...world.container(), discoverSignIn: async () => SIGN_IN };
    const trust = () => updateStore(deps, { shopId, properties: { trustsSubject: true } });
    const isTrusted = async () => (await deps.stores.find(shopId))?.trustsSubject === true;
    await trust();
    await installStore(deps, storeFacts(shop));
    expect(await isTrusted()).toBe(true);
    const after = { ...SIGN_IN, jwksUri: 'https://elsewhere.example/keys' };
    await updateStore(deps, { shopId, properties: {}, signIn: { before: SIGN_IN, after } });
    expect(await isTrusted()).toBe(false);
    await trust();
    await installStore(deps, { ...storeFacts(shop), signIn: SIGN_IN });
    expect(await isTrusted()).toBe(false);
    await trust();
    await uninstallStore(deps, shopId);
    await installStore(deps, storeFacts(shop));
    expect(await isTrusted()).toBe(false);
  });

  test('nothing to change, and a store that is not installed, are refused', async () => {
    const { shopId } = await world.installed();
    const deps = world.container();
    await expect(updateStore(deps, { shopId, properties: {} })).rejects.toThrow('nothing to change');
    await uninstallStore(deps, shopId);
    await expect(updateStore(deps, { shopId, properties: { displayName: 'A' } })).rejects.toMatchObject({
      code: 'SHOP_NOT_INSTALLED',
    });
  });
});

describe('purge', () => {
  test('an installed store is not purged', async () => {
    const shop = await world.installed();
    await expect(purgeStore(purger(), shop)).rejects.toThrow('Uninstall it first');
  });

  test('waits for requests under way, removes all of this store, says what, and touches no other', async () => {
    const shop = await world.installed();
    const other = await world.installed();
    const deps = purger();
    for (const { shopId } of [shop, other]) await issueAdminKey(deps, { shopId, ...FACTS });
    for (let count = 0; count < 30; count++) {
      await deps.table.put({ pk: `SESSIONS#${shop.shopId}#${count}`, sk: 'SESSION#1', shopId: shop.shopId });
    }
    await uninstallStore(deps, shop.shopId);
    expect(await purgeStore(deps, shop)).toEqual({
      items: { DUE: 2, GRANT: 1, KEYS: 1, LINK: 1, SESSIONS: 30 },
      secrets: 2,
    });
    expect(deps.waits).toHaveLength(1);
    expect(await deps.stores.find(shop.shopId)).toBeUndefined();
    expect(await deps.secrets.read(`${deps.secretsPrefix}/stores/${shop.shopId}/platform`)).toBeUndefined();
    const left = await deps.scan({ filter: 'shopId = :id', values: { ':id': shop.shopId } });
    expect(left.items).toEqual([]);
    expect(await deps.stores.find(other.shopId)).toMatchObject({ status: 'installed' });
    expect((await listStores(deps.scan)).map(({ shopId }) => shopId)).not.toContain(shop.shopId);
    expect(await purgeStore(deps, shop)).toEqual({ items: {}, secrets: 0 });
  });

  test('leaves nothing when it is repeated after a crash at any step', async () => {
    const inMemory = await createWorld();
    let shop: Awaited<ReturnType<World['installed']>>;
    const points = await crashEverywhere(
      async (plan) => {
        shop = await inMemory.installed();
        const deps = purger(inMemory);
        await issueAdminKey(inMemory.container(), { shopId: shop.shopId, ...FACTS });
        await uninstallStore(inMemory.container(), shop.shopId);
        deps.faults.plan = plan;
        return purgeStore(deps, shop);
      },
      async () => {
        const deps = purger(inMemory);
        await purgeStore(deps, shop);
        const left = await deps.scan({ filter: 'shopId = :id', values: { ':id': shop.shopId } });
        expect(left.items).toEqual([]);
      },
    );
    expect(points).toBeGreaterThan(16);
  });
});

describe('work that goes on while a store is purged', () => {
  /** A store uninstalled `agoMs` ago, and what a run that still sees it installed would write. */
  async function uninstalled(agoMs: number) {
    const shop = await world.installed();
    const { table } = world.container();
    await uninstallStore(world.container(), shop.shopId);
    world.advance(agoMs);
    let written = 0;
    const write = () =>
      table.put({ pk: `EVENT#${shop.shopId}#${written++}`, sk: 'EVENT', shopId: shop.shopId });
    return { shop, write };
  }

  async function leftOf({ shopId }: { shopId: ShopId }) {
    const { items } = await purger().scan({ filter: 'shopId = :id', values: { ':id': shopId } });
    return items;
  }

  test('no function runs longer than a purge waits', () => {
    const longestSeconds = Math.max(
      ...Object.values(FUNCTION_DEFINITIONS).map(({ timeoutSeconds }) => timeoutSeconds),
    );
    expect(WAIT_AFTER_UNINSTALL_MS).toBeGreaterThan((longestSeconds + 30) * 1000);
  });

  test('waits from the uninstallation on, and removes what was written in the meantime', async () => {
    const { shop, write } = await uninstalled(60_000);
    const deps = purger();
    const wait = async (ms: number) => {
      deps.waits.push(ms);
      await write();
    };
    expect(await purgeStore({ ...deps, wait }, shop)).toMatchObject({ items: { EVENT: 1 } });
    expect(deps.waits[0]).toBeGreaterThan(WAIT_AFTER_UNINSTALL_MS - 61_000);
    expect(deps.waits[0]).toBeLessThanOrEqual(WAIT_AFTER_UNINSTALL_MS - 60_000);
    expect(await leftOf(shop)).toEqual([]);
  });

  test('a store uninstalled long ago is purged after a minute', async () => {
    const { shop } = await uninstalled(WAIT_AFTER_UNINSTALL_MS);
    const deps = purger();
    await purgeStore(deps, shop);
    expect(deps.waits[0]).toBeLessThanOrEqual(WAIT_AFTER_PURGE_START_MS);
    expect(deps.waits[0]).toBeGreaterThan(WAIT_AFTER_PURGE_START_MS - 5_000);
  });

  test('counts from its marker when the uninstallation time was not stored', async () => {
    const { shop } = await uninstalled(WAIT_AFTER_UNINSTALL_MS);
    const deps = purger();
    await deps.table.update({ key: storeItemKey(shop.shopId), update: 'REMOVE uninstalledAtMs' });
    await purgeStore(deps, shop);
    expect(deps.waits[0]).toBeGreaterThan(WAIT_AFTER_UNINSTALL_MS - 5_000);
  });

  test('finds what is written behind the position of the scan with the next one', async () => {
    const { shop, write } = await uninstalled(WAIT_AFTER_UNINSTALL_MS);
    await write();
    const deps = purger();
    let scans = 0;
    const scan: typeof deps.scan = async (...parameters) => {
      const page = await deps.scan(...parameters);
      if (++scans <= 2) await write();
      return page;
    };
    expect(await purgeStore({ ...deps, scan }, shop)).toMatchObject({ items: { EVENT: 3 } });
    expect(await leftOf(shop)).toEqual([]);
  });
});

describe('a long purge', () => {
  test('continues where it crashed, and refuses to install a store that is being purged', async () => {
    const shop = await world.installed();
    const { table } = world.container();
    const big = 'x'.repeat(60_000);
    for (let count = 0; count < 60; count++)
      await table.put({ pk: `EVENT#${shop.shopId}#${count}`, sk: 'EVENT', shopId: shop.shopId, big });
    await uninstallStore(world.container(), shop.shopId);
    const dying = purger();
    let scans = 0;
    dying.faults.plan = ({ operation }) => (operation === 'scan' && ++scans === 3 ? 'before' : undefined);
    await expect(purgeStore(dying, shop)).rejects.toThrow();
    const item = (await table.get({ pk: `STORE#${shop.shopId}`, sk: 'STORE' })) ?? {};
    expect(item).toMatchObject({ status: 'purging', purgePosition: { pk: expect.any(String) } });
    const secret = `${dying.secretsPrefix}/stores/${shop.shopId}/platform`;
    const before = await dying.secrets.versionIdByLabel(secret);
    await expect(installStore(world.container(), storeFacts(shop))).rejects.toThrow('is being purged');
    expect(await dying.secrets.versionIdByLabel(secret)).toEqual(before);

    world.advance(WAIT_AFTER_UNINSTALL_MS);
    const going = purger();
    expect(await purgeStore(going, shop)).toEqual({
      items: { DUE: 2, EVENT: 60, GRANT: 1, KEYS: 1 },
      secrets: 1,
    });
    expect(going.waits).toEqual([]);
  });
});

const WRITES = ['put', 'update', 'delete', 'addPending', 'moveCurrent'];

/** Resyncs; what it did is what was foreseen, without a write, and afterwards nothing is left to do. */
async function resyncForeseen(shopId: ShopId) {
  const deps = world.container();
  const looking = world.container();
  looking.faults.plan = ({ operation }) => (WRITES.includes(operation) ? 'before' : undefined);
  const foreseen = await previewResync(looking, shopId);
  const done = await resyncStore(deps, shopId);
  expect(foreseen).toEqual(done);
  const { wasUnmigrated, secrets } = await previewResync(looking, shopId);
  expect([wasUnmigrated, ...secrets.map(({ moved }) => moved)]).toEqual([
    false,
    'nothing',
    'nothing',
    'nothing',
  ]);
  return done.secrets;
}

describe('resync', () => {
  test('after a restore the item names what is current again: a key revoked since stays revoked', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const issued = await issueAdminKey(deps, { shopId, ...FACTS });
    const key = await open(deps, issued, domain);
    const backup = await deps.table.get({ pk: `STORE#${shopId}`, sk: 'STORE' });
    await revokeAdminKey(deps, { shopId, keyId: issued.keyId });
    if (backup) await deps.table.put(backup);
    expect(await tryKey(deps, key)).toBe('ok');
    expect(await resyncForeseen(shopId)).toEqual([
      { secret: 'platform', moved: 'nothing' },
      { secret: 'admin-keys', moved: 'item' },
      { secret: 'webhooks', moved: 'nothing' },
    ]);
    expect(await tryKey(deps, key)).toMatch(/revoked/);
  });

  test('finishes a change that crashed before it moved the label, and does not undo it', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const issued = await issueAdminKey(deps, { shopId, ...FACTS });
    const key = await open(deps, issued, domain);
    const dying = world.container();
    dying.faults.plan = ({ operation }) => (operation === 'moveCurrent' ? 'before' : undefined);
    await revokeAdminKey(dying, { shopId, keyId: issued.keyId }).catch(() => undefined);
    expect(await resyncForeseen(shopId)).toContainEqual({
      secret: 'admin-keys',
      moved: 'label',
    });
    expect(await tryKey(deps, key)).toMatch(/revoked/);
  });

  test('does not undo a change where another one has put a version since, crashed or under way', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const issued = await issueAdminKey(deps, { shopId, ...FACTS });
    const key = await open(deps, issued, domain);
    const dying = world.container();
    dying.faults.plan = ({ operation }) => (operation === 'moveCurrent' ? 'before' : undefined);
    await revokeAdminKey(dying, { shopId, keyId: issued.keyId }).catch(() => undefined);
    const next = world.container();
    const resynced: unknown[] = [];
    next.faults.pause = async ({ operation }) => {
      // Its version is put, and takes the pending label along.
      if (operation === 'update' && resynced.length === 0) resynced.push(await resyncForeseen(shopId));
    };
    await issueAdminKey(next, { shopId, ...FACTS });
    expect(resynced).toEqual([expect.arrayContaining([{ secret: 'admin-keys', moved: 'label' }])]);
    expect(await tryKey(deps, key)).toMatch(/revoked/);
  });

  test('creates no store item for one that was purged concurrently', async () => {
    const { shopId } = await world.installed();
    const deps = world.container();
    await deps.secrets.addPending(storeSecretName(deps.secretsPrefix, shopId, 'webhooks'), {});
    deps.faults.pause = async ({ operation }) => {
      const readCount = deps.faults.calls.filter((call) => call.operation === 'versionIdByLabel').length;
      if (operation === 'versionIdByLabel' && readCount === 3)
        await world.container().table.delete({ pk: `STORE#${shopId}`, sk: 'STORE' });
    };
    await expect(resyncStore(deps, shopId)).rejects.toMatchObject({ code: 'SHOP_NOT_INSTALLED' });
    expect(await world.container().table.get({ pk: `STORE#${shopId}`, sk: 'STORE' })).toBeUndefined();
  });
});
