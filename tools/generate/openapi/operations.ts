/**
 * The operations of the document: what each route is for, which errors it answers, and an example. The tests that play the
 * handlers hold every answer against the document (tests/functions/documented-answers.ts).
 */
import type { ErrorCode } from '../../../lib/errors/catalogue.ts';
import type { BodyName } from './body-schemas.ts';

export type Operation = {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly about: string;
  readonly request?: BodyName;
  readonly answer: BodyName;
  /** The errors that come with their own status. */
  readonly errors: readonly ErrorCode[];
  /** The errors of a GraphQL answer, which come with 200. */
  readonly errorsWith200?: readonly ErrorCode[];
  readonly example: { readonly request?: object; readonly answer: object };
  readonly security?: keyof typeof securitySchemes;
  readonly parameters?: readonly object[];
};

export const tags = {
  'Sign-in': 'A customer’s app signs in and stays signed in: docs/mobile.md.',
  GraphQL: 'Both endpoints speak GraphQL over HTTP. Their schemas: graphql/schema/generated.',
  'One-time links': 'What the page of a link sends. People open links, programs do not.',
  Health: 'For whoever watches the service from outside.',
} as const;

export const securitySchemes = {
  customer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `accessToken` of `/exchange` or `/refresh`. It lasts an hour.',
  },
  adminKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An admin key, `SVC_AT_…`. For servers: never in an app or on a page.',
  },
} as const;

const ACTING_CUSTOMER = {
  name: 'X-Platform-Customer-GID',
  in: 'header',
  required: false,
  description: 'The customer that the key acts for: then it reaches that customer’s data alone.',
  schema: { type: 'string', pattern: '^gid://[a-z]+/Customer/[1-9][0-9]*$' },
  example: 'gid://platform/Customer/7001001',
};
const LINK = {
  name: 'linkId',
  in: 'path',
  required: true,
  description: 'The id of the link, as its address has it.',
  schema: { type: 'string' },
};

const SHOP = 'harbor-coffee.myshopify.com';
const REFRESH_TOKEN = 'SVC_RT_made-up-refresh-token';
const TOKENS = {
  accessToken: 'SVC_CT_made-up-access-token',
  refreshToken: REFRESH_TOKEN,
  customerId: 7001001,
  expiresAt: '2026-07-01T10:00:00.000Z',
};
const CONTRACT = 'gid://platform/SubscriptionContract/9101001';
const QUERY = { query: `{ subscriptionContract(id: "${CONTRACT}") { id status nextBillingDate } }` };
const DATA = {
  subscriptionContract: { id: CONTRACT, status: 'ACTIVE', nextBillingDate: '2026-11-25T08:00:00Z' },
};

const EVERY_ROUTE = ['NOT_FROM_EDGE', 'METHOD_NOT_ALLOWED', 'THROTTLED', 'INTERNAL_ERROR'] as const;
const WITH_BODY = [...EVERY_ROUTE, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
const SIGN_IN = [
  ...WITH_BODY,
  ...([
    'INVALID_JSON',
    'MISSING_SHOP',
    'INVALID_SHOP',
    'SHOP_NOT_INSTALLED',
    'TEMPORARILY_UNAVAILABLE',
  ] as const),
] as const;
const WITH_TOKEN = [...SIGN_IN, 'MISSING_PARAMETERS', 'INVALID_REFRESH_TOKEN', 'TOKEN_NOT_FOUND'] as const;
const GRAPHQL = [
  ...WITH_BODY,
  ...(['INVALID_JSON', 'GRAPHQL_PARSE_FAILED', 'UNAUTHENTICATED', 'PLATFORM_UNAVAILABLE'] as const),
  ...(['STORE_DISCONNECTED', 'TEMPORARILY_UNAVAILABLE'] as const),
] as const;
const GRAPHQL_200 = [
  ...(['FORBIDDEN', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_COMPLEX'] as const),
  ...(['IDEMPOTENCY_CONCURRENT_REQUEST', 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH'] as const),
  ...(['OUTCOME_UNKNOWN', 'PLATFORM_UNAVAILABLE'] as const),
] as const;

export const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/headless-auth/start',
    id: 'start',
    tag: 'Sign-in',
    summary: 'Start a sign-in',
    about: 'Open `authUrl` in the system’s browser, and keep `verifier`, `nonce` and `state`.',
    request: 'StartRequest',
    answer: 'StartedSignIn',
    errors: [...SIGN_IN, 'MISSING_PARAMETERS', 'CLIENT_ID_NOT_CONFIGURED'],
    example: {
      request: { shop: SHOP },
      answer: {
        authUrl:
          'https://accounts.example/oauth/authorize?client_id=client-1&response_type=code&state=made-up-state&nonce=made-up&code_challenge=made-up&code_challenge_method=S256',
        verifier: 'made-up-verifier',
        nonce: 'made-up-nonce',
        state: 'made-up-state',
        redirectUri: 'shop.81234567001.app://callback',
      },
    },
  },
  {
    method: 'post',
    path: '/headless-auth/exchange',
    id: 'exchange',
    tag: 'Sign-in',
    summary: 'Exchange the code for tokens',
    about: 'If the answer is lost, the same request gives the same tokens until they are used.',
    request: 'ExchangeRequest',
    answer: 'Tokens',
    errors: [
      ...SIGN_IN,
      ...(['MISSING_PARAMETERS', 'INVALID_NONCE', 'SIGN_IN_REJECTED', 'CLIENT_ID_NOT_CONFIGURED'] as const),
    ],
    example: {
      request: { shop: SHOP, code: 'made-up-code', verifier: 'made-up-verifier', nonce: 'made-up-nonce' },
      answer: TOKENS,
    },
  },
  {
    method: 'post',
    path: '/headless-auth/refresh',
    id: 'refresh',
    tag: 'Sign-in',
    summary: 'Get the next pair of tokens',
    about:
      'One at a time, with the newest stored token. If the answer is lost, send the same request again. Only `INVALID_REFRESH_TOKEN` and `TOKEN_NOT_FOUND` end a sign-in.',
    request: 'TokenRequest',
    answer: 'Tokens',
    errors: WITH_TOKEN,
    example: {
      request: { shop: SHOP, customerId: 7001001, refreshToken: REFRESH_TOKEN },
      answer: TOKENS,
    },
  },
  {
    method: 'delete',
    path: '/headless-auth/revoke',
    id: 'revoke',
    tag: 'Sign-in',
    summary: 'Sign out',
    about: 'Delete the tokens first, then tell the service until it has heard it.',
    request: 'TokenRequest',
    answer: 'Revoked',
    errors: WITH_TOKEN,
    example: {
      request: { shop: SHOP, customerId: 7001001, refreshToken: REFRESH_TOKEN },
      answer: { revoked: true },
    },
  },
  {
    method: 'post',
    path: '/headless-auth/storefront-token',
    id: 'storefrontToken',
    tag: 'Sign-in',
    summary: 'Get the store’s token for public catalogue data',
    about: 'The same for everybody. Nobody has to be signed in.',
    request: 'StorefrontTokenRequest',
    answer: 'StorefrontToken',
    errors: [...SIGN_IN, 'STOREFRONT_TOKEN_UNAVAILABLE'],
    example: {
      request: { shop: SHOP },
      answer: { storefrontAccessToken: 'made-up-storefront-token', shop: SHOP },
    },
  },
  {
    method: 'post',
    path: '/api/storefront/unstable/graphql.json',
    id: 'customerGraphql',
    tag: 'GraphQL',
    summary: 'Ask as a customer',
    about: 'The schema is graphql/schema/generated/customer.graphql. A document holds one mutation at most.',
    request: 'GraphqlRequest',
    answer: 'GraphqlAnswer',
    security: 'customer',
    errors: [...GRAPHQL, 'STORE_ACCESS_MISSING'],
    errorsWith200: [...GRAPHQL_200, 'FIELD_NOT_AVAILABLE'],
    example: { request: QUERY, answer: { data: DATA } },
  },
  {
    method: 'post',
    path: '/api/admin/unstable/graphql.json',
    id: 'adminGraphql',
    tag: 'GraphQL',
    summary: 'Ask as a merchant’s server',
    about: 'The schema is graphql/schema/generated/admin.graphql.',
    request: 'GraphqlRequest',
    answer: 'GraphqlAnswer',
    security: 'adminKey',
    parameters: [ACTING_CUSTOMER],
    errors: [...GRAPHQL, 'INVALID_CUSTOMER_GID'],
    errorsWith200: [
      ...GRAPHQL_200,
      ...(['CUSTOMER_REQUIRED', 'KEY_SCOPE_MISSING', 'NOT_RUN', 'STORE_ACCESS_MISSING'] as const),
    ],
    example: {
      request: QUERY,
      answer: {
        data: DATA,
        extensions: {
          cost: {
            requestedQueryCost: 1,
            actualQueryCost: 1,
            throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1999, restoreRate: 100 },
          },
        },
      },
    },
  },
  {
    method: 'post',
    path: '/admin-keys/claim/{linkId}',
    id: 'claimKey',
    tag: 'One-time links',
    summary: 'Open a link',
    about: 'The page of the link sends it. The key comes sealed; what opens it never leaves the page.',
    request: 'ClaimRequest',
    answer: 'OpenedKey',
    parameters: [LINK],
    errors: [
      ...WITH_BODY,
      ...(['MISSING_PARAMETERS', 'INVALID_SHOP', 'WRONG_STORE_DOMAIN', 'NOT_FOUND', 'LINK_GONE'] as const),
    ],
    example: {
      request: { proof: 'A'.repeat(43), claimId: 'A'.repeat(22), domain: SHOP },
      answer: { sealedKey: 'made-up-sealed-key', keyId: 'made-up-key-id', label: 'Back office' },
    },
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'Health',
    summary: 'Ask whether the service is there',
    about: 'HEAD is answered the same, without the body.',
    answer: 'Health',
    errors: EVERY_ROUTE,
    example: { answer: { status: 'ok', version: '1.2.3' } },
  },
];
