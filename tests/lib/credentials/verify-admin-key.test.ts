import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAdminKey } from '../../../lib/domain/tokens/admin-key.ts';
import { issueAdminKey } from '../../../lib/stores/admin-keys/issue-admin-key.ts';
import { revokeAdminKey } from '../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { installStore } from '../../../lib/stores/lifecycle/install-store.ts';
import { uninstallStore } from '../../../lib/stores/lifecycle/uninstall-store.ts';
import { FACTS, open, tryKey } from '../stores/world/merchant.ts';
import { createWorld, storeFacts, type World } from '../stores/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A container that has just verified a key of its store. */
async function verified() {
  const { shopId, domain } = await world.installed();
  const operator = world.container();
  const issued = await issueAdminKey(operator, { shopId, ...FACTS });
  const key = await open(operator, issued, domain);
  const container = world.container();
  expect(await tryKey(container, key)).toBe('ok');
  return { shopId, domain, keyId: issued.keyId, key, operator, container };
}

describe('what is refused', () => {
  test('a key that was not copied as it is: by its form, or by its check digits', async () => {
    const { shopId } = await world.installed();
    const { text } = createAdminKey(shopId, randomBytes);
    const container = world.container();
    const malformed =
      'UNAUTHENTICATED: The key is malformed. It begins with SVC_AT_ and is 63 characters long.';
    for (const wrong of [text.slice(1), text.slice(0, -1), `${text}A`, text.toLowerCase(), 'SVC_AT_'])
      expect(await tryKey(container, wrong)).toBe(malformed);
    for (const at of [7, 20, text.length - 1]) {
      const other = text[at] === 'A' ? 'B' : 'A';
      expect(await tryKey(container, text.slice(0, at) + other + text.slice(at + 1))).toBe(
        'UNAUTHENTICATED: The key has a wrong character: its check digits do not fit. Copy it again.',
      );
    }
    expect(container.faults.calls).toEqual([]);
  });

  test('another key with a known id, an unknown id, and a key of a store that is not there', async () => {
    const { key, shopId, container } = await verified();
    const forged = createAdminKey(shopId, randomBytes);
    expect(await tryKey(container, forged.text)).toBe('UNAUTHENTICATED: The key is not known.');
    const otherStoreKey = createAdminKey((shopId + 500_000) as typeof shopId, randomBytes);
    expect(await tryKey(container, otherStoreKey.text)).toBe('UNAUTHENTICATED: The key is not known.');
    expect(await tryKey(container, key)).toBe('ok');
  });

  test('refuses a key of an uninstalled store, and after a new installation the keys from before', async () => {
    const { shopId, domain, key, operator, container } = await verified();
    await uninstallStore(operator, shopId);
    expect(await tryKey(container, key)).toMatch(/not installed on the store/);
    world.advance(1000);
    await installStore(operator, storeFacts({ shopId, domain }));
    expect(await tryKey(container, key)).toMatch(/before the store was installed again/);
  });

  test('refuses an issued key that is not claimed yet', async () => {
    const { shopId } = await world.installed();
    const random: Uint8Array[] = [];
    const deps = world.container();
    const recorded = {
      ...deps,
      random: (bytes: number) => random[random.push(randomBytes(bytes)) - 1] as Uint8Array,
    };
    await issueAdminKey(recorded, { shopId, ...FACTS });
    const key = createAdminKey(shopId, () => random[0] as Uint8Array);
    expect(await tryKey(deps, key.text)).toBe('UNAUTHENTICATED: The key has not been claimed yet.');
  });
});

describe('requests to the stores of secrets', () => {
  test('reads Secrets Manager once for each container and change', async () => {
    const { shopId, keyId, key, operator, container } = await verified();
    for (let count = 0; count < 10; count++) await tryKey(container, key);
    const requests = () => container.faults.calls.filter(({ at }) => at === 'secrets').length;
    expect(requests()).toBe(1);
    await issueAdminKey(operator, { shopId, ...FACTS });
    for (let count = 0; count < 10; count++) expect(await tryKey(container, key)).toBe('ok');
    expect(requests()).toBe(2);
    await revokeAdminKey(operator, { shopId, keyId });
    await tryKey(container, key);
    expect(requests()).toBe(3);
  });

  test('through an outage of Secrets Manager a cached version goes on', async () => {
    const { key, container } = await verified();
    container.faults.plan = ({ at }) => (at === 'secrets' ? 'down' : undefined);
    expect(await tryKey(container, key)).toBe('ok');
  });

  test('does not use a cached version when a newer one cannot be read: that may have revoked the key', async () => {
    const { shopId, keyId, key, operator, container } = await verified();
    await revokeAdminKey(operator, { shopId, keyId });
    container.faults.plan = ({ at }) => (at === 'secrets' ? 'down' : undefined);
    expect(await tryKey(container, key)).toMatch(/^TEMPORARILY_UNAVAILABLE/);
    container.faults.plan = () => 'down';
    expect(await tryKey(container, key)).toMatch(/^TEMPORARILY_UNAVAILABLE/);
  });
});

describe('an outage of the table', () => {
  test('a key verified in the last 60 s passes, then it is 503, never 401', async () => {
    const { key, container } = await verified();
    container.faults.plan = () => 'down';
    world.advance(58_000);
    expect(await tryKey(container, key)).toBe('ok');
    world.advance(3_000);
    expect(await tryKey(container, key)).toMatch(/^TEMPORARILY_UNAVAILABLE/);
  });

  test('a key that this container has not seen does not pass', async () => {
    const { key } = await verified();
    const fresh = world.container();
    fresh.faults.plan = () => 'down';
    expect(await tryKey(fresh, key)).toMatch(/^TEMPORARILY_UNAVAILABLE/);
  });

  test('a key known to be revoked does not come back with it', async () => {
    const { shopId, keyId, key, operator, container } = await verified();
    await revokeAdminKey(operator, { shopId, keyId });
    expect(await tryKey(container, key)).toMatch(/^UNAUTHENTICATED/);
    container.faults.plan = () => 'down';
    expect(await tryKey(container, key)).toMatch(/^TEMPORARILY_UNAVAILABLE/);
  });
});
