/** A table from before stores were parted: served as it is, beside the code of before, and parted by `store resync`. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PostForm } from '../../../../lib/platform/grants/post-form.ts';
import { createRenewGrant } from '../../../../lib/platform/grants/renew-grant.ts';
import { createStoreGrantReader } from '../../../../lib/platform/grants/store-grants.ts';
import { writeAdminKeyClaim } from '../../../../lib/storage/admin-key-claims.ts';
import { readStoreRecord, type StoreRecord } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { issueAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import { revokeAdminKey } from '../../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { installStore } from '../../../../lib/stores/lifecycle/install-store.ts';
import { uninstallStore } from '../../../../lib/stores/lifecycle/uninstall-store.ts';
import { listStores } from '../../../../lib/stores/list-stores.ts';
import { previewResync, resyncStore } from '../../../../lib/stores/restore/resync-store.ts';
import { type Call, crashEverywhere } from '../world/faults.ts';
import { FACTS, open, tryKey } from '../world/merchant.ts';
import { createWiredWorld, createWorld, storeFacts, type World } from '../world/world.ts';
import { codeBefore, grantOf, putStoreBefore, type StoreBefore } from './store-before.ts';

let world: World;
function useWorld(create: () => Promise<World>): void {
  beforeAll(async () => {
    world = await create();
  });
  afterAll(() => world.close());
}

const find = async ({ shopId }: Pick<StoreBefore, 'shopId'>) =>
  (await world.container().stores.find(shopId)) as StoreRecord;

/** Returns the grants of a container, and the platform's requests. */
function grants(answer?: Awaited<ReturnType<PostForm>>) {
  const requests: string[] = [];
  const postForm: PostForm = async () => {
    requests.push('asked');
    const body = { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 3600 };
    return answer ?? { status: 200, body: JSON.stringify(body) };
  };
  const deps = world.container();
  const renewGrant = createRenewGrant({ ...deps, postForm, platformOrigin: 'https://{shop}' });
  return { requests, deps, ...createStoreGrantReader({ ...deps, renewGrant }) };
}

const renewed = async (store: StoreBefore) =>
  (await grants().renew(await find(store), store.platformVersionId)).accessToken;
const token = async (store: StoreBefore) => (await grants().read(await find(store))).accessToken;

/** The store's items as they lie in the table. */
async function itemsOf({ shopId }: StoreBefore) {
  const { table } = world.container();
  const keys = ['STORE', 'GRANT', 'KEYS'].map((sk) => ({ pk: `${sk}#${shopId}`, sk }));
  const [store = {}, grant, own] = await table.batchGet(keys);
  return { store: store as Record<string, unknown>, grant, keys: own };
}

const MOVED = ['platformVersionId', 'grantLeaseUntilMs', 'grantRefusal', 'keyClaims'];

async function expectSplit(store: StoreBefore): Promise<void> {
  const items = await itemsOf(store);
  expect(Object.keys(items.store).filter((name) => MOVED.includes(name))).toEqual([]);
  const copied = Object.entries(store.item).filter(
    ([name]) => !MOVED.includes(name) && name !== 'adminKeysVersionId',
  );
  expect(items.store).toMatchObject(Object.fromEntries(copied));
  expect(items.grant).toMatchObject({ shopId: store.shopId, platformVersionId: expect.any(String) });
  expect(items.keys).toMatchObject({ shopId: store.shopId, keyRevocations: {}, keyLastUses: {} });
}

describe('a store from before', () => {
  // DynamoDB's own language, once.
  useWorld(createWiredWorld);
  test('is served as it is: its keys, its grant, its claims, its uninstall', async () => {
    const store = await putStoreBefore(world, { minutes: 1 });
    const deps = world.container();
    expect(await tryKey(deps, store.key)).toBe('ok');
    expect(await tryKey(deps, store.unclaimed.text)).toMatch(/not been claimed/);
    expect(await token(store)).toBe('access-2');
    const issued = await issueAdminKey(deps, { shopId: store.shopId, ...FACTS });
    const fresh = await open(deps, issued, store.domain);
    await revokeAdminKey(deps, { shopId: store.shopId, keyId: store.unclaimed.keyId });
    expect([await tryKey(deps, fresh), await tryKey(deps, store.key)]).toEqual(['ok', 'ok']);
    expect((await listStores(world.scan)).find(({ shopId }) => shopId === store.shopId)).toEqual(
      await find(store),
    );
    await uninstallStore(deps, store.shopId);
    expect(await tryKey(deps, fresh)).toMatch(/not installed/);
    await installStore(deps, storeFacts(store));
    expect([await tryKey(deps, fresh), await token(store)]).toEqual([
      expect.stringMatching(/installed again/),
      'shpat_1',
    ]);
  });

  test('is in the new form after resync, and nothing of it is lost', async () => {
    const store = await putStoreBefore(world);
    const before = codeBefore(world.container().table, store);
    const refusal = { versionId: store.platformVersionId, reason: 'x', atMs: world.now(), isFinal: false };
    await before.refuse(refusal);
    const seen = await find(store);
    const foreseen = await previewResync(world.container(), store.shopId);
    expect(await resyncStore(world.container(), store.shopId)).toEqual(foreseen);
    expect(foreseen).toMatchObject({ wasUnmigrated: true });
    await expectSplit(store);
    const { unmigratedParts, ...same } = seen;
    expect(unmigratedParts).toEqual(['grant', 'keys']);
    expect(await find(store)).toEqual({ ...same, keyRevocations: {}, keyLastUses: {} });
    expect(await tryKey(world.container(), store.key)).toBe('ok');
    expect(await resyncStore(world.container(), store.shopId)).toMatchObject({ wasUnmigrated: false });
  });
});

describe('a resync that dies anywhere', () => {
  useWorld(createWorld);
  test('leaves a store that is served, and that the next one parts', async () => {
    let store: StoreBefore;
    const points = await crashEverywhere(
      async (fault) => {
        store = await putStoreBefore(world);
        const dying = world.container();
        dying.faults.plan = fault;
        await resyncStore(dying, store.shopId);
      },
      async (point) => {
        expect([point, await tryKey(world.container(), store.key), await token(store)]).toEqual([
          point,
          'ok',
          'access-1',
        ]);
        await resyncStore(world.container(), store.shopId);
        await expectSplit(store);
        expect([point, await tryKey(world.container(), store.key)]).toEqual([point, 'ok']);
      },
    );
    expect(points).toBeGreaterThan(10);
  });
});

describe('while containers of both kinds serve a store', () => {
  useWorld(createWorld);
  test('a lease of either keeps the other from asking the platform', async () => {
    const store = await putStoreBefore(world, { minutes: 1 });
    const before = codeBefore(world.container().table, store);
    expect(await before.lease(store.platformVersionId, world.now())).toBe('done');
    const { requests, read, deps } = grants();
    expect((await read(await find(store))).accessToken).toBe('access-1');
    expect(requests).toEqual([]);
    const other = await putStoreBefore(world, { minutes: 1 });
    const asOther = codeBefore(world.container().table, other);
    let seen: string | undefined;
    const postForm: PostForm = async () => {
      seen = await asOther.lease(other.platformVersionId, world.now());
      return undefined;
    };
    const renewGrant = createRenewGrant({ ...deps, postForm, platformOrigin: 'https://{shop}' });
    const renewing = renewGrant(await find(other), other.platformVersionId, { waits: false });
    await expect(renewing).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE' });
    expect(seen).toBe('refused');
  });

  test('a version of either is the one that counts for both', async () => {
    const store = await putStoreBefore(world);
    const { secrets, secretsPrefix, table } = world.container();
    const name = `${secretsPrefix}/stores/${store.shopId}/platform`;
    const otherGrant = await secrets.addPending(name, grantOf('access-theirs', world.now() + 1_800_000));
    expect(await codeBefore(table, store).decide(store.platformVersionId, otherGrant)).toBe('done');
    expect(await token(store)).toBe('access-theirs');
    await grants().renew(await find(store), otherGrant);
    expect(await token(store)).toBe('access-2');
    expect((await codeBefore(table, store).read()).platformVersionId).toBe(
      (await find(store)).platformVersionId,
    );
    expect(await codeBefore(table, store).decide(otherGrant, 'too late')).toBe('refused');
  });

  test('a claim, and a refusal, of either counts for both', async () => {
    const store = await putStoreBefore(world);
    const deps = world.container();
    const before = codeBefore(deps.table, store);
    await before.claim(store.unclaimed.keyId, world.now());
    expect(await tryKey(deps, store.unclaimed.text)).toBe('ok');
    const issued = await issueAdminKey(deps, { shopId: store.shopId, ...FACTS });
    await open(deps, issued, store.domain);
    expect((await before.read()).keyClaims[issued.keyId]).toBeDefined();
    const refused = grants({ status: 400, body: JSON.stringify({ error: 'invalid_grant' }) });
    await expect(refused.renew(await find(store), store.platformVersionId)).rejects.toThrow();
    expect(await before.read()).toMatchObject({ grantRefusal: { reason: 'invalid_grant' } });
  });
});

/** The concurrent writes between two steps of a resync, and the expected state afterwards. */
const concurrentWrites: Readonly<
  Record<
    string,
    { act: (store: StoreBefore) => Promise<unknown>; holds: (store: StoreBefore) => Promise<unknown> }
  >
> = {
  'a renewal': { act: renewed, holds: async (store) => expect(await token(store)).toBe('access-2') },
  'a claim': {
    act: async (store) => {
      const { table } = world.container();
      await writeAdminKeyClaim(table, await find(store), {
        keyId: store.unclaimed.keyId,
        claimedAtMs: world.now(),
      });
    },
    holds: async (store) => expect(await tryKey(world.container(), store.unclaimed.text)).toBe('ok'),
  },
  'a revocation': {
    act: (store) => revokeAdminKey(world.container(), { ...store, keyId: keyIdOf(store) }),
    holds: async (store) => expect(await tryKey(world.container(), store.key)).toMatch(/revoked/),
  },
  'another resync and a renewal': {
    act: async (store) => {
      await resyncStore(world.container(), store.shopId);
      await renewed(store);
    },
    holds: async (store) => expect(await token(store)).toBe('access-2'),
  },
  'a version of a container of before': {
    act: async (store) => {
      const { secrets, secretsPrefix, table } = world.container();
      const name = `${secretsPrefix}/stores/${store.shopId}/platform`;
      const otherGrant = await secrets.addPending(name, grantOf('access-theirs', world.now() + 1_800_000));
      await codeBefore(table, store).decide(store.platformVersionId, otherGrant);
    },
    holds: async (store) => expect(await token(store)).toBe('access-theirs'),
  },
  'a claim of a container of before': {
    act: (store) => codeBefore(world.container().table, store).claim(store.unclaimed.keyId, world.now()),
    holds: async (store) => expect(await tryKey(world.container(), store.unclaimed.text)).toBe('ok'),
  },
};

function keyIdOf({ item }: StoreBefore): string {
  return Object.keys(item.keyClaims as object)[0] ?? '';
}

describe('beside a resync, before any of its steps,', () => {
  useWorld(createWorld);
  test.each(Object.keys(concurrentWrites))('%s is not lost', async (name) => {
    const { act, holds } = concurrentWrites[name] as (typeof concurrentWrites)[string];
    for (let step = 0, reached = true; reached; step++) {
      reached = false;
      const store = await putStoreBefore(world);
      const slow = world.container();
      slow.faults.pause = async ({ count }: Call) => {
        const isOld = 'keyClaims' in (await itemsOf(store)).store;
        // After the last write no container of before is left: docs/deploying.md.
        if (count !== step || reached || (name.endsWith('of before') && !isOld)) return;
        reached = true;
        await act(store);
      };
      await resyncStore(slow, store.shopId);
      await expectSplit(store);
      if (reached) await holds(store);
    }
  });

  test('a read that sees the store after it, and the parts before it, is made again', async () => {
    const store = await putStoreBefore(world);
    const { table, shopId } = { ...world.container(), ...store };
    let reads = 0;
    const torn: Pick<Table, 'get' | 'batchGet'> = {
      ...table,
      async batchGet(keys) {
        if (++reads > 1) return table.batchGet(keys);
        const old = await table.batchGet(keys.slice(1));
        await resyncStore(world.container(), shopId);
        return [await table.get(keys[0] ?? store.item), ...old];
      },
    };
    expect(await readStoreRecord(torn, shopId)).toMatchObject({ platformVersionId: store.platformVersionId });
    expect(reads).toBe(2);
  });
});
