/**
 * The addresses, the function behind each, and how much of it API Gateway lets through. The API's construct and the
 * local gateway read this list, so what is tried on a machine is what is deployed.
 */
import { WEBHOOKS_PATH } from '../../lib/webhooks/in/registered-topics.ts';
import type { RoutedFunctionName } from './function-definitions.ts';

/** The throttles that a configuration sets; each route has a bucket of its own, filled by one of them. */
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
  /** A route with a method of its own wins over `ANY`. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'ANY';
  /** API Gateway's notation: `{name}` stands for one segment. */
  readonly path: string;
  readonly function: RoutedFunctionName;
  readonly throttle: ThrottleName;
  /** False: the route is not there in production. */
  readonly productionToo: boolean;
};

/** The path that tells whether the service is there. */
export const HEALTH_PATH = '/healthz';

const GRAPHQL = 'unstable/graphql.json';

/**
 * A route takes only what clients send there. Any other method, preflights among them, goes by another route or by
 * `$default`, so that a flood of it takes nothing of what clients have.
 */
export const routes: readonly Route[] = [
  ...signIn('POST', 'start', 'sign-in'),
  ...signIn('POST', 'exchange', 'sign-in'),
  ...signIn('POST', 'refresh', 'refresh'),
  ...signIn('DELETE', 'revoke', 'revoke'),
  ...signIn('POST', 'storefront-token', 'storefront-token'),
  ...graphql(`/api/storefront/${GRAPHQL}`, 'customer-graphql'),
  ...graphql(`/api/admin/${GRAPHQL}`, 'admin-graphql'),
  platformWebhooks('POST'),
  platformWebhooks('ANY'),
  ...health('GET'),
  ...health('HEAD'),
  ...claim('GET'),
  ...claim('HEAD'),
  ...claim('POST'),
  ...claim('ANY'),
  ...graphiql('GET'),
  ...graphiql('HEAD'),
  ...graphiql('ANY'),
];

/** Answers every request that no route takes (`$default`). */
export const defaultFunction = 'headless-auth' satisfies RoutedFunctionName;
export const defaultThrottle = 'other' satisfies ThrottleName;

/** The path of customers' exchange: its requests are the sign-ins. */
export const EXCHANGE_PATH = '/headless-auth/exchange';

/** API Gateway's name of a route. */
export function routeKeyOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The routes that an environment has. */
export function routesIn({ production }: { readonly production: boolean }): readonly Route[] {
  return routes.filter(({ productionToo }) => productionToo || !production);
}

/** `$default` answers the other methods of a step: it leads to the same function. */
function signIn(method: Route['method'], step: string, throttle: ThrottleName): Route[] {
  const path = `/headless-auth/${step}`;
  return [{ method, path, function: 'headless-auth', throttle, productionToo: true }];
}

/** As a sign-in step. */
function health(method: Route['method']): Route[] {
  return [{ method, path: HEALTH_PATH, function: 'headless-auth', throttle: 'health', productionToo: true }];
}

/** Other methods share the throttle of what clients seldom send. */
function platformWebhooks(method: 'POST' | 'ANY'): Route {
  const throttle = method === 'ANY' ? 'other' : 'platform-webhooks';
  const route = { method, path: WEBHOOKS_PATH, function: 'platform-webhooks', throttle } as const;
  return { ...route, productionToo: true };
}

function claim(method: Route['method']): Route[] {
  const path = '/admin-keys/claim/{linkId}';
  return [{ method, path, function: 'admin-graphql', throttle: 'other', productionToo: true }];
}

function graphiql(method: Route['method']): Route[] {
  const path = '/api/admin/unstable/graphiql';
  return [
    {
      method,
      path,
      function: 'admin-graphql',
      throttle: method === 'ANY' ? 'other' : 'graphiql',
      productionToo: false,
    },
  ];
}

function graphql(path: string, name: 'customer-graphql' | 'admin-graphql'): Route[] {
  const shared = { path, function: name, productionToo: true };
  return [
    { ...shared, method: 'POST', throttle: name },
    { ...shared, method: 'ANY', throttle: 'other' },
  ];
}
