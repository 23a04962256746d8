/**
 * The addresses, the function of each, and its throttle at API Gateway. The API's construct and the local gateway share
 * this list, so a local test covers the deployed routes.
 */
import { PLATFORM_WEBHOOKS_PATH } from '../../lib/webhooks/in/webhook-registration.ts';
import type { RoutedFunctionName } from './function-definitions.ts';

/** The throttles that a configuration sets. Each route has its own bucket with the limits of one throttle. */
export type ThrottleName =
  | 'sign-in'
  | 'refresh'
  | 'revoke'
  | 'storefront-token'
  | 'customer-graphql'
  | 'admin-graphql'
  | 'platform-webhooks'
  | 'health'
  | 'graphiql'
  | 'other';

export type Route = {
  /** A route with its own method takes precedence over `ANY`. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'ANY';
  /** In API Gateway's notation: `{name}` matches one segment. */
  readonly path: string;
  readonly function: RoutedFunctionName;
  readonly throttle: ThrottleName;
  /** Whether the route also exists in production. */
  readonly isInProduction: boolean;
};

/** The path of the health check. */
export const HEALTH_PATH = '/healthz';

const GRAPHQL_PATH_SUFFIX = 'unstable/graphql.json';

/**
 * A route accepts only the methods that clients send there. Other methods, including preflights, use another route or
 * `$default`, so that a flood of them does not consume the clients' limit.
 */
export const ROUTES: readonly Route[] = [
  ...createSignInRoute('POST', 'start', 'sign-in'),
  ...createSignInRoute('POST', 'exchange', 'sign-in'),
  ...createSignInRoute('POST', 'refresh', 'refresh'),
  ...createSignInRoute('DELETE', 'revoke', 'revoke'),
  ...createSignInRoute('POST', 'storefront-token', 'storefront-token'),
  ...createGraphqlRoutes(`/api/storefront/${GRAPHQL_PATH_SUFFIX}`, 'customer-graphql'),
  ...createGraphqlRoutes(`/api/admin/${GRAPHQL_PATH_SUFFIX}`, 'admin-graphql'),
  createPlatformWebhooksRoute('POST'),
  createPlatformWebhooksRoute('ANY'),
  ...createHealthRoute('GET'),
  ...createHealthRoute('HEAD'),
  ...createClaimRoute('GET'),
  ...createClaimRoute('HEAD'),
  ...createClaimRoute('POST'),
  ...createClaimRoute('ANY'),
  ...createGraphiqlRoute('GET'),
  ...createGraphiqlRoute('HEAD'),
  ...createGraphiqlRoute('ANY'),
];

/**
 * The function of `$default`, which gets every request without a route. It responds 405 on a path of its own with another
 * method, and 404 on all other paths.
 */
export const DEFAULT_FUNCTION = 'headless-auth' satisfies RoutedFunctionName;
export const DEFAULT_THROTTLE = 'other' satisfies ThrottleName;

/** The path of customers' code exchange: one request for each sign-in. */
export const EXCHANGE_PATH = '/headless-auth/exchange';

/** Returns API Gateway's name of a route. */
export function formatRouteKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Returns the routes of an environment: production has only those with `isInProduction`. */
export function listEnvironmentRoutes({ production }: { readonly production: boolean }): readonly Route[] {
  return ROUTES.filter(({ isInProduction }) => isInProduction || !production);
}

/** Creates a route of a sign-in step. `$default` handles the step's other methods in the same function. */
function createSignInRoute(method: Route['method'], step: string, throttle: ThrottleName): Route[] {
  const path = `/headless-auth/${step}`;
  return [{ method, path, function: 'headless-auth', throttle, isInProduction: true }];
}

/** Creates a health route in the function that also handles `$default`. */
function createHealthRoute(method: Route['method']): Route[] {
  return [{ method, path: HEALTH_PATH, function: 'headless-auth', throttle: 'health', isInProduction: true }];
}

/** Creates a route for the platform's webhooks. Methods other than POST share the throttle of rare requests. */
function createPlatformWebhooksRoute(method: 'POST' | 'ANY'): Route {
  const throttle = method === 'ANY' ? 'other' : 'platform-webhooks';
  const route = { method, path: PLATFORM_WEBHOOKS_PATH, function: 'platform-webhooks', throttle } as const;
  return { ...route, isInProduction: true };
}

function createClaimRoute(method: Route['method']): Route[] {
  const path = '/admin-keys/claim/{linkId}';
  return [{ method, path, function: 'admin-graphql', throttle: 'other', isInProduction: true }];
}

function createGraphiqlRoute(method: Route['method']): Route[] {
  const path = '/api/admin/unstable/graphiql';
  return [
    {
      method,
      path,
      function: 'admin-graphql',
      throttle: method === 'ANY' ? 'other' : 'graphiql',
      isInProduction: false,
    },
  ];
}

function createGraphqlRoutes(path: string, name: 'customer-graphql' | 'admin-graphql'): Route[] {
  const sharedFields = { path, function: name, isInProduction: true };
  return [
    { ...sharedFields, method: 'POST', throttle: name },
    { ...sharedFields, method: 'ANY', throttle: 'other' },
  ];
}
