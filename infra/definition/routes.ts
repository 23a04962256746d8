/**
 * The paths, and the function that each leads to. The API's construct and the local gateway read this list, so what is
 * tried on a machine is what is deployed. Methods are the functions' business: every route takes any.
 */
import type { RoutedFunctionName } from './function-definitions.ts';

export type Route = {
  /** API Gateway's notation: `{name}` stands for one segment. */
  readonly path: string;
  readonly function: RoutedFunctionName;
  /** False: the route is not there in production. */
  readonly productionToo: boolean;
};

export const routes: readonly Route[] = [
  { path: '/headless-auth/{step}', function: 'headless-auth', productionToo: true },
  { path: '/api/storefront/unstable/graphql.json', function: 'customer-graphql', productionToo: true },
  { path: '/api/admin/unstable/graphql.json', function: 'admin-graphql', productionToo: true },
  { path: '/admin-keys/claim/{linkId}', function: 'admin-graphql', productionToo: true },
  { path: '/api/admin/unstable/graphiql', function: 'admin-graphql', productionToo: false },
];

/** Answers every request that no route takes (`$default`). Throttled as its function, so it has a limit. */
export const defaultFunction = 'headless-auth' satisfies RoutedFunctionName;
