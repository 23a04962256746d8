import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storeSecretName } from '../../../lib/storage/versioned-secret.ts';
import { issueAdminKey } from '../../../lib/stores/admin-keys/issue-admin-key.ts';
import { listAdminKeys } from '../../../lib/stores/admin-keys/list-admin-keys.ts';
import { revokeAdminKey } from '../../../lib/stores/admin-keys/revoke-admin-key.ts';
import type { Call } from '../stores/world/faults.ts';
import { FACTS, open, tryKey } from '../stores/world/merchant.ts';
import { createWiredWorld, PREFIX, type World } from '../stores/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWiredWorld();
});
afterAll(() => world.close());

describe('two operators change the keys of one store', () => {
  test('one of them frozen before any of its steps: no issued key is lost, no revoked one comes back', async () => {
    const { shopId, domain } = await world.installed();
    const first = world.container();
    const victim = await issueAdminKey(first, { shopId, ...FACTS });
    const key = await open(first, victim, domain);
    let steps = 0;
    for (let reached = true; reached; steps++) {
      reached = false;
      const frozen = world.container();
      const other = world.container();
      let concurrentVersion: string | undefined;
      frozen.faults.pause = async ({ count }: Call) => {
        if (count !== steps || reached) return;
        reached = true;
        // A minute passes, in which the other one issues a key and revokes the first.
        concurrentVersion = (
          await issueAdminKey(other, { shopId, ...FACTS, label: 'meanwhile', revokesUnclaimedKeys: true })
        ).keyId;
        await revokeAdminKey(other, { shopId, keyId: victim.keyId });
      };
      const own = await issueAdminKey(frozen, {
        shopId,
        ...FACTS,
        label: 'frozen',
        revokesUnclaimedKeys: true,
      });
      const { keys } = await listAdminKeys(other, shopId);
      const byId = new Map(keys.map((record) => [record.id, record]));
      expect(byId.has(own.keyId)).toBe(true);
      if (reached) expect(byId.has(concurrentVersion ?? '')).toBe(true);
      expect([steps, byId.get(victim.keyId)?.state]).toEqual([steps, 'revoked']);
      expect(await tryKey(other, key)).toMatch(/revoked/);
    }
    expect(steps).toBeGreaterThan(5);
  });

  test('a revocation frozen before any of its steps holds, and loses nothing of what came between', async () => {
    const { shopId } = await world.installed();
    for (let step = 0, reached = true; reached; step++) {
      reached = false;
      const victim = await issueAdminKey(world.container(), { shopId, ...FACTS, revokesUnclaimedKeys: true });
      const frozen = world.container();
      let concurrentVersion = '';
      frozen.faults.pause = async ({ count }: Call) => {
        if (count !== step || reached) return;
        reached = true;
        concurrentVersion = (await issueAdminKey(world.container(), { shopId, ...FACTS })).keyId;
      };
      await revokeAdminKey(frozen, { shopId, keyId: victim.keyId });
      const { keys, store } = await listAdminKeys(world.container(), shopId);
      expect(keys.find(({ id }) => id === victim.keyId)).toMatchObject({ state: 'revoked' });
      if (reached) expect(keys.find(({ id }) => id === concurrentVersion)).toMatchObject({ state: 'active' });
      const name = storeSecretName(PREFIX, shopId, 'admin-keys');
      expect(await world.container().secrets.currentVersionId(name)).toBe(store.adminKeysVersionId);
    }
  });

  test('five at once: every key is there, and AWSCURRENT is what the store item names', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const keys = [];
    for (let count = 0; count < 5; count++) {
      const issued = await issueAdminKey(deps, { shopId, ...FACTS });
      await open(deps, issued, domain);
      keys.push(issued.keyId);
    }
    await Promise.all(keys.map((keyId) => revokeAdminKey(world.container(), { shopId, keyId })));
    const { store, keys: after } = await listAdminKeys(deps, shopId);
    expect(after.map(({ state }) => state)).toEqual(Array(5).fill('revoked'));
    const name = storeSecretName(PREFIX, shopId, 'admin-keys');
    expect(await deps.secrets.currentVersionId(name)).toBe(store.adminKeysVersionId);
  });
});

describe('a lost answer', () => {
  test('at any step never makes a key twice', async () => {
    const { shopId } = await world.installed();
    for (let step = 0; step < 8; step++) {
      const deps = world.container();
      deps.faults.plan = ({ count }) => (count === step ? 'lost' : undefined);
      await issueAdminKey(deps, { shopId, ...FACTS, revokesUnclaimedKeys: true }).catch(() => undefined);
      const { keys } = await listAdminKeys(world.container(), shopId);
      const ids = keys.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('reads the deciding write again when its response is lost', async () => {
    const { shopId } = await world.installed();
    const deps = world.container();
    deps.faults.plan = ({ at, operation }) => (at === 'table' && operation === 'update' ? 'lost' : undefined);
    const issued = await issueAdminKey(deps, { shopId, ...FACTS });
    const { keys } = await listAdminKeys(world.container(), shopId);
    expect(keys.map(({ id }) => id)).toEqual([issued.keyId]);
  });
});

describe('a version that the store item names but that is not there', () => {
  test('is never taken for an empty one', async () => {
    const { shopId } = await world.installed();
    const deps = world.container();
    await issueAdminKey(deps, { shopId, ...FACTS });
    await deps.table.update({
      key: { pk: `STORE#${shopId}`, sk: 'STORE' },
      update: 'SET adminKeysVersionId = :other',
      values: { ':other': '00000000-0000-4000-8000-000000000000' },
    });
    await expect(issueAdminKey(deps, { shopId, ...FACTS })).rejects.toMatchObject({
      code: 'TEMPORARILY_UNAVAILABLE',
    });
  });
});
