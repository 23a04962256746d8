/** What the log line holds of a request's address and method: clients write what they like into both. */
import type { HttpEvent } from './exchange.ts';

/** The first segments of the service's paths. */
const FIRST_SEGMENTS = new Set(['admin-keys', 'api', 'headless-auth']);
/** RFC 9110, section 9.3, and PATCH. */
const METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);
const DEFAULT_ROUTE = '$default';
const ANY = 'ANY ';
const LEFT_OUT = '…';

/** The route as API Gateway knows it; clients cannot make up new ones. */
export function routeOf({ routeKey = DEFAULT_ROUTE }: Pick<HttpEvent, 'routeKey'>): string {
  return routeKey.startsWith(ANY) ? routeKey.slice(ANY.length) : routeKey;
}

/** The step of a sign-in, from the route's path; undefined on other routes and for unknown steps. */
export function stepOf({ exchange, pathParameters }: HttpEvent): string | undefined {
  return exchange.logFields.errorCode === 'NOT_FOUND' ? undefined : pathParameters?.step;
}

/** The path of the route, with the step of a sign-in. Where there is no route: the first segment, if it is ours. */
export function pathOf(event: HttpEvent): string {
  const route = routeOf(event);
  if (route === DEFAULT_ROUTE) return firstSegmentOf(event.exchange.request.path);
  return route.replace('{step}', stepOf(event) ?? LEFT_OUT).replace(/\{\w+\}/, LEFT_OUT);
}

function firstSegmentOf(path: string): string {
  if (path === '/') return path;
  const [before, first = '', ...rest] = path.split('/', 3);
  if (before !== '' || !FIRST_SEGMENTS.has(first)) return `/${LEFT_OUT}`;
  return rest.length === 0 ? `/${first}` : `/${first}/${LEFT_OUT}`;
}

/** The method, if it is one that the field knows. */
export function methodOf({ exchange }: HttpEvent): string {
  const { method } = exchange.request;
  return METHODS.has(method) ? method : LEFT_OUT;
}
