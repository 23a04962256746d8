/**
 * One container of both GraphQL endpoints with the real credentials, caches, grants and client of the platform. Each call
 * to the table, to Secrets Manager and to the platform waits until the test lets it go on, in an order of the test's own.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPreparedDocuments } from '../../../graphql/compile/prepare-document.ts';
import { introspectAdmin } from '../../../graphql/roots/introspection/introspect-admin.ts';
import { refuseIntrospection } from '../../../graphql/roots/introspection/refuse-introspection.ts';
import { parseKeyRing } from '../../../lib/credentials/key-ring.ts';
import { createTokenKeyReader } from '../../../lib/credentials/token-keys.ts';
import { createAdminKeyVerifier } from '../../../lib/credentials/verify-admin-key.ts';
import { verifyCustomerToken } from '../../../lib/credentials/verify-customer-token.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import { createSessionId, createSessionSalt } from '../../../lib/domain/session-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { accessTokenFormat } from '../../../lib/domain/tokens/access-token.ts';
import { createAdminKey, hashAdminKey } from '../../../lib/domain/tokens/admin-key.ts';
import type { HttpResult } from '../../../lib/http/exchange.ts';
import type { Logger } from '../../../lib/observability/logger.ts';
import { createAdminClient } from '../../../lib/platform/admin-api/admin-client.ts';
import type { AdminPost } from '../../../lib/platform/admin-api/admin-request.ts';
import { createThrottleBuckets } from '../../../lib/platform/admin-api/throttle-buckets.ts';
import { createStoreGrantReader } from '../../../lib/platform/grants/store-grants.ts';
import type { Secrets } from '../../../lib/storage/secrets.ts';
import { sessionKey } from '../../../lib/storage/sessions/session-record.ts';
import { createSessionRepository } from '../../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../../lib/storage/sessions/sign-ins.ts';
import { createStoreRepository, storeItemKey, storePartItemKey } from '../../../lib/storage/stores.ts';
import type { Item, Table } from '../../../lib/storage/table.ts';
import { createVersionReader } from '../../../lib/storage/versioned-secret.ts';
import { buildLambdaEnvironment } from '../../../sandbox/aws/build-lambda-environment.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';

// The modules read their environment when they are loaded.
Object.assign(process.env, buildLambdaEnvironment({ name: 'runner', memoryMb: 512 }), {
  TABLE_NAME: 'none',
  SECRETS_PREFIX: 'none',
});
const { createAdminHandler } = await import('../../../functions/admin-graphql/handler.ts');
const { createCustomerHandler } = await import('../../../functions/customer-graphql/handler.ts');

export const STORES = 8;
export const CUSTOMERS_OF_STORE = 4;
const FAR_MS = Date.parse('2126-01-01T00:00:00Z');
const RING = { seed: 'a seed of this test and of nothing else' };
const { kid, ...signing } = parseKeyRing(RING).signingKey;

/** Stores whose platform refuses the grant, or fails. */
const REFUSING = 6;
const FAILING = 7;

const shopIdOf = (store: number) => (1_000 + store) as ShopId;
const domainOf = (store: number) => `shop-${store}.myshopify.com`;
const bytesOf = (number: number) => (count: number) => new Uint8Array(count).fill(number + 1);
/** Customers of different stores have different ids. */
export const customerIdOf = (store: number, customer: number) =>
  (7_000_000 + 100 * store + customer) as CustomerId;

function sessionOf(store: number, customer: number) {
  const number = CUSTOMERS_OF_STORE * store + customer;
  const ref = {
    shopId: shopIdOf(store),
    customerId: customerIdOf(store, customer),
    sessionId: createSessionId(bytesOf(number)),
  };
  return { ...ref, salt: createSessionSalt(bytesOf(number)) };
}

/** Returns the header with the token of a customer, or of one whose session was revoked. */
export function tokenOf(store: number, customer: number): string {
  const claims = { ...sessionOf(store, customer), generation: 1, handOut: 0, expiresAtMs: FAR_MS };
  return `Bearer ${accessTokenFormat.encode(claims, { kid, ...signing })}`;
}

const keyOf = (store: number) => createAdminKey(shopIdOf(store), bytesOf(store));
/** Returns the header with the admin key of a store. */
export const adminKeyOf = (store: number) => `Bearer ${keyOf(store).text}`;
/** The last customer of each store has no session any more. */
const REVOKED_CUSTOMER = CUSTOMERS_OF_STORE - 1;

function itemsOf(store: number): Item[] {
  const shopId = shopIdOf(store);
  const { keyId } = keyOf(store);
  const sessions = Array.from({ length: CUSTOMERS_OF_STORE }, (_, customer) => {
    const session = sessionOf(store, customer);
    return {
      ...{
        ...sessionKey(session),
        ...session,
        kid,
        createdAtMs: 1,
        generation: 1,
        mintedAtMs: 1,
        replaced: [],
      },
      ...{ confirmedGeneration: 1, firstUsedAtMs: 1, lateRepeats: 0 },
      status: customer === REVOKED_CUSTOMER ? 'revoked' : 'active',
      ...{ idleExpiresAtMs: FAR_MS, absoluteExpiresAtMs: FAR_MS, expiresAt: FAR_MS / 1000 },
      ...{ linkState: 'none', linkClientId: 'client', linkStoredAtMs: 1, linkExpiresAtMs: 1 },
    };
  });
  const installed = { status: 'installed', installedAtMs: 0, timeZone: 'UTC' };
  const names = {
    domain: domainOf(store),
    displayName: `Store ${store}`,
    storefrontUrl: 'https://shop.example',
  };
  return [
    ...sessions,
    { ...storeItemKey(shopId), shopId, ...names, ...installed, adminKeysVersionId: `keys-${store}` },
    { ...storePartItemKey(shopId, 'grant'), shopId, platformVersionId: `grant-${store}` },
    { ...storePartItemKey(shopId, 'keys'), shopId, keyClaims: { [keyId]: 1 } },
  ];
}

/** Returns the content of each secret. */
function secretOf(name: string): unknown {
  const store = Number(/stores\/(\d+)\//.exec(name)?.[1]) - 1_000;
  if (name.endsWith('token-keys')) return RING;
  if (name.endsWith('/platform')) return { accessToken: `token-${store}`, scopes: [] };
  const { keyId: id, text } = keyOf(store);
  const record = { id, hash: hashAdminKey(text), label: `Server ${store}`, intendedUse: 'tests' };
  return { keys: [{ ...record, state: 'active', createdAt: 1, createdBy: 'operator' }] };
}

export type Sent = { readonly event: object; readonly isAdmin: boolean };
/** `order` returns the position of the next call that goes on, of so many that wait. */
export type Order = (waiting: number) => number;

/** Serves all requests concurrently in one new container. Returns the responses and the platform's requests. */
export async function serveTogether(sent: readonly Sent[], logger: Logger, order: Order) {
  const waiting: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => void waiting.push(resolve));
  const posts: AdminPost[] = [];
  const handlers = createHandlers({ turn, posts, logger });
  let running = sent.length;
  const results = sent.map(async ({ event, isAdmin }) => {
    await turn();
    const handler = handlers[isAdmin ? 'admin' : 'customer'];
    return handler(event, { awsRequestId: 'invocation' }).finally(() => running--);
  });
  while (running > 0) {
    // Several turns, because a module that is loaded on demand takes more than one.
    for (let turns = 0; turns < 3; turns++) await nextTurn();
    const [next] = waiting.splice(order(waiting.length), 1);
    next?.();
  }
  return { results: await Promise.all(results), posts };
}

type Parts = {
  readonly turn: () => Promise<void>;
  readonly posts: AdminPost[];
  readonly logger: Logger;
};
type Handler = (event: object, context: object) => Promise<HttpResult>;

function createHandlers({ turn, posts, logger }: Parts): Record<'admin' | 'customer', Handler> {
  const now = () => NOW_MS;
  const table = createTable(turn);
  const secrets = {
    async read(name: string, versionId = '1') {
      await turn();
      return { versionId, json: secretOf(name) };
    },
  } as Secrets;
  const readVersion = createVersionReader({ secrets, secretsPrefix: 'test' });
  const stores = createStoreRepository({ table, parts: ['grant', 'keys'] });
  const renewGrant = async () => ({ outcome: 'refused' }) as never;
  const send = async (post: AdminPost) => {
    posts.push(post);
    await turn();
    return answerOf(post);
  };
  const shared = {
    ...{ now, wait: turn, logger, table, stores, documents: createPreparedDocuments() },
    scheduledTasks: { put: async () => undefined },
    namespaces: { client: 'platform', platform: 'shopify' },
    sendAdminOperation: createAdminClient({
      ...{ send, now, logger, wait: turn, random: () => 0.5, buckets: createThrottleBuckets({ now }) },
      grants: createStoreGrantReader({ stores, readVersion, renewGrant, now }),
      ...{ platformOrigin: 'https://{shop}', platformApiVersion: '2026-07' },
    }),
  };
  const tokenKeys = createTokenKeyReader({ secrets, secretsPrefix: 'test', now, logger });
  const sessions = createSessionRepository({ table, storeParts: ['grant'], readsQuota: true });
  const signIns = createSignInRepository({ table });
  const recordUse = async () => undefined;
  const verifyKey = createAdminKeyVerifier({ ...shared, readVersion, recordUse });
  const environment = { allowedOrigins: [], edgeSecretHashes: [], graphiql: false, gidNamespace: 'platform' };
  return {
    customer: createCustomerHandler(environment, {
      ...{ ...shared, surface: 'customer', introspect: refuseIntrospection },
      verify: (header: string | undefined) =>
        verifyCustomerToken({ tokenKeys, sessions, signIns, logger, now }, header),
    } as never) as Handler,
    admin: createAdminHandler(environment, {
      ...{ ...shared, surface: 'admin', introspect: introspectAdmin, verify: verifyKey },
    } as never) as Handler,
  };
}

function createTable(turn: () => Promise<void>): Table {
  const table = createMemoryTable();
  for (let store = 0; store < STORES; store++) for (const item of itemsOf(store)) void table.put(item);
  return {
    ...table,
    get: (key) => turn().then(() => table.get(key)),
    batchGet: (keys) => turn().then(() => table.batchGet(keys)),
    query: (selection) => turn().then(() => table.query(selection)),
  };
}

/** The platform answers with the store of the address, and with the customer of the variables. */
function answerOf({ url, body }: AdminPost) {
  const store = Number(/^shop-(\d+)\./.exec(url.hostname)?.[1]);
  const answer = (status: number, json: object) => ({
    ...{ status, retryAfter: undefined, body: JSON.stringify(json) },
  });
  if (store === REFUSING) return answer(401, { errors: 'Invalid API key or access token' });
  if (store === FAILING) return answer(500, { errors: 'Internal error' });
  const { query, variables } = JSON.parse(body) as { query: string; variables: object };
  const id = Object.values(variables).find((value) => /\/Customer\/\d+$/.test(String(value)));
  const fields = { id, displayName: `Customer of ${store} ${id}`, note: `Note of ${store} ${id}` };
  const customer = Object.fromEntries(Object.entries(fields).filter(([name]) => query.includes(` ${name} `)));
  const data = query.includes('customer(') ? { customer } : { shop: { name: `Store ${store}` } };
  const throttleStatus = { maximumAvailable: 2e9, currentlyAvailable: 2e9, restoreRate: 1e8 };
  const cost = { requestedQueryCost: 1, actualQueryCost: 1, throttleStatus };
  return answer(200, { data, extensions: { cost } });
}
