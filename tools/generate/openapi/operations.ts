/**
 * The operations of the document: the purpose of each route, its errors, and an example. The tests of the handlers compare
 * every response with the document (tests/functions/documented-answers.ts).
 */
import { catalogue, type ErrorCode } from '../../../lib/errors/catalogue.ts';
import type { BodyName } from './bodies.ts';

export type Operation = {
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly about: string;
  /** The names of the request body and of the response body. */
  readonly bodies: readonly [request: BodyName | undefined, response: BodyName];
  /** The errors that have their own status. */
  readonly errors: readonly ErrorCode[];
  /** The errors of a GraphQL response, which has the status 200. */
  readonly errorsWith200?: readonly ErrorCode[];
  readonly examples: readonly [request: object | undefined, response: object];
  readonly security?: keyof typeof securitySchemes;
  readonly parameters?: readonly object[];
};

export const tags = {
  'Sign-in': 'A customer’s app signs in and stays signed in: docs/mobile.md.',
  GraphQL: 'Both endpoints speak GraphQL over HTTP. Their schemas: graphql/schema/generated.',
  'One-time links': 'What the page of a link sends. People open links, programs do not.',
  Health: 'For whoever watches the service from outside.',
} as const;

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
export const securitySchemes = {
  customer: bearer('The `accessToken` of `/exchange` or `/refresh`. It lasts an hour.'),
  adminKey: bearer('An admin key, `SVC_AT_…`. For servers: never in an app or on a page.'),
} as const;

const ACTING_CUSTOMER = {
  ...{ name: 'X-Platform-Customer-GID', in: 'header', required: false },
  description: 'The customer that the key acts for: then it reaches that customer’s data alone.',
  schema: { type: 'string', pattern: '^gid://[a-z]+/Customer/[1-9][0-9]*$' },
  example: 'gid://platform/Customer/7001001',
};
const LINK = {
  ...{ name: 'linkId', in: 'path', required: true },
  description: 'The id of the link, as its address has it.',
  schema: { type: 'string' },
};

/** Splits a list of codes. @throws Error for a code that the catalogue lacks. */
function codes(text: string): ErrorCode[] {
  const isCode = (code: string): code is ErrorCode => code in catalogue;
  return text.split(' ').map((code) => {
    if (isCode(code)) return code;
    throw new Error(`${code} is no code of lib/errors/catalogue.ts.`);
  });
}

const EVERY_ROUTE = 'NOT_FROM_EDGE METHOD_NOT_ALLOWED THROTTLED INTERNAL_ERROR';
const WITH_BODY = `${EVERY_ROUTE} PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE`;
const SIGN_IN = `${WITH_BODY} INVALID_JSON MISSING_SHOP INVALID_SHOP SHOP_NOT_INSTALLED TEMPORARILY_UNAVAILABLE`;
const WITH_TOKEN = codes(`${SIGN_IN} MISSING_PARAMETERS INVALID_REFRESH_TOKEN TOKEN_NOT_FOUND`);
const GRAPHQL = `${WITH_BODY} INVALID_JSON GRAPHQL_PARSE_FAILED UNAUTHENTICATED PLATFORM_UNAVAILABLE STORE_DISCONNECTED TEMPORARILY_UNAVAILABLE`;
const GRAPHQL_200 =
  'FORBIDDEN GRAPHQL_PARSE_FAILED GRAPHQL_VALIDATION_FAILED QUERY_TOO_COMPLEX IDEMPOTENCY_CONCURRENT_REQUEST IDEMPOTENCY_KEY_PARAMETER_MISMATCH OUTCOME_UNKNOWN PLATFORM_UNAVAILABLE';

const SHOP = 'harbor-coffee.myshopify.com';
const [ACCESS_TOKEN, REFRESH_TOKEN] = ['SVC_CT_made-up-access-token', 'SVC_RT_made-up-refresh-token'];
const TOKEN_REQUEST = { shop: SHOP, customerId: 7001001, refreshToken: REFRESH_TOKEN };
const TOKENS = {
  ...{ accessToken: ACCESS_TOKEN, refreshToken: REFRESH_TOKEN, customerId: 7001001 },
  expiresAt: '2026-07-01T10:00:00.000Z',
};
const CONTRACT = 'gid://platform/SubscriptionContract/9101001';
const QUERY = { query: `{ subscriptionContract(id: "${CONTRACT}") { id status nextBillingDate } }` };
const DATA = {
  subscriptionContract: { id: CONTRACT, status: 'ACTIVE', nextBillingDate: '2026-11-25T08:00:00Z' },
};
const throttleStatus = { maximumAvailable: 2000, currentlyAvailable: 1999, restoreRate: 100 };
const COST = { requestedQueryCost: 1, actualQueryCost: 1, throttleStatus };

/** By method and path. */
export const operations: Readonly<Record<string, Operation>> = {
  'POST /headless-auth/start': {
    ...{ id: 'start', tag: 'Sign-in', summary: 'Start a sign-in' },
    about: 'Open `authUrl` in the system’s browser, and keep `verifier`, `nonce` and `state`.',
    bodies: ['StartRequest', 'StartedSignIn'],
    errors: codes(`${SIGN_IN} MISSING_PARAMETERS CLIENT_ID_NOT_CONFIGURED`),
    examples: [
      { shop: SHOP },
      {
        authUrl:
          'https://accounts.example/oauth/authorize?client_id=client-1&response_type=code&state=made-up-state&nonce=made-up&code_challenge=made-up&code_challenge_method=S256',
        ...{ verifier: 'made-up-verifier', nonce: 'made-up-nonce', state: 'made-up-state' },
        redirectUri: 'shop.81234567001.app://callback',
      },
    ],
  },
  'POST /headless-auth/exchange': {
    ...{ id: 'exchange', tag: 'Sign-in', summary: 'Exchange the code for tokens' },
    about: 'If the answer is lost, the same request gives the same tokens until they are used.',
    bodies: ['ExchangeRequest', 'Tokens'],
    errors: codes(`${SIGN_IN} MISSING_PARAMETERS INVALID_NONCE SIGN_IN_REJECTED CLIENT_ID_NOT_CONFIGURED`),
    examples: [
      { shop: SHOP, code: 'made-up-code', verifier: 'made-up-verifier', nonce: 'made-up-nonce' },
      TOKENS,
    ],
  },
  'POST /headless-auth/refresh': {
    ...{ id: 'refresh', tag: 'Sign-in', summary: 'Get the next pair of tokens' },
    about:
      'One at a time, with the newest stored token. If the answer is lost, send the same request again. Only `INVALID_REFRESH_TOKEN` and `TOKEN_NOT_FOUND` end a sign-in.',
    bodies: ['TokenRequest', 'Tokens'],
    errors: WITH_TOKEN,
    examples: [TOKEN_REQUEST, TOKENS],
  },
  'DELETE /headless-auth/revoke': {
    ...{ id: 'revoke', tag: 'Sign-in', summary: 'Sign out' },
    about: 'Delete the tokens first, then tell the service until it has heard it.',
    bodies: ['TokenRequest', 'Revoked'],
    errors: WITH_TOKEN,
    examples: [TOKEN_REQUEST, { revoked: true }],
  },
  'POST /headless-auth/storefront-token': {
    ...{ id: 'storefrontToken', tag: 'Sign-in', summary: 'Get the store’s token for public catalogue data' },
    about: 'The same for everybody. Nobody has to be signed in.',
    bodies: ['StorefrontTokenRequest', 'StorefrontToken'],
    errors: codes(`${SIGN_IN} STOREFRONT_TOKEN_UNAVAILABLE`),
    examples: [{ shop: SHOP }, { storefrontAccessToken: 'made-up-storefront-token', shop: SHOP }],
  },
  'POST /api/storefront/unstable/graphql.json': {
    ...{ id: 'customerGraphql', tag: 'GraphQL', summary: 'Ask as a customer', security: 'customer' },
    about: 'The schema is graphql/schema/generated/customer.graphql. A document holds one mutation at most.',
    bodies: ['GraphqlRequest', 'GraphqlAnswer'],
    errors: codes(`${GRAPHQL} STORE_ACCESS_MISSING`),
    errorsWith200: codes(`${GRAPHQL_200} FIELD_NOT_AVAILABLE`),
    examples: [QUERY, { data: DATA }],
  },
  'POST /api/admin/unstable/graphql.json': {
    ...{ id: 'adminGraphql', tag: 'GraphQL', summary: 'Ask as a merchant’s server', security: 'adminKey' },
    about: 'The schema is graphql/schema/generated/admin.graphql.',
    bodies: ['GraphqlRequest', 'GraphqlAnswer'],
    parameters: [ACTING_CUSTOMER],
    errors: codes(`${GRAPHQL} INVALID_CUSTOMER_GID`),
    errorsWith200: codes(`${GRAPHQL_200} CUSTOMER_REQUIRED KEY_SCOPE_MISSING NOT_RUN STORE_ACCESS_MISSING`),
    examples: [QUERY, { data: DATA, extensions: { cost: COST } }],
  },
  'POST /admin-keys/claim/{linkId}': {
    ...{ id: 'claimKey', tag: 'One-time links', summary: 'Open a link', parameters: [LINK] },
    about: 'The page of the link sends it. The key comes sealed; what opens it never leaves the page.',
    bodies: ['ClaimRequest', 'OpenedKey'],
    errors: codes(`${WITH_BODY} MISSING_PARAMETERS INVALID_SHOP WRONG_STORE_DOMAIN NOT_FOUND LINK_GONE`),
    examples: [
      { proof: 'A'.repeat(43), claimId: 'A'.repeat(22), domain: SHOP },
      { sealedKey: 'made-up-sealed-key', keyId: 'made-up-key-id', label: 'Back office' },
    ],
  },
  'GET /healthz': {
    ...{ id: 'health', tag: 'Health', summary: 'Ask whether the service is there' },
    about: 'HEAD is answered the same, without the body.',
    bodies: [undefined, 'Health'],
    errors: codes(EVERY_ROUTE),
    examples: [undefined, { status: 'ok', version: '1.2.3' }],
  },
};
