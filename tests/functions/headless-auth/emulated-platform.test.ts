/** The sign-in function against the emulated platform: the real protocol, pages included. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ShopDomain } from '../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { UTC } from '../../../lib/domain/time-zone.ts';
import { discoverSignInAddresses } from '../../../lib/platform/sign-in/discover-sign-in.ts';
import { createSendSignInRequest } from '../../../lib/platform/sign-in/sign-in-request.ts';
import { createSdkSecretsClient } from '../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../../lib/storage/sdk-client/sdk-table.ts';
import { createStoreRepository, storeItemKey } from '../../../lib/storage/stores.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { installStore } from '../../../lib/stores/lifecycle/install-store.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startDynamoDbEmulator } from '../../../sandbox/aws/start-dynamodb.ts';
import { type Platform, startPlatform } from '../../../sandbox/platform/platform.ts';
import { completeSignInPages } from '../../../sandbox/sign-in-pages.ts';
import { loadFunction, SECRETS_PREFIX } from './function.ts';

const SHOP = 'harbor-coffee.myshopify.com';
const ADA = 'ada@example.com';
const tableName = 'emulated-platform';
const realNow = Date.now;
let offsetMs = 0;
let platform: Platform;
let table: Table;
let signInFunction: Awaited<ReturnType<typeof loadFunction>>;
const closing: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  // As the local stack does it: one clock for platform and service.
  Date.now = () => realNow() + offsetMs;
  const clock = {
    now: () => Date.now(),
    set: async (ms: number) => {
      offsetMs = ms - realNow();
    },
    advance: async (seconds: number) => {
      offsetMs += seconds * 1000;
    },
  };
  platform = await startPlatform({ port: 0, clock });
  closing.push(() => platform.close());
  const dynamo = await startDynamoDbEmulator({ tableName, path: undefined });
  closing.push(dynamo.close);
  const platformOrigin = `${platform.url}/{shop}`;
  signInFunction = await loadFunction({ dynamoDbUrl: dynamo.url, tableName, platformOrigin });
  closing.push(signInFunction.close);
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(dynamo.url));
  closing.push(() => dynamoDb.destroy());
  table = createSdkTableClient({ client: dynamoDb, tableName });
  await install(platformOrigin);
});

/** The first store of the platform, as the operator installs it. */
async function install(platformOrigin: string): Promise<void> {
  const [store] = platform.stores;
  if (store === undefined) throw new Error('the platform has no store');
  const send = createSendSignInRequest({ platformOrigin });
  const deps = {
    table,
    secrets: createSdkSecretsClient({ client: signInFunction.secretsManager }),
    secretsPrefix: SECRETS_PREFIX,
    stores: createStoreRepository({ table }),
    discoverSignIn: (domain: ShopDomain) => discoverSignInAddresses({ send, platformOrigin }, domain),
    now: Date.now,
  };
  await installStore(deps, {
    shopId: store.shopId as ShopId,
    domain: store.shop as ShopDomain,
    displayName: store.name,
    storefrontUrl: store.storefrontUrl,
    timeZone: UTC,
    portalPageId: undefined,
    clientId: store.clientId,
    grant: { accessToken: store.accessToken, scopes: [] },
  });
}

afterAll(async () => {
  Date.now = realNow;
  for (const close of closing.reverse()) await close();
});

const call = (step: string, body: unknown) => signInFunction.call(step, body);
const control = (path: string, body?: unknown) =>
  fetch(`${platform.url}/_control/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).then((response) => response.json() as Promise<never>);
const requests = async (kind: string) =>
  ((await control('requests')) as { kind: string; path: string }[]).filter((one) => one.kind === kind);

async function signIn() {
  const started = (await call('start', { shop: SHOP })).json;
  const redirect = await completeSignInPages({
    authUrl: String(started.authUrl),
    email: ADA,
    readCode: async () => ((await control(`one-time-code?email=${ADA}`)) as { code: string }).code,
    onPage: () => undefined,
  });
  const query = new URL(redirect).searchParams;
  expect(redirect.startsWith(String(started.redirectUri))).toBe(true);
  expect(query.get('state')).toBe(started.state);
  return { shop: SHOP, code: query.get('code'), verifier: started.verifier, nonce: started.nonce };
}

test('a code that was used at the platform already is rejected', async () => {
  const first = await signIn();
  const other = await signIn();
  expect((await call('exchange', first)).status).toBe(200);
  expect(await call('exchange', { ...other, code: first.code })).toMatchObject({
    status: 400,
    code: 'SIGN_IN_REJECTED',
  });
});

test('rejects an id_token that names another customer', async () => {
  const [ada, ben] = platform.customers;
  const name = (subjects: object) => control('settings', { shop: SHOP, subjects });
  await name({ [Number(ada?.id)]: `${ben?.id}` });
  const request = await signIn();
  const answers = [await call('exchange', request), await call('exchange', request)];
  await name({});
  const rejected = { status: 400, code: 'SIGN_IN_REJECTED' };
  expect(answers).toMatchObject([rejected, rejected]);
  expect(await call('exchange', await signIn())).toMatchObject({
    status: 200,
    json: { customerId: ada?.id },
  });
});

test('from the sign-in pages to the tokens, hours of refreshing, and out', async () => {
  const request = await signIn();
  const exchanged = await call('exchange', request);
  expect(exchanged).toMatchObject({ status: 200, json: { customerId: platform.customers[0]?.id } });
  expect((await call('exchange', request)).json).toEqual(exchanged.json);
  let { json: pair } = exchanged;
  for (let hours = 0; hours < 5; hours++) {
    offsetMs += 3_601_000;
    const { customerId, refreshToken } = pair;
    const refreshed = await call('refresh', { shop: SHOP, customerId, refreshToken });
    expect(refreshed.status).toBe(200);
    pair = refreshed.json;
  }
  const { customerId, refreshToken } = pair;
  const revoked = await call('revoke', { shop: SHOP, customerId, refreshToken });
  expect([revoked.status, revoked.json]).toEqual([200, { revoked: true }]);
  const paths = (await requests('sign-in')).map(({ path }) => path);
  expect(paths.filter((path) => path.endsWith('/oauth/token')).length).toBeGreaterThanOrEqual(6);
  expect(paths.at(-1)).toContain('/logout');
});

test('refreshes after a 520 that consumed the token, then and later', async () => {
  const { json } = await call('exchange', await signIn());
  await control('faults', { target: 'sign-in', operation: 'token', count: 1, status: 520, consume: true });
  offsetMs += 3_601_000;
  const request = { shop: SHOP, customerId: json.customerId };
  const first = await call('refresh', { ...request, refreshToken: json.refreshToken });
  expect(first.status).toBe(200);
  expect((await requests('sign-in')).at(-1)).toMatchObject({ status: 520 });
  const second = await call('refresh', { ...request, refreshToken: first.json.refreshToken });
  expect(second.status).toBe(200);
  const third = await call('refresh', { ...request, refreshToken: second.json.refreshToken });
  expect(third.status).toBe(200);
});

test.each(['denied', 'made'])(
  'sends no request to the platform for many requests of an absent storefront token, which the platform would answer %s',
  async (storefrontTokens) => {
    await control('settings', { shop: SHOP, storefrontTokens });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('storefront-token', { shop: SHOP })),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, code: 'STOREFRONT_TOKEN_UNAVAILABLE' });
      expect(answer.headers).not.toHaveProperty('retry-after');
    }
    expect(await requests('admin')).toEqual([]);
  },
);

test('returns an existing storefront token to everybody without a request to the platform', async () => {
  const key = storeItemKey(platform.stores[0]?.shopId as ShopId);
  const values = { ':token': 'public-1' };
  await table.update({ key, update: 'SET storefrontAccessToken = :token', values });
  const given = { status: 200, json: { shop: SHOP, storefrontAccessToken: 'public-1' } };
  for (let times = 0; times < 3; times++)
    expect(await call('storefront-token', { shop: SHOP })).toMatchObject(given);
  expect(await requests('admin')).toEqual([]);
});
