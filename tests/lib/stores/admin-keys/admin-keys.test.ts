import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TooManyLiveKeys } from '../../../../lib/stores/admin-keys/check-live-key-limit.ts';
import { issueAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import { listAdminKeys, toListedAdminKey } from '../../../../lib/stores/admin-keys/list-admin-keys.ts';
import { revokeAdminKey } from '../../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { rotateAdminKey } from '../../../../lib/stores/admin-keys/rotate-admin-key.ts';
import { crashEverywhere } from '../world/faults.ts';
import { FACTS, open, tryKey } from '../world/merchant.ts';
import { createWorld, type Deps, type World } from '../world/world.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A store with one claimed key. */
async function storeWithKey() {
  const { shopId, domain } = await world.installed();
  const deps = world.container();
  const issued = await issueAdminKey(deps, { shopId, ...FACTS });
  const key = await open(deps, issued, domain);
  return { shopId, domain, deps, keyId: issued.keyId, key };
}

async function states(deps: Deps, shopId: Parameters<typeof listAdminKeys>[1]) {
  const { store, keys } = await listAdminKeys(deps, shopId);
  return keys.map((record) => toListedAdminKey(record, store, world.now()).state);
}

describe('a key', () => {
  test('works only once it is claimed, and on its own store alone', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const issued = await issueAdminKey(deps, { shopId, ...FACTS });
    expect(await states(deps, shopId)).toEqual(['unclaimed']);
    const key = await open(deps, issued, domain);
    expect(await tryKey(deps, key)).toBe('ok');
    expect((await deps.verify(`Bearer ${key}`)).shopId).toBe(shopId);
  });

  test('is refused at the next request after its revocation, by a container that had it cached', async () => {
    const { shopId, deps, keyId, key } = await storeWithKey();
    expect(await tryKey(deps, key)).toBe('ok');
    await revokeAdminKey(world.container(), { shopId, keyId });
    expect(await tryKey(deps, key)).toBe('UNAUTHENTICATED: The key has been revoked.');
    expect(await revokeAdminKey(deps, { shopId, keyId })).toBe('was revoked');
  });

  test('ends at its own time', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const issued = await issueAdminKey(deps, { shopId, ...FACTS, notAfter: world.now() + 60_000 });
    const key = await open(deps, issued, domain);
    expect(await tryKey(deps, key)).toBe('ok');
    world.advance(60_000);
    expect(await tryKey(deps, key)).toBe('UNAUTHENTICATED: The key has expired.');
  });

  test('rejects an unknown id or the name of an unknown store with advice to the operator', async () => {
    const { shopId, deps } = await storeWithKey();
    await expect(revokeAdminKey(deps, { shopId, keyId: 'key_000000000000' })).rejects.toThrow(
      'List its keys',
    );
  });
});

describe('five live keys', () => {
  test('limits live keys to five; unclaimed ones can be revoked, and do not count once their link has expired', async () => {
    const { shopId, deps } = await storeWithKey();
    for (let count = 0; count < 4; count++) await issueAdminKey(deps, { shopId, ...FACTS });
    const sixth = issueAdminKey(deps, { shopId, ...FACTS });
    await expect(sixth).rejects.toBeInstanceOf(TooManyLiveKeys);
    await expect(sixth).rejects.toMatchObject({ unclaimedKeys: { length: 4 } });
    await issueAdminKey(deps, { shopId, ...FACTS, revokesUnclaimedKeys: true });
    expect((await states(deps, shopId)).sort()).toEqual(['live', ...Array(4).fill('revoked'), 'unclaimed']);
  });

  test('each of the five can be rotated, also again; a key and its successor count once', async () => {
    const { shopId, domain, deps, keyId } = await storeWithKey();
    const ids = [keyId];
    while (ids.length < 5) {
      const issued = await issueAdminKey(deps, { shopId, ...FACTS });
      await open(deps, issued, domain);
      ids.push(issued.keyId);
    }
    const rotate = (id: string) =>
      rotateAdminKey(deps, { shopId, keyId: id, createdBy: 'ops', overlap: '7d' });
    const sixth = () => issueAdminKey(deps, { shopId, ...FACTS });
    const successors: string[] = [];
    for (const id of ids) {
      await rotate(id);
      const successor = await rotate(id);
      await expect(sixth()).rejects.toBeInstanceOf(TooManyLiveKeys);
      await open(deps, successor, domain);
      successors.push(successor.keyId);
    }
    const usable = (await states(deps, shopId)).filter((state) => state !== 'revoked');
    expect(usable.sort()).toEqual([...Array(5).fill('live'), ...Array(5).fill('retiring')]);
    await expect(sixth()).rejects.toBeInstanceOf(TooManyLiveKeys);
    await expect(rotate(successors[0] ?? '')).rejects.toThrow('Too many replaced keys still work');
    world.advance(7 * DAY);
    await rotate(successors[0] ?? '');
  });

  test('a link of 72 hours ago counts no more', async () => {
    const { shopId, deps } = await storeWithKey();
    for (let count = 0; count < 4; count++) await issueAdminKey(deps, { shopId, ...FACTS });
    world.advance(72 * HOUR);
    await issueAdminKey(deps, { shopId, ...FACTS });
  });
});

describe('rotation', () => {
  test('the overlap begins when the successor is claimed, and not before', async () => {
    const { shopId, domain, deps, keyId, key } = await storeWithKey();
    const request = { shopId, keyId, createdBy: 'ops', overlap: '1h' as const };
    const successor = await rotateAdminKey(deps, request);
    world.advance(10 * HOUR);
    expect(await tryKey(deps, key)).toBe('ok');
    const next = await open(deps, successor, domain);
    world.advance(HOUR - 1000);
    expect([await tryKey(deps, key), await tryKey(deps, next)]).toEqual(['ok', 'ok']);
    expect(await states(deps, shopId)).toEqual(['retiring', 'live']);
    world.advance(1000);
    expect(await tryKey(deps, key)).toMatch(/replaced by another one/);
    expect(await tryKey(deps, next)).toBe('ok');
    await expect(rotateAdminKey(deps, request)).rejects.toThrow('Rotate its successor');
  });

  test('a successor that is never claimed, or revoked before, leaves the old key as it was', async () => {
    const { shopId, deps, keyId, key } = await storeWithKey();
    const request = { shopId, keyId, createdBy: 'ops', overlap: '0' as const };
    const first = await rotateAdminKey(deps, request);
    await revokeAdminKey(deps, { shopId, keyId: first.keyId });
    const second = await rotateAdminKey(deps, request);
    world.advance(31 * DAY);
    await issueAdminKey(deps, { shopId, ...FACTS });
    expect(await tryKey(deps, key)).toBe('ok');
    const { keys } = await listAdminKeys(deps, shopId);
    expect(keys.map(({ id }) => id)).not.toContain(first.keyId);
    expect(keys.map(({ id }) => id)).toContain(second.keyId);
  });

  test('never lets the overlap outlast the old key itself', async () => {
    const { shopId, domain } = await world.installed();
    const deps = world.container();
    const issued = await issueAdminKey(deps, { shopId, ...FACTS, notAfter: world.now() + HOUR });
    const key = await open(deps, issued, domain);
    const request = { shopId, keyId: issued.keyId, createdBy: 'ops', overlap: '7d' as const };
    await open(deps, await rotateAdminKey(deps, request), domain);
    world.advance(HOUR);
    expect(await tryKey(deps, key)).toMatch(/^UNAUTHENTICATED/);
  });

  test('a leaked key ends at once, before its successor is claimed', async () => {
    const { shopId, domain, deps, keyId, key } = await storeWithKey();
    const request = { shopId, keyId, createdBy: 'ops', overlap: 'leaked' as const };
    const successor = await rotateAdminKey(deps, request);
    expect(await tryKey(deps, key)).toMatch(/revoked/);
    expect(await tryKey(deps, await open(deps, successor, domain))).toBe('ok');
  });

  test('20 clients in a loop see no failure while their key is rotated', async () => {
    const { shopId, domain, deps, keyId, key } = await storeWithKey();
    let current = key;
    let isDone = false;
    const failures: string[] = [];
    const clients = Array.from({ length: 20 }, async () => {
      const container = world.container();
      while (!isDone) {
        const outcome = await tryKey(container, current);
        if (outcome !== 'ok') failures.push(outcome);
      }
    });
    const successor = await rotateAdminKey(deps, { shopId, keyId, createdBy: 'ops', overlap: '1h' });
    current = await open(deps, successor, domain);
    await tryKey(world.container(), current);
    isDone = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
  });

  test('removes a replaced key and its claim after 30 days', async () => {
    const { shopId, domain, deps, keyId } = await storeWithKey();
    const successor = await rotateAdminKey(deps, { shopId, keyId, createdBy: 'ops', overlap: '0' });
    await open(deps, successor, domain);
    world.advance(30 * DAY);
    await issueAdminKey(deps, { shopId, ...FACTS });
    const { store, keys } = await listAdminKeys(deps, shopId);
    expect(keys.map(({ id }) => id)).not.toContain(keyId);
    expect(Object.keys(store.keyClaims)).toEqual([successor.keyId]);
  });

  test('keeps the end of a replaced key when its successor and the claim are removed', async () => {
    const { shopId, domain, deps, keyId, key } = await storeWithKey();
    const successor = await rotateAdminKey(deps, { shopId, keyId, createdBy: 'ops', overlap: '7d' });
    await open(deps, successor, domain);
    const endOfReplaced = async () => {
      const { store, keys } = await listAdminKeys(deps, shopId);
      const replaced = keys.find(({ id }) => id === keyId);
      return replaced && toListedAdminKey(replaced, store, world.now()).endsAtMs;
    };
    const endsAtMs = await endOfReplaced();
    expect(Math.abs((endsAtMs ?? 0) - world.now() - 7 * DAY)).toBeLessThan(1000);
    await revokeAdminKey(deps, { shopId, keyId: successor.keyId });
    world.advance(31 * DAY);
    await issueAdminKey(deps, { shopId, ...FACTS });
    const { store, keys } = await listAdminKeys(deps, shopId);
    expect(keys.map(({ id }) => id)).not.toContain(successor.keyId);
    expect(store.keyClaims).not.toHaveProperty(successor.keyId);
    expect(await endOfReplaced()).toBe(endsAtMs);
    expect(await tryKey(deps, key)).not.toBe('ok');
  });
});

describe('a crash between any two steps', () => {
  test('completes a repeated issue after a crash, and leaves no live key unclaimed', async () => {
    const { shopId } = await world.installed();
    const points = await crashEverywhere(
      (plan) => {
        const deps = world.container();
        deps.faults.plan = plan;
        return issueAdminKey(deps, { shopId, ...FACTS, revokesUnclaimedKeys: true });
      },
      async () => {
        const deps = world.container();
        await issueAdminKey(deps, { shopId, ...FACTS, revokesUnclaimedKeys: true });
        const counted = (await states(deps, shopId)).filter((state) => state !== 'revoked');
        expect(counted).toEqual(['unclaimed']);
      },
    );
    expect(points).toBeGreaterThan(10);
  });

  test('returns a successor for a repeated rotation after a crash, and keeps the old key until it is claimed', async () => {
    const { shopId, deps, keyId, key } = await storeWithKey();
    const request = { shopId, keyId, createdBy: 'ops', overlap: '0' as const };
    const points = await crashEverywhere(
      (plan) => {
        const dying = world.container();
        dying.faults.plan = plan;
        return rotateAdminKey(dying, request);
      },
      async () => {
        await rotateAdminKey(world.container(), request);
        expect(await tryKey(deps, key)).toBe('ok');
        expect((await states(deps, shopId)).filter((state) => state === 'unclaimed')).toHaveLength(1);
      },
    );
    expect(points).toBeGreaterThan(10);
  });

  test('revokes the key in a repeated revocation after a crash, and moves the label AWSCURRENT', async () => {
    const { shopId, deps } = await storeWithKey();
    const points = await crashEverywhere(
      async (plan) => {
        const issued = await issueAdminKey(deps, { shopId, ...FACTS, revokesUnclaimedKeys: true });
        const dying = world.container();
        dying.faults.plan = plan;
        return revokeAdminKey(dying, { shopId, keyId: issued.keyId });
      },
      async () => {
        const { keys } = await listAdminKeys(deps, shopId);
        const last = keys.at(-1)?.id ?? '';
        await revokeAdminKey(world.container(), { shopId, keyId: last });
        const { store, keys: after } = await listAdminKeys(deps, shopId);
        expect(after.at(-1)).toMatchObject({ id: last, state: 'revoked' });
        const name = `${deps.secretsPrefix}/stores/${shopId}/admin-keys`;
        expect(await deps.secrets.currentVersionId(name)).toBe(store.adminKeysVersionId);
      },
    );
    expect(points).toBeGreaterThan(8);
  });
});
