/** The request of every contender and the upstream's response: 10 contracts with 3 lines each. */

import { parseKeyRing } from '../../lib/credentials/key-ring.ts';
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import { createSessionId, createSessionSalt } from '../../lib/domain/session-id.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { accessTokenFormat } from '../../lib/domain/tokens/access-token.ts';
import { sessionKey } from '../../lib/storage/sessions/session-record.ts';
import { storeItemKey, storePartItemKey } from '../../lib/storage/stores.ts';

export const RING = { seed: 'a seed of the benchmark and of nothing else' };
export const GRANT = { accessToken: 'shpat_benchmark', scopes: [] };
const SHOP_ID = 81234567001 as ShopId;
const CUSTOMER_ID = 7001001 as CustomerId;
const FAR_MS = Date.parse('2126-01-01T00:00:00Z');
const zeros = (bytes: number) => new Uint8Array(bytes);

const { kid, ...signing } = parseKeyRing(RING).signingKey;
const ref = { shopId: SHOP_ID, customerId: CUSTOMER_ID, sessionId: createSessionId(zeros) };
const salt = createSessionSalt(zeros);

export const session = {
  ...sessionKey(ref),
  ...ref,
  salt,
  kid,
  createdAtMs: 1,
  generation: 1,
  mintedAtMs: 1,
  replaced: [],
  confirmedGeneration: 1,
  firstUsedAtMs: 1,
  lateRepeats: 0,
  status: 'active',
  idleExpiresAtMs: FAR_MS,
  absoluteExpiresAtMs: FAR_MS,
  linkState: 'none',
  linkClientId: 'client',
  linkStoredAtMs: 1,
  linkExpiresAtMs: 1,
  expiresAt: FAR_MS / 1000,
};
export const store = {
  ...storeItemKey(SHOP_ID),
  shopId: SHOP_ID,
  domain: 'harbor-coffee.myshopify.com',
  displayName: 'Harbor Coffee',
  storefrontUrl: 'https://harbor-coffee.example',
  status: 'installed',
  installedAtMs: 0,
};
export const grant = {
  ...storePartItemKey(SHOP_ID, 'grant'),
  shopId: SHOP_ID,
  platformVersionId: 'version-of-the-benchmark-00000000',
};

const TOKEN = accessTokenFormat.encode(
  { ...ref, salt, generation: 1, handOut: 0, expiresAtMs: FAR_MS },
  { kid, ...signing },
);

export const QUERY = `query Subscriptions($id: ID!) {
  customer(id: $id) {
    id
    subscriptionContracts(first: 10) {
      nodes {
        id
        status
        nextBillingDate
        currencyCode
        lines(first: 3) {
          nodes { id title quantity productId currentPrice { amount currencyCode } }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/** The event of the query, or of another by the same customer. */
export function eventOf(query: string) {
  const body = { query, variables: { id: `gid://platform/Customer/${CUSTOMER_ID}` } };
  return apiEvent({ path: '/api/storefront/unstable/graphql.json', token: TOKEN, body });
}

export type ApiRequest = { readonly path: string; readonly token?: string; readonly body: object };

/** An event of API Gateway (payload format 2.0). */
export function apiEvent({ path, token, body }: ApiRequest) {
  return {
    version: '2.0',
    routeKey: `ANY ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json',
      host: 'localhost',
    },
    isBase64Encoded: false,
    body: JSON.stringify(body),
    requestContext: {
      http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'bench' },
      requestId: 'request-of-the-benchmark',
      stage: '$default',
    },
  };
}

const list = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));

/** The platform's answer. */
export const PLATFORM_ANSWER = {
  data: {
    customer: {
      id: `gid://shopify/Customer/${CUSTOMER_ID}`,
      subscriptionContracts: {
        nodes: list(10, (contract) => ({
          id: `gid://shopify/SubscriptionContract/${contract + 1}`,
          status: 'ACTIVE',
          nextBillingDate: '2026-12-01T00:00:00Z',
          currencyCode: 'USD',
          lines: {
            nodes: list(3, (line) => ({
              id: `gid://shopify/SubscriptionLine/0000-${contract}-${line}`,
              title: 'House blend, whole beans',
              quantity: line + 1,
              productId: `gid://shopify/Product/${100 + line}`,
              currentPrice: { amount: '12.50', currencyCode: 'USD' },
            })),
          },
        })),
        pageInfo: { hasNextPage: false, endCursor: 'end' },
      },
    },
  },
  extensions: {
    cost: {
      requestedQueryCost: 22,
      actualQueryCost: 20,
      // Enough points that no request waits.
      throttleStatus: { maximumAvailable: 2e9, currentlyAvailable: 2e9, restoreRate: 1e8 },
    },
  },
};
