/** The specification's sign-in tables, over HTTP. */
import { describe, expect, test } from '@jest/globals';
import { type Answer, authorize, send, signIn, start, type Tokens } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

const EMAIL = 'ada@example.com';
const codeOf = (answer: Answer) => (answer.body as { error?: { code?: string } }).error?.code;

describe('every sign-in endpoint', () => {
  const endpoints = [
    ['POST', '/headless-auth/start'],
    ['POST', '/headless-auth/exchange'],
    ['POST', '/headless-auth/refresh'],
    ['DELETE', '/headless-auth/revoke'],
    ['POST', '/headless-auth/storefront-token'],
  ] as const;

  test.each(endpoints)('%s %s refuses what it cannot read', async (method, path) => {
    const answers = {
      noJson: await send(stack, path, { method, body: '{' }),
      batch: await send(stack, path, { method, body: '[]' }),
      noShop: await send(stack, path, { method, body: {} }),
      emptyShop: await send(stack, path, { method, body: { shop: '' } }),
      form: await send(stack, path, {
        method,
        body: 'shop=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      large: await send(stack, path, { method, body: { shop: 'x'.repeat(70_000) } }),
    };
    expect(Object.entries(answers).map(([name, answer]) => [name, answer.status, codeOf(answer)])).toEqual([
      ['noJson', 400, 'INVALID_JSON'],
      ['batch', 400, 'INVALID_JSON'],
      ['noShop', 400, 'MISSING_SHOP'],
      ['emptyShop', 400, 'MISSING_SHOP'],
      ['form', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['large', 413, 'PAYLOAD_TOO_LARGE'],
    ]);
    for (const { headers, body } of Object.values(answers)) {
      const { error } = body as { error: { message: string; requestId: string } };
      expect(error.message).not.toBe('');
      expect(headers.get('x-request-id')).toBe(error.requestId);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each(endpoints)('%s %s refuses another method, and says which it takes', async (method, path) => {
    const answer = await send(stack, path, { method: 'PUT', body: {} });
    expect([answer.status, codeOf(answer), answer.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      method,
    ]);
  });

  test('an address that nobody has is 404, with our error body', async () => {
    for (const path of ['/', '/headless-auth', '/headless-auth/nothing', '/api/else']) {
      const answer = await send(stack, path, { method: 'GET' });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test.each([
    ['POST', '/headless-auth/start', {}],
    ['POST', '/headless-auth/storefront-token', {}],
    ['POST', '/headless-auth/exchange', { code: 'a', verifier: 'b', nonce: 'c' }],
    ['POST', '/headless-auth/refresh', { customerId: 1, refreshToken: 'a' }],
    ['DELETE', '/headless-auth/revoke', { customerId: 1, refreshToken: 'a' }],
  ])(
    '%s %s knows neither another form of shop nor a shop that is not installed',
    async (method, path, rest) => {
      const wrong = await send(stack, path, { method, body: { shop: 'evil.example', ...rest } });
      expect([wrong.status, codeOf(wrong)]).toEqual([400, 'INVALID_SHOP']);
      const absent = await send(stack, path, {
        method,
        body: { shop: 'nobody-here.myshopify.com', ...rest },
      });
      expect([absent.status, codeOf(absent)]).toEqual([401, 'SHOP_NOT_INSTALLED']);
    },
  );
});

describe('start', () => {
  test('gives what the app needs to sign a customer in', async () => {
    const started = await start(stack);
    expect(Object.keys(started).sort()).toEqual(['authUrl', 'nonce', 'redirectUri', 'state', 'verifier']);
    expect(started.redirectUri).toBe(`shop.${stack.shopId}.app://callback`);
    const url = new URL(started.authUrl);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: started.redirectUri,
      state: started.state,
      scope: 'openid email customer-account-api:full',
    });
    expect(started.authUrl).not.toContain(started.verifier);
  });
});

describe('exchange', () => {
  test('names the missing fields', async () => {
    const answer = await send(stack, '/headless-auth/exchange', { body: { shop: stack.shop, code: 'x' } });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'MISSING_PARAMETERS']);
    expect(answer.text).toContain('verifier');
    expect(answer.text).toContain('nonce');
  });

  test('refuses a nonce that is made up, altered, of another sign-in or of another shop', async () => {
    const [one, two] = [await start(stack), await start(stack)];
    const other = stack.stores[1]?.shop ?? '';
    const refused = [
      { shop: stack.shop, verifier: one.verifier, nonce: 'made-up' },
      {
        shop: stack.shop,
        verifier: one.verifier,
        nonce: `${one.nonce.slice(0, -1)}${one.nonce.endsWith('A') ? 'B' : 'A'}`,
      },
      { shop: stack.shop, verifier: one.verifier, nonce: two.nonce },
      { shop: other, verifier: one.verifier, nonce: one.nonce },
    ];
    for (const fields of refused) {
      const answer = await send(stack, '/headless-auth/exchange', { body: { code: 'x', ...fields } });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_NONCE']);
    }
  });

  test('refuses a code that the platform refuses', async () => {
    const { verifier, nonce } = await start(stack);
    const answer = await send(stack, '/headless-auth/exchange', {
      body: { shop: stack.shop, code: 'made-up', verifier, nonce },
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'SIGN_IN_REJECTED']);
  });

  test('gives tokens once; asked again before their use, the same', async () => {
    const started = await start(stack);
    const code = await authorize(stack, started, EMAIL);
    const body = { shop: stack.shop, code, verifier: started.verifier, nonce: started.nonce };
    const first = await send(stack, '/headless-auth/exchange', { body });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      accessToken: expect.stringMatching(/^SVC_CT_/),
      refreshToken: expect.stringMatching(/^SVC_RT_/),
      customerId: stack.customers[0]?.id,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await send(stack, '/headless-auth/exchange', { body })).body).toEqual(first.body);
  });
});

describe('refresh and revoke', () => {
  const token = (tokens: Tokens) => ({
    shop: stack.shop,
    customerId: tokens.customerId,
    refreshToken: tokens.refreshToken,
  });

  test('a customer who never signed in has no token', async () => {
    const absent = { shop: stack.shop, customerId: 999_999, refreshToken: 'SVC_RT_junk' };
    const refreshed = await send(stack, '/headless-auth/refresh', { body: absent });
    expect([refreshed.status, codeOf(refreshed)]).toEqual([404, 'TOKEN_NOT_FOUND']);
    const revoked = await send(stack, '/headless-auth/revoke', { method: 'DELETE', body: absent });
    expect([revoked.status, codeOf(revoked)]).toEqual([404, 'TOKEN_NOT_FOUND']);
  });

  test('a wrong token of a customer who did is refused', async () => {
    const tokens = await signIn(stack, EMAIL);
    for (const refreshToken of ['junk', tokens.accessToken, `${tokens.refreshToken}x`]) {
      const answer = await send(stack, '/headless-auth/refresh', {
        body: { ...token(tokens), refreshToken },
      });
      expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
    }
  });

  test.each([0, -1, 1.5, 'abc', null, {}, '007'])('customerId %p is no customer id', async (customerId) => {
    const answer = await send(stack, '/headless-auth/refresh', {
      body: { shop: stack.shop, customerId, refreshToken: 'x' },
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'MISSING_PARAMETERS']);
  });

  test('refresh gives the next pair; a revoked session gives nothing more', async () => {
    const tokens = await signIn(stack, EMAIL);
    const refreshed = await send(stack, '/headless-auth/refresh', { body: token(tokens) });
    expect(refreshed.status).toBe(200);
    const next = refreshed.body as Tokens;
    expect(Object.keys(next).sort()).toEqual(['accessToken', 'customerId', 'expiresAt', 'refreshToken']);
    expect(next.refreshToken).not.toBe(tokens.refreshToken);
    for (const _again of [1, 2]) {
      const revoked = await send(stack, '/headless-auth/revoke', { method: 'DELETE', body: token(next) });
      expect([revoked.status, revoked.body]).toEqual([200, { revoked: true }]);
    }
    const refused = await send(stack, '/headless-auth/refresh', { body: token(next) });
    expect([refused.status, codeOf(refused)]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  });
});

describe('storefront-token', () => {
  test('gives one token a store, again and again the same', async () => {
    const ask = () => send(stack, '/headless-auth/storefront-token', { body: { shop: stack.shop } });
    const first = await ask();
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ storefrontAccessToken: expect.stringMatching(/.+/), shop: stack.shop });
    expect((await ask()).body).toEqual(first.body);
  });
});
