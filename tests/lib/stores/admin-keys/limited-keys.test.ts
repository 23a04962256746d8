/** Limited keys: their limits are enforced, survive a rotation, and are never extended for older code. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { Network } from '../../../../lib/domain/network.ts';
import type { CallerAddress } from '../../../../lib/http/edge/caller-address.ts';
import { parseAdminKeys, toAdminKeysSecret } from '../../../../lib/storage/admin-key-record.ts';
import { storeSecretName } from '../../../../lib/storage/versioned-secret.ts';
import { issueAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import { listAdminKeys, toListedAdminKey } from '../../../../lib/stores/admin-keys/list-admin-keys.ts';
import { rotateAdminKey } from '../../../../lib/stores/admin-keys/rotate-admin-key.ts';
import { FACTS, open } from '../world/merchant.ts';
import { createWorld, type World } from '../world/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const OFFICE = ['203.0.113.0/24', '2001:db8::/32'] as Network[];
const from = (address: string | undefined) => address as CallerAddress | undefined;

async function storeWithKey(limits: Partial<Parameters<typeof issueAdminKey>[1]> = {}) {
  const { shopId, domain } = await world.installed();
  const deps = world.container();
  const issued = await issueAdminKey(deps, { shopId, ...FACTS, ...limits });
  const key = await open(deps, issued, domain);
  return { shopId, domain, deps, keyId: issued.keyId, key, header: `Bearer ${key}` };
}

async function listed(shopId: Parameters<typeof listAdminKeys>[1], keyId: string) {
  const { store, keys } = await listAdminKeys(world.container(), shopId);
  const record = keys.find(({ id }) => id === keyId);
  return record && toListedAdminKey(record, store, world.now());
}

describe('scopes', () => {
  test.each([
    ['not given', undefined, ['READ', 'WRITE']],
    ['reading', ['READ'], ['READ']],
    ['webhooks alone', ['WEBHOOKS'], ['WEBHOOKS']],
    ['billing', ['BILLING', 'READ'], ['READ', 'BILLING']],
    ['all', ['WEBHOOKS', 'WRITE', 'READ'], ['READ', 'WRITE', 'WEBHOOKS']],
  ] as const)('%s', async (_what, scopes, has) => {
    const { shopId, deps, keyId, header } = await storeWithKey(scopes && { scopes: [...scopes] });
    expect((await deps.verify(header)).scopes).toEqual(has);
    expect(await listed(shopId, keyId)).toMatchObject({ scopes: has });
  });

  test.each([
    ['none', []],
    ['changing without reading', ['WRITE', 'WEBHOOKS']],
    ['billing without reading', ['BILLING']],
  ] as const)('%s: no such key is issued', async (_what, scopes) => {
    const { shopId } = await world.installed();
    const issuing = issueAdminKey(world.container(), { shopId, ...FACTS, scopes: [...scopes] });
    await expect(issuing).rejects.toThrow(/scope/);
  });
});

describe('networks', () => {
  test('accepts a key from its networks only, whatever a container has cached, and rings for others', async () => {
    const { deps, header, keyId, shopId } = await storeWithKey({ networks: OFFICE });
    const inside = from('203.0.113.77');
    const refused = { code: 'UNAUTHENTICATED', details: expect.stringContaining('may not be used from') };
    expect((await deps.verify(header, inside)).keyId).toBe(keyId);
    expect((await deps.verify(header, from('2001:db8:1::9'))).keyId).toBe(keyId);
    for (const outside of [from('203.0.114.1'), from('2001:db9::1'), undefined]) {
      const { length } = world.logs;
      await expect(deps.verify(header, outside)).rejects.toMatchObject(refused);
      const fields = { alarm: 'key_outside_networks', shopId, keyId, caller: outside };
      expect(world.logs.slice(length)).toEqual([{ message: 'key.network_refused', fields }]);
    }
    // The table is down: what was verified a moment ago passes, from the same networks.
    deps.faults.plan = () => 'down';
    expect((await deps.verify(header, inside)).keyId).toBe(keyId);
    await expect(deps.verify(header, from('203.0.114.1'))).rejects.toMatchObject(refused);
    deps.faults.plan = () => undefined;
    expect(await listed(shopId, keyId)).toMatchObject({ networks: OFFICE });
  });

  test('returns the same for an unknown key as for one from a network that is not allowed', async () => {
    const { deps } = await storeWithKey({ networks: OFFICE });
    const other = await storeWithKey();
    const unknown = other.header.replace(/.$/, (last) => (last === 'A' ? 'w' : 'A'));
    await expect(deps.verify(unknown, from('203.0.114.1'))).rejects.toMatchObject({
      details: expect.not.stringContaining('may not be used from'),
    });
  });
});

describe('a rotation', () => {
  const LIMITS = { scopes: ['READ'] as const, networks: OFFICE };

  test.each(['24h', 'leaked'] as const)('keeps the end, unless another is given (%s)', async (overlap) => {
    const notAfter = world.now() + 3_600_000;
    const { shopId, deps, keyId } = await storeWithKey({ ...LIMITS, notAfter });
    const rotate = async (more: object) => {
      const request = { shopId, keyId, createdBy: 'ops', overlap, ...more };
      const next = await rotateAdminKey(deps, request);
      return [next.notAfter, (await listed(shopId, next.keyId))?.endsAtMs];
    };
    expect(await rotate({})).toEqual([notAfter, notAfter]);
    expect(await rotate({ notAfter: notAfter + 1 })).toEqual([notAfter + 1, notAfter + 1]);
    expect(await rotate({ notAfter: 'never' })).toEqual([undefined, undefined]);
  });

  test('requires an end of the successor when the key has ended', async () => {
    const { shopId, deps, keyId } = await storeWithKey({ notAfter: world.now() + 1000 });
    world.advance(1000);
    const request = { shopId, keyId, createdBy: 'ops', overlap: 'leaked' as const };
    await expect(rotateAdminKey(deps, request)).rejects.toThrow('say when its successor ends');
  });

  test('keeps scopes and networks', async () => {
    const { shopId, domain, deps, keyId } = await storeWithKey(LIMITS);
    const next = await rotateAdminKey(deps, { shopId, keyId, createdBy: 'ops', overlap: '24h' });
    await open(deps, next, domain);
    expect(await listed(shopId, next.keyId)).toMatchObject(LIMITS);
  });

  test('sets other limits if they are given', async () => {
    const { shopId, deps, keyId } = await storeWithKey(LIMITS);
    const change = { scopes: ['READ', 'WRITE'] as const, networks: [] };
    const next = await rotateAdminKey(deps, { shopId, keyId, createdBy: 'ops', overlap: '0', ...change });
    expect(await listed(shopId, next.keyId)).toMatchObject({ scopes: ['READ', 'WRITE'], networks: [] });
  });
});

describe('code of before, which knows no limits', () => {
  /** The format of the secret before keys could be limited. */
  const before = z.object({
    keys: z.array(z.object({ id: z.string(), hash: z.string(), state: z.enum(['active', 'revoked']) })),
  });

  test('does not know a limited key, and so refuses it; others it knows', async () => {
    const { shopId, deps, keyId } = await storeWithKey();
    const limited = await issueAdminKey(deps, { shopId, ...FACTS, scopes: ['READ'] });
    const walled = await issueAdminKey(deps, { shopId, ...FACTS, networks: OFFICE });
    const secret = await deps.secrets.read(storeSecretName(deps.secretsPrefix, shopId, 'admin-keys'));
    expect(before.parse(secret?.json).keys.map(({ id }) => id)).toEqual([keyId]);
    const all = parseAdminKeys(secret?.json).keys.map(({ id }) => id);
    expect(all).toEqual([keyId, limited.keyId, walled.keyId]);
  });

  test('its secrets are read as they were, and a scope of later code is no scope', () => {
    const record = { id: 'key_1', hash: 'h', label: 'l', intendedUse: 'u', createdAt: 1, createdBy: 'o' };
    const old = { ...record, state: 'active' as const };
    expect(toAdminKeysSecret(parseAdminKeys({ keys: [old] }).keys)).toEqual({ keys: [old] });
    const later = { ...old, scopes: ['READ', 'ADMIN'] };
    const [read] = parseAdminKeys({ keys: [], limitedKeys: [later] }).keys;
    expect(read?.scopes).toEqual(['READ', 'ADMIN']);
  });
});
