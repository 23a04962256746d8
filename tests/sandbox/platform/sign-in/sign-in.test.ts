/** Sign-in at the emulated platform over HTTP: first the rejections, then an app's journey. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { createBrowser } from '../browser.ts';
import {
  authorizationUrl,
  codeOf,
  currentCode,
  exchange,
  harbor,
  type Json,
  postToken,
  redirectUri,
  refresh,
  signIn,
  startTestPlatform,
  type TestPlatform,
} from '../running-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.close());

function claimsOf(idToken: string): Json {
  return JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
}

describe('refused at the authorization endpoint', () => {
  test.each([
    ['no code challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain code challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'none' }, 'unsupported_response_type'],
    ['prompt=none without a session', { prompt: 'none' }, 'login_required'],
  ])('%s goes back to the app as an error', async (_what, changes, error) => {
    const page = await createBrowser().open(authorizationUrl(platform, changes).url);
    expect(page.url).toContain(`${redirectUri}?`);
    const answer = new URL(page.url).searchParams;
    expect(answer.get('error')).toBe(error);
    expect(answer.get('state')).toBe('the-state');
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }, 'not known to this store'],
    ['an unregistered redirect address', { redirect_uri: 'shop.1.app://callback' }, 'has not registered'],
    ['a web redirect address', { redirect_uri: 'https://evil.example/' }, 'has not registered'],
  ])('shows %s to the customer and redirects nowhere', async (_what, changes, sentence) => {
    const page = await createBrowser().open(authorizationUrl(platform, changes).url);
    expect(page.status).toBe(400);
    expect(page.url).toContain(platform.issuer);
    expect(page.text).toContain(sentence);
  });
});

describe('refused at the token endpoint, with the error code and nothing else', () => {
  const invalidGrant = { status: 400, json: { error: 'invalid_grant' } };

  test('refuses a wrong code verifier', async () => {
    const signedIn = await signIn(platform);
    const verifier = 'a'.repeat(43);
    expect(await exchange(platform, { ...signedIn, verifier })).toEqual(invalidGrant);
    expect(platform.lines.at(-1)).toContain('refused');
  });

  test('refuses a used code, and also ends what was made from it', async () => {
    const signedIn = await signIn(platform);
    const first = await exchange(platform, signedIn);
    expect(first.status).toBe(200);
    expect(await exchange(platform, signedIn)).toEqual(invalidGrant);
    expect(await refresh(platform, first.json.refresh_token)).toEqual(invalidGrant);
  });

  test('refuses an unknown code and an unknown refresh token', async () => {
    expect(await exchange(platform, { code: 'none', verifier: 'a'.repeat(43) })).toEqual(invalidGrant);
    expect(await refresh(platform, 'none')).toEqual(invalidGrant);
  });

  test('refuses an unknown client', async () => {
    const answer = await postToken(platform, { client_id: 'nobody', grant_type: 'refresh_token' });
    expect(answer).toEqual({ status: 401, json: { error: 'invalid_client' } });
  });

  test('refuses another grant type', async () => {
    const answer = await postToken(platform, { grant_type: 'password' });
    expect(answer).toEqual({ status: 400, json: { error: 'unsupported_grant_type' } });
  });

  test('refuses a code older than a minute', async () => {
    const own = await startTestPlatform();
    const signedIn = await signIn(own);
    await own.control('POST', 'clock', { advance: 61 });
    expect(await exchange(own, signedIn)).toEqual(invalidGrant);
    await own.close();
  });

  test('refuses all but one of several concurrent equal code grants', async () => {
    const signedIn = await signIn(platform);
    const answers = await Promise.all([1, 2, 3].map(() => exchange(platform, signedIn)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });
});

test('a request without User-Agent is refused with 403', async () => {
  const { get } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    get(`${platform.url}/${harbor}/.well-known/openid-configuration`, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(403);
});

test('an unknown store is not found', async () => {
  const response = await fetch(`${platform.url}/nobody.myshopify.com/.well-known/openid-configuration`);
  expect(response.status).toBe(404);
  expect((await fetch(`${platform.url}/authentication/1/oauth/token`, { method: 'POST' })).status).toBe(404);
});

describe('the journey', () => {
  test('a strict OpenID Connect client accepts it with the expected issuer', async () => {
    const issuer = new URL(platform.issuer);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const discovered = await fetch(`${platform.url}/${harbor}/.well-known/openid-configuration`);
    const server = await oauth.processDiscoveryResponse(issuer, discovered);
    expect(server.token_endpoint_auth_methods_supported).toEqual(['client_secret_basic']);
    expect(server.authorization_response_iss_parameter_supported).toBeUndefined();
    const client = { client_id: platform.clientId };
    const start = authorizationUrl(platform);
    const browser = createBrowser();
    const email = 'ada@example.com';
    const requested = await browser.submit(await browser.open(start.url), 'email', { email });
    const back = await browser.submit(requested, 'code', { code: await currentCode(platform, email) });
    const parameters = oauth.validateAuthResponse(server, client, new URL(back.url), 'the-state');
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      start.verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: start.nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, insecure);
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({
      iss: platform.issuer,
      sub: '7001001',
      aud: platform.clientId,
      sid: expect.any(String),
      email,
      email_verified: true,
    });
    expect(tokens.expires_in).toBe(3600);
    expect(tokens.refresh_token).toEqual(expect.any(String));
  });

  test('a second start in the same browser shows no form; prompt=login does', async () => {
    const browser = createBrowser();
    await signIn(platform, { browser });
    codeOf(await browser.open(authorizationUrl(platform).url));
    codeOf(await browser.open(authorizationUrl(platform, { prompt: 'none' }).url));
    const requested = await browser.open(authorizationUrl(platform, { prompt: 'login' }).url);
    expect(requested.text).toContain('name="email"');
  });

  test('another customer can sign in at the same browser', async () => {
    const browser = createBrowser();
    await signIn(platform, { browser });
    const start = authorizationUrl(platform, { prompt: 'login' });
    const email = 'ben@example.com';
    const requested = await browser.submit(await browser.open(start.url), 'email', { email });
    const back = await browser.submit(requested, 'code', { code: await currentCode(platform, email) });
    const { json } = await exchange(platform, { ...start, code: codeOf(back) });
    expect(claimsOf(json.id_token)).toMatchObject({ sub: '7001002', email });
  });

  test('cookies are for this origin and this store’s sign-in alone', async () => {
    const browser = createBrowser();
    await signIn(platform, { browser });
    for (const { path } of browser.cookies()) expect(path).toMatch(/^\/authentication\/81234567001(\/|$)/);
    const opened = await fetch(authorizationUrl(platform).url, { redirect: 'manual' });
    for (const cookie of opened.headers.getSetCookie()) {
      expect(cookie).toMatch(/; httponly/i);
      expect(cookie).not.toMatch(/domain=/i);
    }
    expect(opened.headers.get('location')).toMatch(/^\/authentication\//);
  });

  test('a session of one store is none of another', async () => {
    const browser = createBrowser();
    await signIn(platform, { browser });
    const juniper = platform.stores[1];
    const url = authorizationUrl(platform, {
      client_id: juniper?.clientId,
      redirect_uri: `shop.${juniper?.shopId}.app://callback`,
    }).url.replace('/81234567001/', `/${juniper?.shopId}/`);
    const page = await browser.open(url);
    expect(page.text).toContain('Juniper Tea');
    expect(page.text).toContain('name="email"');
  });
});

describe('refresh', () => {
  test('rotates, without an id_token', async () => {
    const { json: first } = await exchange(platform, await signIn(platform));
    const { status, json: second } = await refresh(platform, first.refresh_token);
    expect(status).toBe(200);
    expect(second).toMatchObject({ access_token: expect.any(String), expires_in: 3600 });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.id_token).toBeUndefined();
  });

  test('a reused refresh token ends its own sign-in and no other', async () => {
    const browser = createBrowser();
    const { json: first } = await exchange(platform, await signIn(platform, { browser }));
    const start = authorizationUrl(platform);
    const concurrent = await exchange(platform, { ...start, code: codeOf(await browser.open(start.url)) });
    const { json: second } = await refresh(platform, first.refresh_token);
    expect((await refresh(platform, first.refresh_token)).json).toEqual({ error: 'invalid_grant' });
    expect((await refresh(platform, second.refresh_token)).json).toEqual({ error: 'invalid_grant' });
    expect((await refresh(platform, concurrent.json.refresh_token)).status).toBe(200);
  });
});

describe('the end of a session', () => {
  const logOut = (query: string) => fetch(`${platform.issuer}/logout${query}`);

  test.each(['', '?id_token_hint=', '?id_token_hint=a.b.c'])('"%s" is refused', async (query) => {
    const response = await logOut(query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('an altered hint is refused and ends nothing', async () => {
    const { json } = await exchange(platform, await signIn(platform));
    const [head, , signature] = json.id_token.split('.');
    const claims = Buffer.from(JSON.stringify({ ...claimsOf(json.id_token), email: 'x' })).toString(
      'base64url',
    );
    expect((await logOut(`?id_token_hint=${head}.${claims}.${signature}`)).status).toBe(400);
    expect((await refresh(platform, json.refresh_token)).status).toBe(200);
  });

  test('ends the tokens and the browser’s session, and answers 200 again when repeated', async () => {
    const browser = createBrowser();
    const { json } = await exchange(platform, await signIn(platform, { browser }));
    expect((await logOut(`?id_token_hint=${json.id_token}`)).status).toBe(200);
    expect(await refresh(platform, json.refresh_token)).toEqual({
      status: 400,
      json: { error: 'invalid_grant' },
    });
    expect((await browser.open(authorizationUrl(platform).url)).text).toContain('name="email"');
    expect((await logOut(`?id_token_hint=${json.id_token}`)).status).toBe(200);
  });
});

describe('the Customer Account API', () => {
  async function ask(authorization: string) {
    const discovered = await fetch(`${platform.url}/${harbor}/.well-known/customer-account-api`);
    const { graphql_api: url } = (await discovered.json()) as { graphql_api: string };
    const body = JSON.stringify({ query: '{ customer { id } }' });
    return fetch(url, {
      method: 'POST',
      body,
      headers: { authorization, 'content-type': 'application/json' },
    });
  }

  test('refuses "Bearer" and unknown tokens', async () => {
    const { json } = await exchange(platform, await signIn(platform));
    expect((await ask(`Bearer ${json.access_token}`)).status).toBe(401);
    expect((await ask('none')).status).toBe(401);
  });

  test('returns who signed in, whoever the id_token names as its subject', async () => {
    const email = 'ben@example.com';
    await platform.control('POST', 'settings', { shop: harbor, subjects: { 7001002: '7001001' } });
    const { json } = await exchange(platform, await signIn(platform, { email }));
    await platform.control('POST', 'settings', { shop: harbor, subjects: {} });
    expect(claimsOf(json.id_token)).toMatchObject({ sub: '7001001', email });
    const response = await ask(json.access_token);
    expect(await response.json()).toEqual({ data: { customer: { id: 'gid://shopify/Customer/7001002' } } });
  });

  test('returns who signed in', async () => {
    const { json } = await exchange(platform, await signIn(platform));
    const response = await ask(json.access_token);
    expect(await response.json()).toEqual({ data: { customer: { id: 'gid://shopify/Customer/7001001' } } });
  });
});
