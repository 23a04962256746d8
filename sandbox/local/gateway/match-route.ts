/** Finds the route of a request, as an HTTP API does: the most specific one, else `$default`. */

import { readEnvironmentConfig } from '../../../infra/definition/config.ts';
import type { RoutedFunctionName } from '../../../infra/definition/function-definitions.ts';
import {
  DEFAULT_FUNCTION,
  DEFAULT_THROTTLE,
  formatRouteKey,
  ROUTES,
  type Route,
} from '../../../infra/definition/routes.ts';
import type { ThrottleLimits } from './throttle.ts';

export type RouteMatch = {
  readonly function: RoutedFunctionName;
  /** `POST /headless-auth/start`, `ANY /admin-keys/claim/{linkId}` or `$default`. */
  readonly routeKey: string;
  /** The parameters by name, decoded; undefined if the route has none. */
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
  readonly throttle: ThrottleLimits | undefined;
};
/** Returns the route for a method and a path, which is decoded and has no query. */
export type MatchRoute = (method: string, path: string) => RouteMatch;

/** A configured route of the API, with the limits of its throttle. */
type ThrottledRoute = Pick<Route, 'method' | 'path' | 'function'> & { readonly throttle?: ThrottleLimits };
export type RouteTable = {
  readonly routes: readonly ThrottledRoute[];
  readonly defaultFunction: RoutedFunctionName;
  readonly defaultThrottle?: ThrottleLimits;
};
type RouteWithSegments = ThrottledRoute & { readonly segments: string[] };

/** Returns the deployed routes with production's throttles. */
function createProductionRouteTable(): RouteTable {
  const { throttling } = readEnvironmentConfig('prod').config;
  return {
    routes: ROUTES.map((route) => ({ ...route, throttle: throttling[route.throttle] })),
    defaultFunction: DEFAULT_FUNCTION,
    defaultThrottle: throttling[DEFAULT_THROTTLE],
  };
}

/**
 * Creates the matcher for a list of routes, by default the deployed ones. A parameter matches one segment that is not
 * empty. A route with the request's method takes precedence over `ANY`.
 */
export function createRouteMatcher(table: RouteTable = createProductionRouteTable()): MatchRoute {
  const parsedRoutes = table.routes
    .map((route) => ({ ...route, segments: route.path.split('/') }))
    .sort((a, b) => (createRouteSortKey(a) < createRouteSortKey(b) ? -1 : 1));
  return (method, path) => {
    const pathSegments = path.split('/');
    const route = parsedRoutes.find(
      (candidate) => acceptsMethod(candidate, method) && matchesSegments(candidate.segments, pathSegments),
    );
    if (route !== undefined) return toRouteMatch(route, pathSegments);
    return {
      function: table.defaultFunction,
      routeKey: '$default',
      pathParameters: undefined,
      throttle: table.defaultThrottle,
    };
  };
}

/** Fixed segments win over parameters, from left to right; then a method over any. */
function createRouteSortKey({ segments, method }: RouteWithSegments): string {
  return [...segments.map(isParameter), method === 'ANY'].map(Number).join('');
}

function acceptsMethod({ method }: RouteWithSegments, requestedMethod: string): boolean {
  return method === 'ANY' || method === requestedMethod;
}

function toRouteMatch(route: RouteWithSegments, pathSegments: readonly string[]): RouteMatch {
  const pathParameters = route.segments.flatMap((routeSegment, index) =>
    isParameter(routeSegment) ? [[routeSegment.slice(1, -1), pathSegments[index] ?? '']] : [],
  );
  return {
    function: route.function,
    routeKey: formatRouteKey(route),
    throttle: route.throttle,
    pathParameters: pathParameters.length > 0 ? Object.fromEntries(pathParameters) : undefined,
  };
}

function matchesSegments(routeSegments: readonly string[], pathSegments: readonly string[]): boolean {
  return (
    routeSegments.length === pathSegments.length &&
    routeSegments.every((routeSegment, index) =>
      isParameter(routeSegment) ? pathSegments[index] !== '' : routeSegment === pathSegments[index],
    )
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
