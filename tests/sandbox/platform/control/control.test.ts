/** The control interface of the platform for tests: invalid input first, then clock, faults, records, keys and skew. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  askAdmin,
  authorizationUrl,
  exchange,
  harbor,
  type Json,
  refresh,
  signIn,
  startTestPlatform,
  type TestPlatform,
} from '../running-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(() => platform.control('POST', 'reset'));
afterAll(() => platform.close());

const contract = 'gid://shopify/SubscriptionContract/9101001';
const RATE = { code: 'standard', priceMinor: 490 };
const shopQuery = 'query Shop { shop { name } }';

async function keyIds(): Promise<string[]> {
  const { keys } = (await (await fetch(`${platform.issuer}/.well-known/jwks.json`)).json()) as Json;
  return keys.map(({ kid }: { kid: string }) => kid);
}

function partOf(jwt: string, index: number): Json {
  return JSON.parse(Buffer.from(jwt.split('.')[index] ?? '', 'base64url').toString());
}

describe('bad input is answered with 400 and a sentence', () => {
  test.each([
    ['clock', {}, '"now"'],
    ['clock', { now: 'tomorrow' }, 'is an instant'],
    ['clock', { now: '2027-01-31T08:00:00Z', advance: 1 }, 'one of'],
    ['clock', { advance: '5' }, 'number of seconds'],
    ['clock', { forward: 5 }, '"forward" is not known here'],
    ['faults', { count: 1 }, '"target"'],
    ['faults', { target: 'sign-in', operation: 'logn', status: 500 }, '"operation"'],
    ['faults', { target: 'admin', operation: 'nope', status: 500 }, 'no root field of the platform'],
    [
      'faults',
      { target: 'admin', operation: 'subscriptionBillingCycleCharge', status: 500 },
      'subscriptionBillingAttemptCreate',
    ],
    ['faults', { target: 'sign-in', status: 99 }, '"status"'],
    ['faults', { target: 'admin', count: 0, status: 500 }, '"count"'],
    ['faults', { target: 'admin', cut: 'middle' }, '"cut"'],
    ['faults', { target: 'admin' }, 'at least one of'],
    ['faults', { target: 'sign-in', throttle: true }, '"throttle"'],
    ['faults', { target: 'sign-in', outdate: true }, '"outdate"'],
    ['faults', { target: 'admin', outdate: 1 }, '"outdate"'],
    ['faults', { target: 'admin', delayMs: -1 }, '"delayMs"'],
    ['faults', { target: 'sign-in', refuseMutation: 1 }, '"refuseMutation"'],
    ['faults', { target: 'admin', refuseMutation: 0 }, '"refuseMutation"'],
    ['faults', { target: 'admin', status: 500, shop: 'nobody' }, '"shop"'],
    ['seed', { contracts: -1 }, '"contracts"'],
    ['seed', { orders: 1 }, '"orders" is not known'],
    ['seed', { subscriptions: {} }, '"subscriptions" is a list'],
    ['seed', { shop: 'nobody' }, '"shop" is one of'],
    ['seed', { subscriptions: [{ id: 1, customerId: 1, planId: 1, lines: [] }] }, 'cannot be seeded'],
    ['skew', {}, '"seconds"'],
    ['jwks', { keepOld: 'no' }, '"keepOld"'],
    ['grant', { shop: 'nobody', expiring: true }, '"shop"'],
    ['grant', { shop: harbor }, '"expiring"'],
    ['app', { shop: 'nobody' }, '"shop"'],
    ['app', { shop: harbor, form: 'private' }, '"form"'],
    ['app', { shop: harbor, newSecret: 'x' }, '"newSecret"'],
    ['app', { shop: harbor, redirectUris: [] }, '"redirectUris"'],
    ['rescheduling', { shop: harbor, rescheduling: 'LATER' }, '"rescheduling"'],
    ['settings', { shop: harbor, origin: 'sometimes' }, '"origin"'],
    ['settings', { shop: harbor, weather: 'fine' }, 'weather'],
    ['settings', { shop: harbor, plan: 'Basic' }, '"isDevelopment"'],
    ['settings', { shop: harbor, chargeDelaySeconds: -1 }, '"chargeDelaySeconds"'],
    ['settings', { shop: harbor, deliveryRates: {} }, '"deliveryRates" is a list'],
    ['settings', { shop: harbor, deliveryRates: [{ code: 'x' }] }, '"priceMinor"'],
    ['settings', { shop: harbor, deliveryRates: [{ priceMinor: 1 }] }, '"code"'],
    ['settings', { shop: harbor, deliveryRates: [{ ...RATE, kind: 'drone' }] }, '"kind" is one of'],
    ['settings', { shop: harbor, deliveryRates: [{ ...RATE, title: 1 }] }, '"title"'],
    ['settings', { shop: harbor, deliveryRates: [RATE, { ...RATE, belowGrams: -1 }] }, 'at 1: "belowGrams"'],
    ['settings', { shop: harbor, deliveryRates: [{ ...RATE, regions: 'US' }] }, '"regions"'],
    ['settings', { shop: harbor, deliveryRates: [{ ...RATE, price: 1 }] }, '"price" is not known'],
    ['client', { shop: 'nobody', redirectUris: ['https://a.example/'] }, '"shop"'],
    ['client', { shop: harbor, redirectUris: ['nowhere'] }, '"redirectUris"'],
    ['client', { shop: harbor, webRedirectUris: ['shop.1.app://callback'] }, '"webRedirectUris"'],
    ['scopes', { shop: harbor, withheld: ['read_minds'] }, '"withheld"'],
    ['scopes', { shop: harbor, withheldData: 'email' }, '"withheldData"'],
    ['reset', [], 'JSON object'],
  ])('%s %j', async (path, body, part) => {
    const { status, json } = await platform.control('POST', path, body);
    expect(status).toBe(400);
    expect(json.error).toContain(part);
  });

  test('rejects a body that is not JSON, a missing address, an unknown control and a wrong method', async () => {
    const response = await fetch(`${platform.url}/_control/seed`, { method: 'POST', body: '{' });
    expect(response.status).toBe(400);
    expect((await platform.control('GET', 'one-time-code')).status).toBe(400);
    expect((await platform.control('GET', 'nothing')).status).toBe(404);
    expect((await platform.control('GET', 'reset')).status).toBe(405);
  });
});

describe('clock', () => {
  test('moves to an instant and ahead', async () => {
    const moved = await platform.control('POST', 'clock', { now: '2031-01-31T08:00:00Z' });
    expect(moved.json.now).toMatch(/^2031-01-31T08:00:0/);
    const ahead = await platform.control('POST', 'clock', { advance: 86_400 });
    expect(ahead.json.now).toMatch(/^2031-02-01T08:00:0/);
    expect((await platform.control('GET', 'clock')).json.now).toMatch(/^2031-02-01T08:00:0/);
    await platform.control('POST', 'clock', { now: '2026-11-21T08:00:00Z' });
  });
});

describe('faults at the sign-in', () => {
  const down = { target: 'sign-in', operation: 'refresh', status: 520, body: '<h1>520</h1>' };

  async function refreshRaw(token: string) {
    const body = new URLSearchParams({
      client_id: platform.clientId,
      grant_type: 'refresh_token',
      refresh_token: token,
    });
    return fetch(`${platform.issuer}/oauth/token`, { method: 'POST', body });
  }

  test('a 520 that did not consume the refresh token leaves it good', async () => {
    const { json } = await exchange(platform, await signIn(platform));
    await platform.control('POST', 'faults', down);
    const failed = await refreshRaw(json.refresh_token);
    expect(failed.status).toBe(520);
    expect(failed.headers.get('content-type')).toContain('text/html');
    expect(await failed.text()).toBe('<h1>520</h1>');
    expect((await refresh(platform, json.refresh_token)).status).toBe(200);
  });

  test('a 520 that consumed it leaves it unusable', async () => {
    const { json } = await exchange(platform, await signIn(platform));
    await platform.control('POST', 'faults', { ...down, consume: true });
    expect((await refreshRaw(json.refresh_token)).status).toBe(520);
    expect((await refresh(platform, json.refresh_token)).json).toEqual({ error: 'invalid_grant' });
  });

  test('returns an empty 401', async () => {
    await platform.control('POST', 'faults', { target: 'sign-in', operation: 'token', status: 401 });
    const failed = await refreshRaw('any');
    expect([failed.status, await failed.text()]).toEqual([401, '']);
  });

  test('a connection cut before leaves the token good, cut after consumes it', async () => {
    const { json } = await exchange(platform, await signIn(platform));
    await platform.control('POST', 'faults', { target: 'sign-in', operation: 'refresh', cut: 'before' });
    await expect(refreshRaw(json.refresh_token)).rejects.toThrow();
    await platform.control('POST', 'faults', { target: 'sign-in', operation: 'refresh', cut: 'after' });
    await expect(refreshRaw(json.refresh_token)).rejects.toThrow();
    expect((await refresh(platform, json.refresh_token)).json).toEqual({ error: 'invalid_grant' });
    const { json: records } = await platform.control('GET', 'requests');
    expect(records.slice(-3).map(({ status }: Json) => status)).toEqual([0, 0, 400]);
  });

  test('fails only the operation named, as often as requested, in order', async () => {
    await platform.control('POST', 'faults', { target: 'sign-in', operation: 'jwks', status: 503, count: 2 });
    await platform.control('POST', 'faults', { target: 'sign-in', operation: 'jwks', status: 429 });
    const jwks = `${platform.issuer}/.well-known/jwks.json`;
    const discovery = `${platform.url}/${harbor}/.well-known/openid-configuration`;
    expect((await fetch(discovery)).status).toBe(200);
    const statuses = [await fetch(jwks), await fetch(jwks), await fetch(jwks), await fetch(jwks)];
    expect(statuses.map(({ status }) => status)).toEqual([503, 503, 429, 200]);
  });

  test('returns a body of JSON and a header', async () => {
    const body = { issuer: 'https://evil.example' };
    const headers = { 'retry-after': '7' };
    await platform.control('POST', 'faults', { target: 'sign-in', operation: 'discovery', body, headers });
    const answer = await fetch(`${platform.url}/${harbor}/.well-known/openid-configuration`);
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([200, '7', body]);
  });

  test('a delay alone changes no answer, whether the request is handled before or after it', async () => {
    const { json } = await exchange(platform, await signIn(platform));
    const slow = { target: 'sign-in', operation: 'refresh', delayMs: 1 };
    await platform.control('POST', 'faults', slow);
    const second = await refresh(platform, json.refresh_token);
    expect(second.status).toBe(200);
    await platform.control('POST', 'faults', { ...slow, consume: true });
    expect((await refresh(platform, second.json.refresh_token)).status).toBe(200);
    expect((await platform.control('GET', 'faults')).json).toEqual([]);
  });

  test('can be listed and taken back', async () => {
    await platform.control('POST', 'faults', down);
    expect((await platform.control('GET', 'faults')).json).toEqual([{ ...down, count: 1 }]);
    await platform.control('DELETE', 'faults');
    expect((await platform.control('GET', 'faults')).json).toEqual([]);
  });
});

describe('faults at the Admin API', () => {
  test('strikes by root field and by operation name', async () => {
    for (const operation of ['shop', 'Shop']) {
      await platform.control('POST', 'faults', {
        target: 'admin',
        operation,
        status: 423,
        body: { errors: 'Locked' },
      });
      expect((await askAdmin(platform, 'query Other { products(first: 1) { nodes { id } } }')).status).toBe(
        200,
      );
      expect(await askAdmin(platform, shopQuery)).toEqual({ status: 423, json: { errors: 'Locked' } });
      expect((await askAdmin(platform, shopQuery)).json.data.shop.name).toBe('Harbor Coffee');
    }
  });

  test('changes the contract before the commit, so that the draft is outdated', async () => {
    const errors = 'userErrors { code }';
    const open = `mutation { opened: subscriptionContractUpdate(contractId: "${contract}") { draft { id } ${errors} } }`;
    const commit = async () => {
      const { data } = (await askAdmin(platform, open)).json;
      const id = data.opened.draft.id;
      const document = `mutation { done: subscriptionDraftCommit(draftId: "${id}") { contract { id } ${errors} } }`;
      return (await askAdmin(platform, document)).json.data.done;
    };
    await platform.control('POST', 'faults', {
      target: 'admin',
      operation: 'subscriptionDraftCommit',
      outdate: true,
    });
    expect(await commit()).toEqual({ contract: null, userErrors: [{ code: 'STALE_CONTRACT' }] });
    expect(await commit()).toEqual({ contract: { id: contract }, userErrors: [] });
  });

  test('refuses one mutation of a document', async () => {
    await platform.control('POST', 'faults', { target: 'admin', refuseMutation: 2 });
    const pause = (key: string) =>
      `${key}: subscriptionContractPause(subscriptionContractId: "${contract}") { userErrors { code } }`;
    const { json } = await askAdmin(platform, `mutation { ${pause('first')} ${pause('second')} }`);
    expect(json.data).toEqual({ first: { userErrors: [] }, second: { userErrors: [{ code: 'INVALID' }] } });
  });

  test('throttled, as the platform says it', async () => {
    await platform.control('POST', 'faults', { target: 'admin', throttle: true, count: 2 });
    for (let count = 0; count < 2; count += 1) {
      const { status, json } = await askAdmin(platform, shopQuery);
      expect([status, json.errors[0].extensions.code]).toEqual([200, 'THROTTLED']);
    }
    await platform.control('POST', 'clock', { advance: 1 });
    expect((await askAdmin(platform, shopQuery)).json.errors).toBeUndefined();
  });
});

describe('the record of requests', () => {
  test('has what a service sends, oldest first, and no page of a browser', async () => {
    await platform.control('DELETE', 'requests');
    const { json } = await exchange(platform, await signIn(platform));
    await askAdmin(platform, shopQuery);
    await fetch(`${platform.issuer}/logout?id_token_hint=${json.id_token}`);
    const { json: records } = await platform.control('GET', 'requests');
    expect(records).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        shop: harbor,
        kind: 'sign-in',
        method: 'POST',
        path: '/authentication/81234567001/oauth/token',
        status: 200,
      },
      {
        at: expect.any(String),
        shop: harbor,
        kind: 'admin',
        method: 'POST',
        path: `/${harbor}/admin/api/2026-07/graphql.json`,
        status: 200,
        query: shopQuery,
        variables: {},
        cost: expect.any(Number),
      },
      {
        at: expect.any(String),
        shop: harbor,
        kind: 'sign-in',
        method: 'GET',
        path: '/authentication/81234567001/logout',
        status: 200,
      },
    ]);
  });

  test('holds no token, code or verifier', async () => {
    const signedIn = await signIn(platform);
    const { json } = await exchange(platform, signedIn);
    await refresh(platform, json.refresh_token);
    const written = JSON.stringify((await platform.control('GET', 'requests')).json);
    for (const secret of [
      signedIn.code,
      signedIn.verifier,
      json.access_token,
      json.refresh_token,
      json.id_token,
    ]) {
      expect(written).not.toContain(secret);
    }
  });
});

describe('signing keys', () => {
  test('after a rotation the new key signs, and the old one stays published by default', async () => {
    const [first] = await keyIds();
    const before = await exchange(platform, await signIn(platform));
    await platform.control('POST', 'jwks');
    const [second, third] = await keyIds();
    expect(third).toBe(first);
    const { json } = await exchange(platform, await signIn(platform));
    expect(partOf(json.id_token, 0)).toMatchObject({ alg: 'RS256', kid: second });
    await platform.control('POST', 'jwks', { keepOld: false });
    expect(await keyIds()).toHaveLength(1);
    expect(await keyIds()).not.toContain(second);
    expect((await fetch(`${platform.issuer}/logout?id_token_hint=${before.json.id_token}`)).status).toBe(200);
    expect((await refresh(platform, json.refresh_token)).status).toBe(200);
  });
});

test.each([7200, -3600, -7200])('a skew of %d seconds is in the id_token', async (seconds) => {
  await platform.control('POST', 'skew', { seconds });
  const { json } = await exchange(platform, await signIn(platform));
  const { iat, exp } = partOf(json.id_token, 1);
  const now = Math.floor(Date.now() / 1000);
  expect(Math.abs(iat - now - seconds)).toBeLessThan(30);
  expect(Math.abs(exp - now - seconds - 3600)).toBeLessThan(30);
});

test('a table of delivery rates sets what the options of a draft cost, and null takes it back', async () => {
  const priceOf = async () => {
    const opened = await askAdmin(
      platform,
      `mutation { subscriptionContractUpdate(contractId: "${contract}") { draft { id } } }`,
    );
    const { id } = opened.json.data.subscriptionContractUpdate.draft;
    const options = `{ subscriptionDraft(id: "${id}") { deliveryOptions { ... on SubscriptionDeliveryOptionResultSuccess {
      deliveryOptions { ... on SubscriptionShippingOption { code price { amount } } } } } } }`;
    await askAdmin(platform, options);
    const { json } = await askAdmin(platform, options);
    const list: Json[] = json.data.subscriptionDraft.deliveryOptions.deliveryOptions;
    return list.filter(({ code }) => code).map(({ code, price }) => [code, price.amount]);
  };
  const free = { ...RATE, priceMinor: 0, fromMinor: 1000 };
  await platform.control('POST', 'settings', { shop: harbor, deliveryRates: [free, RATE] });
  expect(await priceOf()).toEqual([['standard', '0.0']]);
  await platform.control('POST', 'settings', { shop: harbor, deliveryRates: null });
  expect(await priceOf()).toEqual([
    ['standard', '4.9'],
    ['express', '9.9'],
  ]);
});

test('seeding adds customers and contracts', async () => {
  await platform.control('POST', 'seed', { customers: 2, contracts: 3 });
  const email = /guest-\d+@example\.com/;
  const { json } = await askAdmin(
    platform,
    '{ customers(first: 50) { nodes { defaultEmailAddress { emailAddress } } } }',
  );
  expect(JSON.stringify(json)).toMatch(email);
});

test('seeding takes plans and subscriptions of any kind', async () => {
  const plans = [{ name: 'Two at once', billing: ['WEEK', 2], delivery: ['WEEK', 1] }];
  const line = { variantId: 810100401, quantity: 3, baseMinor: 1001 };
  const subscription = { id: 9109001, customerId: 7001001, createdMs: Date.now(), planId: 830900101 };
  await platform.control('POST', 'seed', {
    sellingPlanGroups: [{ id: 8309001, name: 'Two', productIds: [8101004], plans }],
    subscriptions: [{ ...subscription, lines: [line] }],
  });
  const { json } = await askAdmin(
    platform,
    '{ subscriptionContract(id: "gid://shopify/SubscriptionContract/9109001") { lines(first: 1) { nodes { quantity currentPrice { amount } } } } }',
  );
  expect(json.data.subscriptionContract.lines.nodes).toEqual([
    { quantity: 3, currentPrice: { amount: '20.02' } },
  ]);
});

test('a store withholds scopes and protected data from an app, and shows it no contract of another', async () => {
  const subscription = { id: 9109002, customerId: 7001001, createdMs: Date.now(), planId: 830100101 };
  const seeded = await platform.control('POST', 'seed', {
    subscriptions: [{ ...subscription, lines: [[810100401, 1]], ofAnotherApp: true }],
  });
  expect(seeded.status).toBe(200);
  const withheld = ['read_orders', 'write_orders'];
  await platform.control('POST', 'scopes', { shop: harbor, withheld, withheldData: ['email'] });
  const { json } = await askAdmin(
    platform,
    `{ subscriptionContract(id: "gid://shopify/SubscriptionContract/9109002") { id }
      customer(id: "gid://shopify/Customer/7001001") { email }
      order(id: "gid://shopify/Order/1") { id }
      currentAppInstallation { accessScopes { handle } } }`,
  );
  expect(json.data).toMatchObject({ subscriptionContract: null, customer: { email: null }, order: null });
  expect(JSON.stringify(json.data.currentAppInstallation)).not.toContain('"read_orders"');
  await platform.control('POST', 'scopes', { shop: harbor });
  const again = await askAdmin(platform, '{ customer(id: "gid://shopify/Customer/7001001") { email } }');
  expect(again.json.data.customer.email).toContain('@');
});

test('a reset keeps the web pages that sign customers in', async () => {
  const page = 'http://localhost:5173/';
  const client = { shop: harbor, webRedirectUris: [page] };
  const { webClientId } = (await platform.control('POST', 'client', client)).json;
  const { url } = authorizationUrl(platform, { client_id: webClientId, redirect_uri: page });
  const open = async () => (await fetch(url, { redirect: 'manual' })).status;
  const status = await open();
  expect(status).toBeLessThan(400);
  await platform.control('POST', 'reset');
  expect(await open()).toBe(status);
  await platform.control('POST', 'client', { ...client, webRedirectUris: [] });
  expect(await open()).toBe(400);
});

test('a reset ends sign-ins and clears faults and records; keys stay', async () => {
  const before = await keyIds();
  const { json } = await exchange(platform, await signIn(platform));
  await platform.control('POST', 'faults', { target: 'admin', status: 500 });
  await platform.control('POST', 'skew', { seconds: 90 });
  await platform.control('POST', 'reset');
  expect((await platform.control('GET', 'requests')).json).toEqual([]);
  expect((await platform.control('GET', 'faults')).json).toEqual([]);
  expect((await refresh(platform, json.refresh_token)).json).toEqual({ error: 'invalid_grant' });
  expect((await askAdmin(platform, shopQuery)).json.data.shop.name).toBe('Harbor Coffee');
  expect(await keyIds()).toEqual(before);
  expect((await exchange(platform, await signIn(platform))).status).toBe(200);
});
