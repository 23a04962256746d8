import { expect, test } from '@jest/globals';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { TransportError } from '../../../../lib/platform/send-request.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { checkNewCredentials } from '../../../../lib/stores/lifecycle/check-new-credentials.ts';
import { SIGN_IN, storeFacts } from '../world/world.ts';

const shop = { shopId: 81000000001 as ShopId, domain: 'harbor.myshopify.com' as ShopDomain };
const store = { ...storeFacts(shop), signIn: SIGN_IN, status: 'installed' } as unknown as StoreRecord;
const grant = { accessToken: 'shpat_secret', scopes: [] };
const OWN = { status: 200, body: '{"data":{"shop":{"id":"gid://shopify/Shop/81000000001"}}}' };

type Answer = { readonly status: number; readonly body: string };

/** A platform whose Admin API answers so, or not at all, and whose sign-in answers so to the browser and the client. */
function platform(admin: Answer | 'down', signIn: { GET: number; POST?: string } | 'down' = 'down') {
  const requests: string[] = [];
  return {
    requests,
    platformOrigin: 'https://{shop}',
    platformApiVersion: '2026-07',
    sendAdminRequest: async ({ url }: { url: URL }) => {
      requests.push(url.host);
      if (admin === 'down') throw new TransportError('Admin API', 'timeout', true);
      return { ...admin, retryAfter: undefined };
    },
    send: async ({ method }: { method: 'GET' | 'POST' }) => {
      requests.push(`sign-in ${method}`);
      if (signIn === 'down') throw new Error('unreachable');
      return { status: method === 'GET' ? signIn.GET : 400, headers: {}, body: signIn.POST ?? '' };
    },
  };
}

test.each([
  ['nobody answers', 'down', 'Try again'],
  ['401', { status: 401, body: '' }, 'refuses this grant'],
  ['402, a frozen store', { status: 402, body: '' }, 'refuses this grant'],
  ['404', { status: 404, body: '' }, 'refuses this grant'],
  ['429', { status: 429, body: '' }, 'Try again'],
  ['503', { status: 503, body: '' }, 'Try again'],
  ['an answer that is no JSON', { status: 200, body: '<html>' }, 'Try again'],
  ['no shop', { status: 200, body: '{"data":{"shop":null}}' }, 'Try again'],
  [
    'a shop without an id',
    { status: 200, body: '{"data":{"shop":{"id":"gid://shopify/Shop/x"}}}' },
    'Try again',
  ],
  [
    'another shop',
    { status: 200, body: '{"data":{"shop":{"id":"gid://shopify/Shop/81000000002"}}}' },
    'This grant is of another shop (81000000002), not of harbor.myshopify.com (81000000001).',
  ],
] as const)('a grant that the platform answers with %s is refused', async (_what, admin, message) => {
  const refused = checkNewCredentials(platform(admin), store, { grant, clientId: undefined });
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.not.toThrow('shpat_secret');
  await expect(refused).rejects.toMatchObject({ name: 'StoreChangeRefused' });
});

test.each([
  ['does not know', { GET: 400, POST: '{"error":"invalid_client"}' }, 'does not know it'],
  ['knows without the redirect URI', { GET: 400, POST: '{"error":"invalid_grant"}' }, 'is not registered'],
  ['refuses without a word', { GET: 400 }, 'or this redirect URI'],
  ['answers with 503', { GET: 503 }, 'Try again'],
  ['leaves unanswered', 'down', 'Try again'],
] as const)('a new client id that the sign-in %s is refused', async (_what, signIn, message) => {
  const refused = checkNewCredentials(platform(OWN, signIn), store, { grant: undefined, clientId: 'other' });
  await expect(refused).rejects.toThrow(message);
});

test('accepts what the platform accepts', async () => {
  const deps = platform(OWN, { GET: 302 });
  await checkNewCredentials(deps, store, { grant, clientId: 'other' });
  expect(deps.requests).toEqual([shop.domain, 'sign-in GET']);
});

test('does not check the present client id, so that a new grant is accepted while the sign-in is down', async () => {
  const deps = platform(OWN);
  await checkNewCredentials(deps, store, { grant, clientId: store.clientId });
  expect(deps.requests).toEqual([shop.domain]);
});

test('sends no request for a store that is not installed', async () => {
  const deps = platform(OWN);
  const uninstalled = { ...store, status: 'uninstalled' } as StoreRecord;
  await expect(checkNewCredentials(deps, uninstalled, { grant, clientId: 'other' })).rejects.toMatchObject({
    code: 'SHOP_NOT_INSTALLED',
  });
  expect(deps.requests).toEqual([]);
});
