/** The operations of the document: what each route is for. What each answers stands in recorded/, as tests have seen it. */
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
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'Health',
    summary: 'Ask whether the service is there',
    about: 'HEAD is answered the same, without the body.',
    answer: 'Health',
  },
];
