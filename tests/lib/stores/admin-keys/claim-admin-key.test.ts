import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import { oneTimeLinkKey } from '../../../../lib/storage/one-time-links.ts';
import { claimAdminKey } from '../../../../lib/stores/admin-keys/claim-admin-key.ts';
import { inspectOneTimeLink } from '../../../../lib/stores/admin-keys/inspect-one-time-link.ts';
import { issueAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import { revokeAdminKey } from '../../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { crashEverywhere } from '../world/faults.ts';
import { claimOf, FACTS, open, tryKey } from '../world/merchant.ts';
import { createWorld, type World } from '../world/world.ts';

const HOUR = 3600_000;
const OTHER = 'another-store.myshopify.com' as ShopDomain;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function issued() {
  const store = await world.installed();
  const deps = world.container();
  return { ...store, deps, link: await issueAdminKey(deps, { shopId: store.shopId, ...FACTS }) };
}

describe('a one-time link', () => {
  test('50 people at once: one gets the key', async () => {
    const { deps, link, domain } = await issued();
    const claims = await Promise.all(
      Array.from({ length: 50 }, () => claimAdminKey(world.container(), claimOf(link, domain))),
    );
    const outcomes = claims.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'opened')).toHaveLength(1);
    // No request had a wrong domain, so no wrong domain is reported.
    expect(outcomes.filter((outcome) => outcome === 'gone')).toHaveLength(49);
    expect((await deps.links.find(link.linkId))?.wrongDomains).toBe(0);
  });

  test('returns the same key to the same claim within 120 s, and the time of opening to anyone else', async () => {
    const { deps, link, domain } = await issued();
    const claim = claimOf(link, domain);
    const first = await claimAdminKey(deps, claim);
    world.advance(119_000);
    expect(await claimAdminKey(deps, claim)).toEqual(first);
    expect(await claimAdminKey(deps, claimOf(link, domain))).toEqual({
      outcome: 'gone',
      openedAtMs: expect.any(Number),
    });
    world.advance(2_000);
    expect(await claimAdminKey(deps, claim)).toMatchObject({ outcome: 'gone' });
  });

  test('is unknown without the proof, and many tries lock no merchant out', async () => {
    const { deps, link, domain } = await issued();
    for (let tries = 0; tries < 20; tries++) {
      const claim = { ...claimOf(link, OTHER), proof: `${tries}` };
      expect(await claimAdminKey(deps, claim)).toEqual({ outcome: 'unknown' });
    }
    expect(await claimAdminKey(deps, claimOf(link, domain))).toMatchObject({ outcome: 'opened' });
  });

  test('checks only five of twelve concurrent wrong domains', async () => {
    const { link } = await issued();
    const claims = await Promise.all(
      Array.from({ length: 12 }, () => claimAdminKey(world.container(), claimOf(link, OTHER))),
    );
    expect(claims.filter(({ outcome }) => outcome === 'wrong-domain')).toHaveLength(5);
    expect(claims.filter(({ outcome }) => outcome === 'locked')).toHaveLength(7);
  });

  test('five wrong domains lock it for the rest of the hour', async () => {
    const { deps, link, domain } = await issued();
    for (let tries = 0; tries < 5; tries++) {
      expect(await claimAdminKey(deps, claimOf(link, OTHER))).toEqual({ outcome: 'wrong-domain' });
    }
    const locked = await claimAdminKey(deps, claimOf(link, domain));
    expect(locked).toMatchObject({ outcome: 'locked' });
    if (locked.outcome !== 'locked') throw new Error();
    world.advance(locked.retryAfterSeconds * 1000);
    expect(await claimAdminKey(deps, claimOf(link, domain))).toMatchObject({ outcome: 'opened' });
  });

  test('has expired after 72 hours, when its key is revoked, and when the store is gone', async () => {
    const late = await issued();
    const revoked = await issued();
    await revokeAdminKey(revoked.deps, { shopId: revoked.shopId, keyId: revoked.link.keyId });
    const gone = { outcome: 'gone', openedAtMs: undefined };
    expect(await claimAdminKey(revoked.deps, claimOf(revoked.link, revoked.domain))).toEqual(gone);
    expect(await inspectOneTimeLink(revoked.deps, revoked.link.linkId)).toEqual({
      state: 'gone',
      openedAtMs: undefined,
    });
    world.advance(72 * HOUR);
    expect(await claimAdminKey(late.deps, claimOf(late.link, late.domain))).toEqual(gone);
    expect(await inspectOneTimeLink(late.deps, late.link.linkId)).toEqual({
      state: 'gone',
      openedAtMs: undefined,
    });
  });

  test('is expired when its key has ended before it was opened', async () => {
    const { deps, shopId } = await issued();
    const notAfter = deps.now() + HOUR;
    const link = await issueAdminKey(deps, { shopId, ...FACTS, notAfter });
    expect(await inspectOneTimeLink(deps, link.linkId)).toMatchObject({ state: 'open', notAfter });
    world.advance(HOUR);
    expect(await inspectOneTimeLink(deps, link.linkId)).toEqual({ state: 'gone', openedAtMs: undefined });
  });

  test('shows the store and changes nothing when it is read, and reads nothing for an invalid id', async () => {
    const { deps, link } = await issued();
    const key = oneTimeLinkKey(link.linkId);
    const before = await deps.table.get(key);
    expect(await inspectOneTimeLink(deps, link.linkId)).toMatchObject({
      state: 'open',
      displayName: 'Harbor Coffee',
    });
    expect(await deps.table.get(key)).toEqual(before);
    const requests = deps.faults.calls.length;
    expect(await inspectOneTimeLink(deps, undefined)).toEqual({ state: 'unknown' });
    expect(deps.faults.calls).toHaveLength(requests);
  });

  test('the key lies in the table neither in clear nor to be opened with what is there', async () => {
    const { deps, link, domain } = await issued();
    const key = await open(deps, link, domain);
    const item = JSON.stringify(await deps.table.get(oneTimeLinkKey(link.linkId)));
    expect(item).not.toContain(key);
    expect(item).not.toContain(link.fragment);
    expect(item).not.toContain(domain);
    expect(JSON.stringify(world.logs)).not.toContain(key);
  });

  test('claiming is logged, for a restored table', async () => {
    const { deps, link, domain, shopId } = await issued();
    await open(deps, link, domain);
    const line = { shopId, keyId: link.keyId, claimedAtMs: expect.any(Number) };
    expect(world.logs).toContainEqual({ message: 'key.claimed', fields: line });
  });
});

describe('a failure in the middle of a claim', () => {
  test('a crash at any point: the same claim again gives a working key', async () => {
    let current: Awaited<ReturnType<typeof issued>>;
    let claim: ReturnType<typeof claimOf>;
    const points = await crashEverywhere(
      async (plan) => {
        current = await issued();
        claim = claimOf(current.link, current.domain);
        const dying = world.container();
        dying.faults.plan = plan;
        return claimAdminKey(dying, claim);
      },
      async (point) => {
        const again = await claimAdminKey(world.container(), claim);
        expect([point, again.outcome]).toEqual([point, 'opened']);
        const { store } = { store: await current.deps.stores.find(current.shopId) };
        expect(store?.keyClaims[current.link.keyId]).toBeDefined();
      },
    );
    expect(points).toBeGreaterThan(12);
  });

  test('never leaves a used link without a key, whichever response is lost', async () => {
    for (let step = 0; step < 12; step++) {
      const { link, domain } = await issued();
      const claim = claimOf(link, domain);
      const deps = world.container();
      deps.faults.plan = ({ count }) => (count === step ? 'lost' : undefined);
      const first = await claimAdminKey(deps, claim).catch(() => undefined);
      const second = first ?? (await claimAdminKey(deps, claim));
      expect(second.outcome).toBe('opened');
    }
  });

  test('refuses a key that is revoked between the read and the write of the claim', async () => {
    const { link, domain, shopId, deps } = await issued();
    const slow = world.container();
    slow.faults.pause = async ({ operation, count }) => {
      if (operation === 'update' && count > 4)
        await revokeAdminKey(world.container(), { shopId, keyId: link.keyId });
    };
    const key = await open(slow, link, domain);
    expect(await tryKey(deps, key)).toMatch(/revoked/);
  });
});
