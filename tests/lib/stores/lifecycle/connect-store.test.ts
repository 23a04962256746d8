/** The first grant of a store, from the app's own client: each response of the platform, and the result. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { PostForm } from '../../../../lib/platform/grants/post-form.ts';
import {
  createConsentRequest,
  requestGrantByAuthorizationCode,
  requestGrantByClientCredentials,
} from '../../../../lib/stores/lifecycle/connect-store.ts';

const NOW_MS = Date.parse('2027-01-31T08:00:00Z');
const connecting = {
  domain: 'harbor.myshopify.com' as ShopDomain,
  app: { clientId: 'app-1', clientSecret: 'shpss_secret' },
};
type Answer = Awaited<ReturnType<PostForm>>;
const ok = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });

function platform(answer: Answer) {
  const connection: Readonly<Record<string, string>>[] = [];
  const postForm: PostForm = async (url, fields) => {
    connection.push({ url, ...fields });
    return answer;
  };
  return { requests: connection, postForm, platformOrigin: 'https://{shop}', now: () => NOW_MS };
}

async function byCode(answer: Answer, isExpiring = true) {
  const deps = platform(answer);
  const connection = {
    ...connecting,
    redirectUri: 'https://service.example/back',
    scopes: ['read_a', 'write_b'],
  };
  const { consent, address } = createConsentRequest(
    { ...deps, random: () => new Uint8Array(32).fill(7) },
    connection,
  );
  const query = new URLSearchParams({ code: 'code-1', shop: connection.domain, state: consent.state });
  query.append('hmac', createHmac('sha256', connection.app.clientSecret).update(`${query}`).digest('hex'));
  const grant = requestGrantByAuthorizationCode(deps, consent, {
    redirectedAddress: `${connection.redirectUri}?${query}`,
    isExpiring,
  });
  return { grant, address, requests: deps.requests };
}

test('client credentials give a grant that can be asked for again', async () => {
  const deps = platform(ok({ access_token: 'shpat_1', expires_in: 86_399, scope: 'read_a,write_b' }));
  expect(await requestGrantByClientCredentials(deps, connecting)).toEqual({
    accessToken: 'shpat_1',
    scopes: ['read_a', 'write_b'],
    expiresAt: '2027-02-01T07:59:59.000Z',
    renewedBy: 'client_credentials',
    ...connecting.app,
  });
  expect(deps.requests).toEqual([
    {
      url: 'https://harbor.myshopify.com/admin/oauth/access_token',
      client_id: 'app-1',
      client_secret: 'shpss_secret',
      grant_type: 'client_credentials',
    },
  ]);
});

test('the question names app, scopes, place and a state that nobody can guess, and no secret', async () => {
  const { address } = await byCode(ok({ access_token: 'shpat_1' }));
  const { origin, pathname, searchParams } = new URL(address);
  expect(`${origin}${pathname}`).toBe('https://harbor.myshopify.com/admin/oauth/authorize');
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'app-1',
    scope: 'read_a,write_b',
    redirect_uri: 'https://service.example/back',
    state: Buffer.alloc(32, 7).toString('base64url'),
  });
});

describe('a code', () => {
  test('gives a token that ends, with what renews it', async () => {
    const { grant, requests: connection } = await byCode(
      ok({ access_token: 'shpat_1', expires_in: 3600, refresh_token: 'shprt_1', scope: 'read_a,write_b' }),
    );
    expect(await grant).toEqual({
      accessToken: 'shpat_1',
      refreshToken: 'shprt_1',
      scopes: ['read_a', 'write_b'],
      expiresAt: '2027-01-31T09:00:00.000Z',
      ...connecting.app,
    });
    expect(connection[0]).toMatchObject({ code: 'code-1', expiring: '1' });
  });

  test('gives a token that does not end, and the secret is not kept with it', async () => {
    const { grant, requests: connection } = await byCode(
      ok({ access_token: 'shpat_1', scope: 'read_a' }),
      false,
    );
    expect(await grant).toEqual({ accessToken: 'shpat_1', scopes: ['read_a'] });
    expect(connection[0]).not.toHaveProperty('expiring');
  });

  test('for a token that ends without anything to renew it is refused', async () => {
    const { grant } = await byCode(ok({ access_token: 'shpat_1', expires_in: 3600 }));
    await expect(grant).rejects.toThrow(/ends at 2027-01-31T09:00:00.000Z, and there is nothing to renew it/);
  });
});

describe.each([
  ['client credentials', (answer: Answer) => requestGrantByClientCredentials(platform(answer), connecting)],
  ['a code', async (answer: Answer) => (await byCode(answer)).grant],
])('%s are told', (_what, connect) => {
  test.each<[string, Answer, RegExp]>([
    ['a wrong secret', { status: 401, body: '{"error":"invalid_client"}' }, /client secret/],
    ['the wrong form', { status: 400, body: '{"error":"shop_not_permitted"}' }, /--oauth/],
    ['a page', { status: 400, body: '<h1>shpss_secret</h1>' }, /status 400/],
    ['nothing', undefined, /Try again/],
    ['a failure', { status: 503, body: '' }, /Try again/],
    ['a token that no header can carry', ok({ access_token: 'a\r\nb' }), /Try again/],
    ['a token that is none', ok({ access_token: { a: 1 } }), /Try again/],
  ])('%s', async (_answer, answer, message) => {
    const refused = connect(answer);
    await expect(refused).rejects.toMatchObject({ name: 'StoreChangeRefused' });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('shpss_secret');
  });
});
