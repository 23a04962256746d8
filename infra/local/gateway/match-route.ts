/** Finds the route of a request, as an HTTP API does: the most specific one, else `$default`. */
import type { RoutedFunctionName } from '../../definition/function-definitions.ts';
import { defaultFunction, type Route, routes } from '../../definition/routes.ts';

export type RouteMatch = {
  readonly function: RoutedFunctionName;
  /** `ANY /headless-auth/{step}` or `$default`. */
  readonly routeKey: string;
  /** The parameters by name, decoded; undefined if the route has none. */
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
};
/** The route of a path, decoded and without its query. */
export type MatchRoute = (path: string) => RouteMatch;

export type RouteTable = { readonly routes: readonly Route[]; readonly defaultFunction: RoutedFunctionName };
type Parsed = { readonly path: string; readonly function: RoutedFunctionName; readonly segments: string[] };

const shared: RouteTable = { routes, defaultFunction };

/** The matcher of a list of routes, by default the shared one. A parameter takes one segment, never an empty one. */
export function createRouteMatcher(table: RouteTable = shared): MatchRoute {
  const parsed = table.routes
    .map((route) => ({ ...route, segments: route.path.split('/') }))
    .sort((a, b) => (specificity(a.segments) < specificity(b.segments) ? -1 : 1));
  return (path) => {
    const segments = path.split('/');
    const route = parsed.find((candidate) => fits(candidate.segments, segments));
    if (route !== undefined) return toMatch(route, segments);
    return { function: table.defaultFunction, routeKey: '$default', pathParameters: undefined };
  };
}

/** Fixed segments win over parameters, from left to right. */
function specificity(segments: readonly string[]): string {
  return segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
}

function toMatch(route: Parsed, segments: readonly string[]): RouteMatch {
  const parameters = route.segments.flatMap((part, at) =>
    isParameter(part) ? [[part.slice(1, -1), segments[at] ?? '']] : [],
  );
  return {
    function: route.function,
    routeKey: `ANY ${route.path}`,
    pathParameters: parameters.length > 0 ? Object.fromEntries(parameters) : undefined,
  };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => (isParameter(part) ? segments[at] !== '' : part === segments[at]))
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
