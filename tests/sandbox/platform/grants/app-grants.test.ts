/** How an app gets its tokens of a store, in each form that apps have: refusals first. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { askAdmin, harbor, type Json, startTestPlatform, type TestPlatform } from '../running-platform.ts';

let platform: TestPlatform;
let grant: Json;

beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(async () => {
  grant = (await platform.control('POST', 'grant', { shop: harbor, expiring: true })).json;
});
afterAll(() => platform.close());

const query = '{ shop { name } }';

async function renew(changes: Record<string, string> = {}): Promise<{ status: number; json: Json }> {
  const { client_id, client_secret, refresh_token } = grant;
  const fields = { client_id, client_secret, refresh_token, grant_type: 'refresh_token', ...changes };
  const response = await fetch(`${platform.url}/${harbor}/admin/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return { status: response.status, json: await response.json() };
}

test.each([
  [{ client_secret: 'wrong' }, 401, 'invalid_client'],
  [{ client_id: 'nobody' }, 401, 'invalid_client'],
  [{ refresh_token: 'none' }, 400, 'invalid_grant'],
  [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
])('%j is refused', async (changes: Record<string, string>, status, error) => {
  expect(await renew(changes)).toEqual({ status, json: { error } });
});

test('a store without an expiring grant has nothing to renew', async () => {
  await platform.control('POST', 'grant', { shop: harbor, expiring: false });
  expect((await renew()).status).toBe(400);
  expect((await askAdmin(platform, query)).status).toBe(200);
});

test('invalidates the token from before, and gives one for an hour', async () => {
  expect((await askAdmin(platform, query)).status).toBe(401);
  expect(grant).toMatchObject({ expires_in: 3600, refresh_token_expires_in: 7_776_000 });
  expect((await askAdmin(platform, query, grant.access_token)).status).toBe(200);
  await platform.control('POST', 'clock', { advance: 3601 });
  const { status, json } = await askAdmin(platform, query, grant.access_token);
  expect([status, typeof json.errors]).toEqual([401, 'string']);
});

test('renewal gives a new pair, in the form of a form or of JSON', async () => {
  const { status, json } = await renew();
  expect(status).toBe(200);
  expect(json).toMatchObject({ expires_in: 3600, scope: expect.any(String) });
  expect((await askAdmin(platform, query, json.access_token)).status).toBe(200);
  const response = await fetch(`${platform.url}/${harbor}/admin/oauth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...grant, refresh_token: json.refresh_token, grant_type: 'refresh_token' }),
  });
  expect(response.status).toBe(200);
});

test('the refresh token before stays good until its replacement is used', async () => {
  const lost = await renew();
  const again = await renew();
  expect(again.status).toBe(200);
  const next = await renew({ refresh_token: again.json.refresh_token });
  expect(next.status).toBe(200);
  expect((await renew()).json).toEqual({ error: 'invalid_grant' });
  expect((await renew({ refresh_token: lost.json.refresh_token })).json).toEqual({ error: 'invalid_grant' });
});

test('a refresh token ends after 90 days', async () => {
  await platform.control('POST', 'clock', { advance: 90 * 86_400 + 1 });
  expect((await renew()).json).toEqual({ error: 'invalid_grant' });
});

/** Requests tokens like the app, with its own id and secret. */
async function ask(fields: Record<string, string>, app: Json): Promise<{ status: number; json: Json }> {
  const { client_id, client_secret } = app;
  const response = await fetch(`${platform.url}/${harbor}/admin/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, ...fields }),
  });
  return { status: response.status, json: await response.json() };
}

const setApp = async (change: object): Promise<Json> =>
  (await platform.control('POST', 'app', { shop: harbor, ...change })).json;
const credentials = { grant_type: 'client_credentials' };

describe('client credentials', () => {
  test('are for the form of own stores', async () => {
    for (const form of ['custom', 'public']) {
      const refused = await ask(credentials, await setApp({ form }));
      expect(refused).toEqual({ status: 400, json: { error: 'shop_not_permitted' } });
    }
  });

  test('gives a token of a day without a refresh token, as often as the app requests one; each stays valid to its end', async () => {
    const app = await setApp({ form: 'own-store' });
    const { status, json } = await ask(credentials, app);
    expect([status, json]).toEqual([
      200,
      { access_token: expect.any(String), expires_in: 86_399, scope: expect.any(String) },
    ]);
    await platform.control('POST', 'clock', { advance: 86_000 });
    const { json: next } = await ask(credentials, app);
    for (const token of [json.access_token, next.access_token])
      expect((await askAdmin(platform, query, token)).status).toBe(200);
    await platform.control('POST', 'clock', { advance: 400 });
    expect((await askAdmin(platform, query, json.access_token)).status).toBe(401);
    expect((await askAdmin(platform, query, next.access_token)).status).toBe(200);
  });

  test('give nothing with the secret from before, nor where the app was removed', async () => {
    const before = await setApp({ form: 'own-store' });
    const after = await setApp({ newSecret: true });
    expect(await ask(credentials, before)).toEqual({ status: 401, json: { error: 'invalid_client' } });
    const { json } = await ask(credentials, after);
    await setApp({ isInstalled: false });
    expect(await ask(credentials, after)).toEqual({ status: 400, json: { error: 'app_not_installed' } });
    expect((await askAdmin(platform, query, json.access_token)).status).toBe(401);
  });
});

describe('the authorization code', () => {
  const redirectUri = 'https://subscriptions.example/store-connected';

  async function authorize(app: Json, changes: Record<string, string> = {}, method = 'POST') {
    const parameters = new URLSearchParams({
      client_id: app.client_id,
      scope: 'read_customers,write_customers,read_orders',
      redirect_uri: redirectUri,
      state: 'the-state',
      ...changes,
    });
    return fetch(`${platform.url}/${harbor}/admin/oauth/authorize?${parameters}`, {
      method,
      redirect: 'manual',
    });
  }

  async function codeFor(app: Json): Promise<URLSearchParams> {
    return new URL((await authorize(app)).headers.get('location') ?? '').searchParams;
  }

  test('is given at an address of the app alone, and to the app alone', async () => {
    const app = await setApp({ form: 'custom' });
    expect((await authorize(app, { redirect_uri: 'https://elsewhere.example/' })).status).toBe(400);
    expect((await authorize(app, { client_id: 'nobody' })).status).toBe(400);
    expect(await (await authorize(app, {}, 'GET')).text()).toContain('read_orders');
  });

  test('comes with the shop, the state and an HMAC of it all', async () => {
    const app = await setApp({ form: 'custom' });
    const given = await codeFor(app);
    expect([given.get('shop'), given.get('state')]).toEqual([harbor, 'the-state']);
    const { hmac, ...facts } = Object.fromEntries(given);
    const message = new URLSearchParams(facts);
    message.sort();
    expect(hmac).toBe(createHmac('sha256', app.client_secret).update(`${message}`).digest('hex'));
  });

  test('is exchanged once, for a token that lasts, or ends and can be renewed, with the scopes agreed to', async () => {
    const app = await setApp({ form: 'custom' });
    const code = (await codeFor(app)).get('code') ?? '';
    const { json } = await ask({ code }, app);
    expect(json).toEqual({ access_token: expect.any(String), scope: 'read_orders,write_customers' });
    expect(await ask({ code }, app)).toEqual({ status: 400, json: { error: 'invalid_request' } });
    const { json: ending } = await ask({ code: (await codeFor(app)).get('code') ?? '', expiring: '1' }, app);
    expect(ending).toMatchObject({ expires_in: 3600, refresh_token_expires_in: 7_776_000 });
    for (const token of [json.access_token, ending.access_token])
      expect((await askAdmin(platform, query, token)).status).toBe(200);
  });

  test('gives public apps no token without end, from 2027 on', async () => {
    const app = await setApp({ form: 'public' });
    await platform.control('POST', 'clock', { now: '2027-01-02T00:00:00Z' });
    expect((await ask({ code: (await codeFor(app)).get('code') ?? '' }, app)).status).toBe(400);
  });

  test('renews nothing after the app was removed, and works again once it is installed', async () => {
    const app = await setApp({ form: 'public' });
    const { json } = await ask({ code: (await codeFor(app)).get('code') ?? '', expiring: '1' }, app);
    const renewal = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
    await setApp({ isInstalled: false });
    expect(await ask(renewal, app)).toEqual({ status: 400, json: { error: 'invalid_subject_token' } });
    const again = await ask({ code: (await codeFor(app)).get('code') ?? '', expiring: '1' }, app);
    expect((await askAdmin(platform, query, again.json.access_token)).status).toBe(200);
  });
});
