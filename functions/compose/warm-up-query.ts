/** The warm-up query of an endpoint, and an invented response of the platform to it. The store does not exist. */
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import type { SessionId } from '../../lib/domain/session-id.ts';
import type { ShopDomain } from '../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { UTC } from '../../lib/domain/time-zone.ts';
import type { AdminKeyId } from '../../lib/domain/tokens/admin-key.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';

const WARM_UP_SHOP_ID = 0 as ShopId;
const WARM_UP_CUSTOMER_ID = 1 as CustomerId;

/** The ids of a session that does not exist. Reading it opens the connection to the table. */
export const warmUpSessionRef = {
  shopId: WARM_UP_SHOP_ID,
  customerId: WARM_UP_CUSTOMER_ID,
  sessionId: '' as SessionId,
};

const warmUpStore: StoreRecord = {
  shopId: WARM_UP_SHOP_ID,
  domain: 'nowhere.myshopify.com' as ShopDomain,
  storefrontUrl: 'https://nowhere.example',
  displayName: 'Nowhere',
  portalPageId: undefined,
  clientId: undefined,
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
  timeZone: UTC,
};

export const warmUpCustomer = {
  kind: 'customer',
  shopId: WARM_UP_SHOP_ID,
  customerId: WARM_UP_CUSTOMER_ID,
  session: { sessionId: warmUpSessionRef.sessionId, generation: 1 },
  store: warmUpStore,
} as const;

export const warmUpServer = {
  kind: 'store',
  shopId: WARM_UP_SHOP_ID,
  keyId: 'nobody' as AdminKeyId,
  keyLabel: '',
  scopes: ['READ'],
  store: warmUpStore,
} as const;

const WARM_UP_QUERY = `query WarmUp($id: ID!, $first: Int = 2) {
  customer(id: $id) {
    id
    subscriptionContracts(first: $first) {
      nodes {
        id status nextBillingDate currencyCode
        lines(first: 2) { nodes { id title quantity currentPrice { amount currencyCode } } pageInfo { hasNextPage } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/** Returns the query as an event of API Gateway (payload format 2.0) for the endpoint's path. */
export function buildWarmUpEvent(path: string, gidNamespace: string) {
  const variables = { id: `gid://${gidNamespace}/Customer/${WARM_UP_CUSTOMER_ID}` };
  return {
    version: '2.0',
    routeKey: `ANY ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: { authorization: 'Bearer none', 'content-type': 'application/json', accept: 'application/json' },
    isBase64Encoded: false,
    body: JSON.stringify({ query: WARM_UP_QUERY, variables }),
    requestContext: { http: { method: 'POST', path, userAgent: '' }, requestId: 'init' },
  };
}

/** Returns the invented response of the platform as JSON text. */
export function buildWarmUpResponse(platformGidNamespace: string): string {
  const gid = (type: string, id: number) => `gid://${platformGidNamespace}/${type}/${id}`;
  const warmUpLine = { id: gid('SubscriptionLine', 1), title: 'Nothing', quantity: 1 };
  const price = { amount: '1.0', currencyCode: 'USD' };
  const contract = {
    id: gid('SubscriptionContract', 1),
    status: 'ACTIVE',
    nextBillingDate: '2026-01-01T00:00:00Z',
    currencyCode: 'USD',
    lines: { nodes: [{ ...warmUpLine, currentPrice: price }], pageInfo: { hasNextPage: false } },
  };
  const pageInfo = { hasNextPage: false, endCursor: 'end' };
  const throttleStatus = { maximumAvailable: 2000, currentlyAvailable: 2000, restoreRate: 100 };
  return JSON.stringify({
    data: {
      customer: {
        id: gid('Customer', WARM_UP_CUSTOMER_ID),
        subscriptionContracts: { nodes: [contract], pageInfo },
      },
    },
    extensions: { cost: { requestedQueryCost: 10, actualQueryCost: 10, throttleStatus } },
  });
}
