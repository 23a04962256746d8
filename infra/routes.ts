/** Which function answers which path. Read by the CDK stack and by the local API Gateway alike. */

/** The functions that a route can reach; the scheduled one has none. */
export type RoutedFunction = 'headless-auth' | 'customer-graphql' | 'admin-graphql';

export type Route = {
  /** In API Gateway's form: `{name}` stands for one segment. Any method: the functions answer 405. */
  readonly path: string;
  readonly function: RoutedFunction;
  /** False: not in production. */
  readonly productionToo: boolean;
};

export const routes: readonly Route[] = [
  { path: '/headless-auth/{step}', function: 'headless-auth', productionToo: true },
  { path: '/api/storefront/unstable/graphql.json', function: 'customer-graphql', productionToo: true },
  { path: '/api/admin/unstable/graphql.json', function: 'admin-graphql', productionToo: true },
  { path: '/api/admin/unstable/graphiql', function: 'admin-graphql', productionToo: false },
];

/** Answers every path that no route names (`$default`). */
export const defaultFunction: RoutedFunction = 'headless-auth';
