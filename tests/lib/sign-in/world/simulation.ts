/** Very many sessions, for simulations: the real use cases over the table in memory, with a clock that is set. */
import { parseKeyRing } from '../../../../lib/credentials/key-ring.ts';
import { verifyCustomerToken } from '../../../../lib/credentials/verify-customer-token.ts';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import { createSessionId, createSessionSalt } from '../../../../lib/domain/session-id.ts';
import { hashSignInNonce } from '../../../../lib/domain/tokens/nonce.ts';
import { refreshTokenFormat } from '../../../../lib/domain/tokens/refresh-token.ts';
import type { SessionClaims } from '../../../../lib/domain/tokens/session-claims.ts';
import { createSession } from '../../../../lib/sign-in/sessions/create-session.ts';
import { refreshTokens } from '../../../../lib/sign-in/sessions/refresh-tokens.ts';
import { computeTokenPair, type TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import type { SignInDeps } from '../../../../lib/sign-in/sign-in-deps.ts';
import { createTombstoneRepository } from '../../../../lib/storage/privacy/tombstones.ts';
import type { SessionRecord } from '../../../../lib/storage/sessions/session-record.ts';
import { createSessionRepository } from '../../../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../../../lib/storage/sessions/sign-ins.ts';
import { createStoreRepository, type StoreRecord, toStoreItems } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { tableOf } from '../../../rights/guarded-table.ts';
import { CLIENT_ID, SHOP, SHOP_ID, TOMBSTONE_KEY } from './world.ts';

export type Simulation = Awaited<ReturnType<typeof createSimulation>>;
export type Random = () => number;

const RING = parseKeyRing({ seed: 'a random string of the stack' });
const START_MS = Date.parse('2026-11-01T00:00:00Z');

export async function createSimulation(random: Random) {
  const clock = { nowMs: START_MS };
  const alarms = new Map<string, number>();
  const { table: counted, calls } = countWrites(createMemoryTable());
  const table = tableOf('headless-auth', counted);
  const error = (_message: string, { alarm = '' }: { alarm?: unknown } = {}) =>
    void alarms.set(String(alarm), (alarms.get(String(alarm)) ?? 0) + 1);
  const silent = () => undefined;
  const deps = {
    now: () => clock.nowMs,
    random: (bytes: number) => Uint8Array.from({ length: bytes }, () => random() * 256),
    logger: { debug: silent, info: silent, warn: silent, error },
    stores: createStoreRepository({ table, parts: [] }),
    sessions: createSessionRepository({ table }),
    signIns: createSignInRepository({ table }),
    tokenKeys: { signingKey: async () => RING.signingKey, find: async (kid) => RING.keys.get(kid) },
    tombstones: createTombstoneRepository({
      table,
      readKey: async () => TOMBSTONE_KEY,
      now: () => clock.nowMs,
    }),
    // Without tokens of the platform, sign-in uses no other dependencies.
  } as Pick<
    SignInDeps,
    'now' | 'random' | 'logger' | 'stores' | 'sessions' | 'signIns' | 'tokenKeys' | 'tombstones'
  > as SignInDeps;
  for (const item of toStoreItems(STORE)) await counted.put(item);
  await createStoreRepository({ table: counted }).mapDomainToStore(SHOP, SHOP_ID);
  let customers = 0;

  return {
    clock,
    alarms,
    calls,
    deps,
    /** A customer signs in: her first pair. */
    async signIn(): Promise<TokenPair> {
      const session = await createSession(deps, {
        shopId: SHOP_ID,
        nonceHash: hashSignInNonce(String(customers)),
        startedAtMs: clock.nowMs,
        seed: seed(deps, ++customers),
      });
      const pair = await computeTokenPair(deps, session);
      if (pair === undefined) throw new Error('no key');
      return pair;
    },
    refresh: ({ customerId, refreshToken }: TokenPair) =>
      refreshTokens(deps, { shop: SHOP, customerId, refreshToken }),
    /** Verifies the credential like a GraphQL call. */
    async use({ accessToken }: TokenPair): Promise<void> {
      await (await verifyCustomerToken(deps, `Bearer ${accessToken}`)).session.confirmation;
    },
    claimsOf({ refreshToken }: TokenPair): SessionClaims {
      const claims = refreshTokenFormat.parse(refreshToken)?.verify(RING.signingKey);
      if (claims === undefined) throw new Error('no token of ours');
      return claims;
    },
    async session({ customerId }: TokenPair): Promise<SessionRecord> {
      const [session] = await deps.sessions.listOf(SHOP_ID, customerId);
      if (session === undefined) throw new Error('no session');
      return session;
    },
  };
}

const STORE: StoreRecord = {
  shopId: SHOP_ID,
  domain: SHOP,
  storefrontUrl: 'https://harbor.example',
  displayName: 'Harbor Coffee',
  portalPageId: undefined,
  clientId: CLIENT_ID,
  signIn: {
    issuer: '',
    authorizationEndpoint: '',
    tokenEndpoint: '',
    jwksUri: '',
    endSessionEndpoint: '',
    customerApiUrl: '',
  },
  status: 'installed',
  platformVersionId: undefined,
  adminKeysVersionId: undefined,
  keyClaims: {},
  storefrontAccessToken: undefined,
  storefrontLeaseUntilMs: undefined,
  installedAtMs: 0,
  restoredAtMs: undefined,
};

function countWrites(real: Table) {
  const calls = { writes: 0 };
  const table: Table = {
    ...real,
    update(change) {
      calls.writes++;
      return real.update(change);
    },
    put(item, condition) {
      calls.writes++;
      return real.put(item, condition);
    },
  };
  return { table, calls };
}

function seed({ now, random }: SignInDeps, customer: number) {
  return {
    customerId: customer as CustomerId,
    sessionId: createSessionId(random),
    salt: createSessionSalt(random),
    kid: RING.signingKey.kid,
    mintedAtMs: now(),
    clientId: CLIENT_ID,
    deviceLabel: 'Phone/1',
    linkStoredAtMs: now(),
    linkExpiresAtMs: now(),
  };
}
