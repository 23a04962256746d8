/**
 * Every conditional update with a waiting caller, applied although its response is lost: the client sends it again, and
 * DynamoDB rejects the retry. The caller gets the same result, and acts in the same way, as without the loss.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reportSharedTokens } from '../../../../lib/credentials/report-shared-tokens.ts';
import { revokeSession } from '../../../../lib/credentials/revoke-session.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createRenewGrant } from '../../../../lib/platform/grants/renew-grant.ts';
import { createOneTimeLinkRepository } from '../../../../lib/storage/one-time-links.ts';
import { createSdkSecretsClient } from '../../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSessionLinkRepository } from '../../../../lib/storage/sessions/session-links.ts';
import type { SessionRecord } from '../../../../lib/storage/sessions/session-record.ts';
import { createSessionRepository } from '../../../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../../../lib/storage/sessions/sign-ins.ts';
import { createStoreRepository, type StoreRecord, storeItemKey } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { changeVersionedSecret } from '../../../../lib/storage/versioned-secret.ts';
import { uninstallStore } from '../../../../lib/stores/lifecycle/uninstall-store.ts';
import { createMemorySecrets } from '../../../memory-secrets.ts';
import { type LossyTables, startLossyTables } from './lossy-tables.ts';

const NOW_MS = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;
let lossy: LossyTables;
beforeAll(async () => {
  lossy = await startLossyTables();
});
afterAll(() => lossy.close());
beforeEach(() => lossy.keepAnswers());

let shops = 81_234_567_100;

/** Creates a container's dependencies and a store, and records log entries and waits. */
async function worldOver(table: Table) {
  const shopId = shops++ as ShopId;
  const reported: unknown[] = [];
  const report = (message: string, { shopId: _shop, ...fields }: Record<string, unknown> = {}) =>
    void reported.push([message, fields]);
  const secrets = createSdkSecretsClient({ client: createMemorySecrets({ now: () => NOW_MS }) });
  const store = { shopId, status: 'installed', installedAtMs: 1, domain: 'tea.myshopify.com', keyClaims: {} };
  await table.put({ ...storeItemKey(shopId), ...store });
  let ids = 0;
  let nowMs = NOW_MS;
  return {
    ...{ table, secrets, shopId, reported, secretsPrefix: 'lost' },
    sessions: createSessionRepository({ table }),
    signIns: createSignInRepository({ table }),
    links: createOneTimeLinkRepository({ table }),
    sessionLinks: createSessionLinkRepository({ table }),
    stores: createStoreRepository({ table }),
    logger: { info: report, error: report },
    now: () => nowMs++,
    newId: () => `id-${ids++}`,
    wait: async (ms: number) => void reported.push(['waits', ms]),
  };
}
type World = Awaited<ReturnType<typeof worldOver>>;

async function session({ sessions, shopId }: World): Promise<SessionRecord> {
  const record = {
    ...{ shopId, customerId: 7001001, sessionId: 'session', salt: 'salt', createdAtMs: NOW_MS },
    ...{ generation: 1, kid: '0', mintedAtMs: NOW_MS, replaced: [], confirmedGeneration: 0, lateRepeats: 0 },
    ...{ status: 'active', idleExpiresAtMs: NOW_MS + DAY_MS, absoluteExpiresAtMs: NOW_MS + DAY_MS },
    ...{ linkState: 'ok', linkClientId: 'c', linkStoredAtMs: NOW_MS, linkExpiresAtMs: NOW_MS, expiresAt: 9 },
  } as unknown as SessionRecord;
  await sessions.create(record);
  return record;
}

const versions = { platform: 'platform', 'admin-keys': 'admin-keys' } as const;
const postForm = async () => ({
  status: 200,
  body: JSON.stringify({ access_token: 'second', refresh_token: 'refresh-2', expires_in: 3600 }),
});
const grant = { accessToken: 'first', scopes: [], refreshToken: 'refresh', clientId: 'c', clientSecret: 's' };
const expiring = { ...grant, expiresAt: new Date(NOW_MS + 60_000).toISOString() };

/** The operations, each after the result of the one before. */
const CALLERS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'the first use of a pair is confirmed once': async (world) => {
    const ref = await session(world);
    const confirm = async (handOut: number) =>
      (await world.sessions.confirm(ref, { generation: 1, handOut }, NOW_MS)).outcome;
    return [await confirm(0), await confirm(1), (await world.sessions.find(ref))?.confirmedHandOut];
  },
  'a late repeat is counted once': async (world) => {
    const ref = await session(world);
    const retry = { nowMs: NOW_MS + 1, idleExpiresAtMs: NOW_MS + DAY_MS, expiresAt: 10 };
    const note = async () => (await world.sessions.recordLateRetry(ref, retry)).outcome;
    return [await note(), (await world.sessions.find(ref))?.lateRepeats];
  },
  'a second holder is noted once, with an alarm': async (world) => {
    const from = await session(world);
    const note = async (generation: number) => (await reportSharedTokens(world, from, generation)).outcome;
    return [await note(1), await note(2)];
  },
  'a session is revoked, and that is logged': async (world) => {
    const ref = await session(world);
    return [await revokeSession(world, ref, { reason: 'customer' }), await world.sessions.find(ref)];
  },
  'the link of a session is leased by one, who may end the session': async (world) => {
    const from = await session(world);
    const lease = async (leaseId: string) =>
      (await world.sessionLinks.lease(from, { leaseId, untilMs: NOW_MS + 9 })).outcome;
    const leases = [await lease('a'), await lease('b')];
    const end = (leaseId: string) => revokeSession(world, from, { reason: 'platform', leaseId });
    return [leases, await end('b'), await end('a')];
  },
  'a sign-in is claimed by one, and ends with his session': async ({ signIns, shopId }) => {
    const nonceHash = `nonce-${shopId}` as never;
    const times = { startedAtMs: NOW_MS, expiresAt: 9 };
    await signIns.create({ nonceHash, shopId, challenge: 'c', state: 'pending', ...times });
    const claim = async (attempt: string) => {
      const claimRequest = { nonceHash, codeHash: 'code', attempt, nowMs: NOW_MS, leaseUntilMs: NOW_MS + 9 };
      return (await signIns.claim(claimRequest, 0)).outcome;
    };
    const claims = [await claim('a'), await claim('b')];
    const commit = async (attempt: string) =>
      (await signIns.commit({ nonceHash, attempt }, { clientId: 'c' } as never, NOW_MS)).outcome;
    return [claims, await commit('b'), await commit('a')];
  },
  'a link is claimed by one': async ({ links, shopId }) => {
    const linkId = `link-${shopId}` as never;
    await links.put({ linkId, shopId, voidAtMs: NOW_MS * 2 } as never);
    const claim = async (claimId: string) => {
      const claimed = await links.claim(linkId, { claimId, nowMs: NOW_MS });
      return claimed === 'refused' ? claimed : claimed.claimId;
    };
    return [await claim('a'), await claim('b')];
  },
  'a secret changes once': async (world) => {
    const changed: unknown[] = [];
    for (const secret of Object.values(versions)) {
      for (const step of [1, 2]) {
        const change = (current: { steps: number[] } | undefined) => ({
          steps: [...(current?.steps ?? []), step],
        });
        await changeVersionedSecret(world, { shopId: world.shopId, secret, change });
      }
      changed.push((await world.secrets.read(`lost/stores/${world.shopId}/${secret}`))?.json);
    }
    return changed;
  },
  'a grant is renewed by whoever took the lease, without waiting for himself': async (world) => {
    const { shopId, stores } = world;
    const renewGrant = createRenewGrant({ ...world, postForm, platformOrigin: 'https://{shop}' });
    await changeVersionedSecret(world, { shopId, secret: 'platform', change: () => expiring });
    const tokens: string[] = [];
    for (let renewals = 0; renewals < 2; renewals++) {
      const store = (await stores.find(shopId)) as StoreRecord;
      const { accessToken } = await renewGrant(store, `${store.platformVersionId}`, { waits: true });
      tokens.push(accessToken);
    }
    return tokens;
  },
  'a store is uninstalled, and that is logged': async (world) => {
    const { outcome } = await uninstallStore(world, world.shopId);
    return [outcome, (await uninstallStore(world, world.shopId)).outcome];
  },
};

async function runCall(table: Table, call: (world: World) => Promise<unknown>): Promise<unknown> {
  const world = await worldOver(table);
  const result = await call(world).catch((error: unknown) => `${error}`);
  const text = JSON.stringify([result, world.reported]);
  return JSON.parse(text.replaceAll(`${world.shopId}`, '1'));
}

describe.each(Object.entries(CALLERS))('%s', (_what, call) => {
  test.each(['sdk', 'own'] as const)(
    'returns the same when responses are lost, by the client %s',
    async (name) => {
      const expected = await runCall(lossy.tables[name], call);
      const lost = lossy.loseAnswers();
      expect(await runCall(lossy.tables[name], call)).toEqual(expected);
      expect(lost()).toBeGreaterThan(0);
    },
  );
});
