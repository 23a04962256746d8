import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import type { SessionId } from '../../../../lib/domain/session-id.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { oneTimeLinkKey } from '../../../../lib/storage/one-time-links.ts';
import { sessionKey } from '../../../../lib/storage/sessions/session-record.ts';
import { createSessionRepository } from '../../../../lib/storage/sessions/sessions.ts';
import { storeItemKey } from '../../../../lib/storage/stores.ts';
import type { ItemKey } from '../../../../lib/storage/table.ts';
import { claimAdminKey } from '../../../../lib/stores/admin-keys/claim-admin-key.ts';
import { issueAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import { revokeAdminKey } from '../../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { uninstallStore } from '../../../../lib/stores/lifecycle/uninstall-store.ts';
import { completeRestore } from '../../../../lib/stores/restore/complete-restore.ts';
import { parseLoggedChanges } from '../../../../lib/stores/restore/logged-change.ts';
import { claimOf, FACTS, open, tryKey } from '../world/merchant.ts';
import { createWiredWorld, type World } from '../world/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWiredWorld();
});
afterAll(() => world.close());

/** The items as they are, to be put back later, as a restore would. */
async function backup(keys: readonly ItemKey[]): Promise<() => Promise<void>> {
  const { table } = world.container();
  const items = await Promise.all(keys.map((key) => table.get(key)));
  return async () => {
    for (const item of items) if (item) await table.put(item);
  };
}

function restorer() {
  const deps = world.container();
  return {
    ...deps,
    scan: world.scan,
    sessions: createSessionRepository(deps),
    eraseAgain: async () => 0,
    replayBilling: async () => 0,
  };
}

/** The log lines so far, as the functions write them. */
function logText(): string {
  const timestamp = new Date(world.now()).toISOString();
  return world.logs
    .map(({ message, fields }) => JSON.stringify({ level: 'INFO', message, timestamp, ...fields }))
    .join('\n');
}

describe('after a restore of the table', () => {
  test('revoked keys stay revoked, claimed keys live, opened links stay closed, and it can be repeated', async () => {
    const { shopId, domain } = await world.installed();
    const deps = restorer();
    const old = await issueAdminKey(deps, { shopId, ...FACTS });
    const oldKey = await open(deps, old, domain);
    const fresh = await issueAdminKey(deps, { shopId, ...FACTS });
    const restore = await backup([storeItemKey(shopId), oneTimeLinkKey(fresh.linkId)]);
    const sinceMs = world.now();
    const freshKey = await open(deps, fresh, domain);
    await revokeAdminKey(deps, { shopId, keyId: old.keyId });
    await restore();
    expect(await tryKey(world.container(), oldKey)).toBe('ok');

    for (let times = 0; times < 2; times++) {
      await completeRestore(deps, parseLoggedChanges(logText(), sinceMs));
      const container = world.container();
      expect(await tryKey(container, oldKey)).toMatch(/revoked/);
      expect(await tryKey(container, freshKey)).toBe('ok');
      expect(await claimAdminKey(container, claimOf(fresh, domain))).toMatchObject({ outcome: 'gone' });
      expect((await container.stores.find(shopId))?.restoredAtMs).toBeDefined();
    }
  });

  test('a key that has revoked itself since stays revoked, and what is of no store leaves nothing', async () => {
    const { shopId, domain } = await world.installed();
    const deps = restorer();
    const issued = await issueAdminKey(deps, { shopId, ...FACTS });
    const key = await open(deps, issued, domain);
    const at = { timestamp: new Date(world.now()).toISOString(), revokedAtMs: world.now() };
    const lines = [shopId, 84000000009].map((of) =>
      JSON.stringify({ message: 'key.revoked_itself', shopId: of, keyId: issued.keyId, ...at }),
    );
    for (let times = 0; times < 2; times++) {
      await completeRestore(deps, parseLoggedChanges(lines.join('\n'), 0));
      expect(await tryKey(world.container(), key)).toBe('UNAUTHENTICATED: The key has been revoked.');
    }
    expect(await deps.table.get({ pk: 'KEYS#84000000009', sk: 'KEYS' })).toBeUndefined();
  });

  test('a sign-in that was ended since stays ended', async () => {
    const { shopId } = await world.installed();
    const deps = restorer();
    const ref = { shopId, customerId: 7 as CustomerId, sessionId: 'session-1' as SessionId };
    await deps.table.put({ ...sessionKey(ref), ...ref, status: 'active' });
    const line = {
      message: 'session.revoked',
      timestamp: new Date().toISOString(),
      reason: 'customer',
      ...ref,
    };
    const report = await completeRestore(deps, parseLoggedChanges(`2026 INFO ${JSON.stringify(line)}`, 0));
    expect(report.revokedSessions).toBe(1);
    expect(await deps.sessions.find(ref)).toMatchObject({ status: 'revoked', revokedReason: 'customer' });
  });

  test('what operators have to do again is told: keys whose links are lost, stores that were changed', async () => {
    const { shopId, domain } = await world.installed();
    const deps = restorer();
    const [claimed, lost, revoked] = [
      await issueAdminKey(deps, { shopId, ...FACTS }),
      await issueAdminKey(deps, { shopId, ...FACTS }),
      await issueAdminKey(deps, { shopId, ...FACTS }),
    ];
    await open(deps, claimed, domain);
    const at = new Date(world.now()).toISOString();
    const more = [
      { message: 'key.issued', keyId: claimed.keyId },
      { message: 'key.rotated', keyId: claimed.keyId, successor: lost.keyId },
      { message: 'key.issued', keyId: revoked.keyId },
      { message: 'key.revoked', keyId: revoked.keyId },
      { message: 'store.updated', changed: ['grant'] },
      { message: 'store.updated', changed: ['displayName', 'grant'] },
    ].map((line) => JSON.stringify({ ...line, at, shopId }));
    const events = parseLoggedChanges([logText(), ...more].join('\n'), world.now() - 1000);
    expect(await completeRestore(deps, events)).toMatchObject({
      lostLinks: [{ shopId, keyId: lost.keyId }],
      toUpdate: [{ shopId, changed: ['displayName'] }],
    });
  });

  test('an uninstalled store stays so; a purged and a reinstalled one are named', async () => {
    const gone = await world.installed();
    const deps = restorer();
    const restore = await backup([storeItemKey(gone.shopId)]);
    const sinceMs = world.now();
    await uninstallStore(deps, gone.shopId);
    await restore();
    const at = new Date(world.now()).toISOString();
    const more = [
      { message: 'store.purged', at, shopId: 84000000001 },
      { message: 'store.uninstalled', at, shopId: 84000000002 },
      { message: 'store.installed', at: new Date(world.now() + 1000).toISOString(), shopId: 84000000002 },
    ].map((line) => JSON.stringify(line));
    const report = await completeRestore(deps, parseLoggedChanges([logText(), ...more].join('\n'), sinceMs));
    expect(report).toMatchObject({
      uninstalled: [gone.shopId],
      toPurge: [84000000001],
      toInstall: [84000000002],
    });
    expect((await deps.stores.find(gone.shopId))?.status).toBe('uninstalled');
  });
});

describe('the log', () => {
  test('is read from its time on, in order; what is not understood is passed over', () => {
    const lines = [
      'START RequestId: 1',
      '{"message":"store.uninstalled","shopId":5,"at":"2026-07-01T10:00:00Z"}',
      '{"message":"store.installed","shopId":5,"at":"2026-07-01T09:00:00Z"}',
      '{"message":"store.uninstalled","shopId":5,"at":"2026-06-30T10:00:00Z"}',
      '{"message":"store.uninstalled","shopId":"5","at":"2026-07-01T10:00:00Z"}',
      '{"message":"store.uninstalled","shopId":5}',
      '{"message":"request","shopId":5,"at":"2026-07-01T10:00:00Z"}',
      '{broken',
    ];
    const events = parseLoggedChanges(lines.join('\n'), Date.parse('2026-07-01T00:00:00Z'));
    const shopId = 5 as ShopId;
    expect(events).toMatchObject([
      { message: 'store.installed', shopId },
      { message: 'store.uninstalled', shopId },
    ]);
  });

  test.each([
    ['session_revoked', 'session.revoked'],
    ['key_claimed', 'key.claimed'],
    ['key_issued', 'key.issued'],
    ['key_rotated', 'key.rotated'],
    ['key_leaked', 'key.leaked'],
    ['key_revoked', 'key.revoked'],
    ['key_revoked_itself', 'key.revoked_itself'],
    ['store_installed', 'store.installed'],
    ['store_updated', 'store.updated'],
    ['store_uninstalled', 'store.uninstalled'],
    ['store_purged', 'store.purged'],
    ['customer_erased', 'customer.erased'],
  ])('reads %s of an earlier version as %s', (former, current) => {
    const facts = {
      ...{ at: '2026-07-01T10:00:00Z', shopId: 5, customerId: 7, sessionId: 's', reason: 'customer' },
      ...{ keyId: 'k', successor: 'k2', claimedAtMs: 1, revokedAtMs: 1, erasedAtMs: 1, changed: ['grant'] },
      hash: 'a'.repeat(43),
    };
    const lines = [former, current].map((message) => JSON.stringify({ message, ...facts }));
    const events = parseLoggedChanges(lines.join('\n'), 0);
    expect(events.map(({ message }) => message)).toEqual([current, current]);
    expect(events[0]).toEqual(events[1]);
  });

  const line = (message: string, at: string) => JSON.stringify({ message, at, shopId: 5 });
  /** As `aws logs filter-log-events --output json` prints it. */
  const fetched = (...messages: string[]) => {
    const events = messages.map((message) => ({ logStreamName: '2026/07/01/[41]', message }));
    return JSON.stringify({ events, searchedLogStreams: [] }, undefined, 4);
  };

  test('is read as the AWS command line prints it, several groups after another and files of lines too', () => {
    const text = [
      fetched(line('store.purged', '2026-07-01T12:00:00Z'), 'END RequestId: 1'),
      fetched(),
      line('store.installed', '2026-07-01T13:00:00Z'),
      fetched(`${line('store.uninstalled', '2026-07-01T11:00:00Z')}\n`),
    ].join('\n');
    for (const each of [text, text.replaceAll('\n', '\r\n')])
      expect(parseLoggedChanges(each, 0).map(({ message }) => message)).toEqual([
        'store.uninstalled',
        'store.purged',
        'store.installed',
      ]);
    const compact = JSON.stringify(JSON.parse(fetched(line('store.purged', '2026-07-01T12:00:00Z'))));
    expect(parseLoggedChanges(compact, 0)).toHaveLength(1);
  });

  test('an answer that was cut off is refused: what it lacks would come back', () => {
    const text = fetched(line('store.purged', '2026-07-01T12:00:00Z'));
    expect(() => parseLoggedChanges(text.slice(0, -5), 0)).toThrow('fetch them again');
  });
});
