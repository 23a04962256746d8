import type middy from '@middy/core';
import type { Logger } from '../observability/logger.ts';
import {
  actionMetrics,
  type MetricGroup,
  objectiveMetrics,
  requestMetrics,
  throttleMetrics,
} from '../observability/metrics.ts';
import { QUICK_REQUEST_MAX_OWN_MS } from '../observability/objectives.ts';
import { currentRequestContext } from '../observability/request-context.ts';
import type { Exchange, HttpEvent, HttpResult } from './exchange.ts';

type Deps = {
  readonly logger: Logger;
  readonly now: () => number;
};

/**
 * Creates the hook that writes one log line per request, whatever its outcome. Middy calls it last (`requestEnd`). The
 * line never contains the body, a part of the path that a client chooses, or a header other than `x-app-info`.
 * The first line of a container has `coldStart`. Every sixteenth has the peak memory: Lambda's own report would have it for
 * each invocation, but would add half of this line's cost.
 */
export function logRequest({ logger, now }: Deps) {
  let servedRequestCount = 0;
  return (request: middy.Request): void => {
    const event = request.event as HttpEvent;
    const { exchange } = event;
    const httpResponse = request.response as HttpResult | undefined;
    if (exchange === undefined) return;
    const statusCode = httpResponse?.statusCode ?? 500;
    const { startedAtMs, logFields } = exchange;
    const durationMs = now() - startedAtMs;
    const ownMs = Math.max(0, durationMs - (currentRequestContext()?.platformTimer.totalMs() ?? 0));
    const { shopId, action } = logFields;
    const requestOutcome = requestOutcomeOf(statusCode, logFields);
    const metricGroups: MetricGroup[] = [requestMetrics];
    const route = routePathOf(event);
    const countsForObjectives = isCountedByObjectives(route, exchange, requestOutcome);
    if (countsForObjectives) metricGroups.push(objectiveMetrics);
    if (shopId !== undefined) metricGroups.push(throttleMetrics);
    const isSuccessfulAction = action !== undefined && requestOutcome === 'ok';
    if (isSuccessfulAction) metricGroups.push(actionMetrics);
    logger.info(
      'request',
      {
        method: loggedMethodOf(exchange),
        path: loggedPathOf(route, exchange),
        route,
        status: statusCode,
        durationMs,
        ownMs,
        coldStart: servedRequestCount === 0 ? true : undefined,
        peakMemoryMb: servedRequestCount % REQUESTS_PER_MEMORY_READ === 0 ? peakMemoryMb() : undefined,
        app: clientAppOf(exchange),
        ...logFields,
        outcome: requestOutcome,
        store: shopId === undefined ? undefined : `${shopId}`,
        throttled: shopId === undefined ? undefined : Number(requestOutcome === 'throttled'),
        actions: action === undefined ? undefined : 1,
        ...(countsForObjectives && {
          failed: Number(requestOutcome === 'failed'),
          slow: Number(ownMs > QUICK_REQUEST_MAX_OWN_MS),
        }),
      },
      metricGroups,
    );
    servedRequestCount++;
  };
}

/** Reading the memory takes up to 2 % of a warm request's time, and the peak only grows. */
const REQUESTS_PER_MEMORY_READ = 16;
const KILOBYTES_PER_MEGABYTE = 1024;

/** Returns the most memory that the process has had. */
function peakMemoryMb(): number {
  return Math.round(process.resourceUsage().maxRSS / KILOBYTES_PER_MEGABYTE);
}

export type RequestOutcome = 'ok' | 'refused' | 'throttled' | 'unavailable' | 'failed';

/**
 * Returns the outcome of a request. GraphQL errors have status 200, so the error code counts, too. Only `failed` rolls
 * back a deployment: a 5xx whose cause is not known to be outside the service.
 */
function requestOutcomeOf(status: number, { errorCode, causedBy }: Exchange['logFields']): RequestOutcome {
  if (status >= 500) return causedBy === 'others' ? 'unavailable' : 'failed';
  if (status === 429 || errorCode === 'THROTTLED') return 'throttled';
  return status >= 400 || errorCode !== undefined ? 'refused' : 'ok';
}

/**
 * Whether the service level objectives count the request: only requests that succeeded, or failed because of the
 * service. If refused and throttled requests counted, many malicious requests could hide failures.
 */
function isCountedByObjectives(route: string, { request }: Exchange, outcome: RequestOutcome): boolean {
  if (outcome !== 'ok' && outcome !== 'failed') return false;
  return route !== DEFAULT_ROUTE && route !== HEALTH_ROUTE && request.method !== 'OPTIONS';
}

/** The first segments of the service's paths. */
const SERVICE_PATH_SEGMENTS = new Set(['admin-keys', 'api', 'headless-auth', 'healthz', 'platform']);
/** The methods of RFC 9110, section 9.3, and PATCH. */
const KNOWN_METHODS = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);
const DEFAULT_ROUTE = '$default';
const HEALTH_ROUTE = '/healthz';
const OMITTED_TEXT = '…';

/**
 * Returns the path of the request's route in API Gateway. The routes are configured, so a client cannot choose the
 * text.
 */
function routePathOf({ routeKey = DEFAULT_ROUTE }: Pick<HttpEvent, 'routeKey'>): string {
  return routeKey.slice(routeKey.indexOf(' ') + 1);
}

/**
 * Returns the path for the log: that of the route, or without a route the first segment if it is one of the service's.
 */
function loggedPathOf(route: string, { request }: Exchange): string {
  if (route === DEFAULT_ROUTE) return loggedFirstSegmentOf(request.path);
  return route.replace(/\{\w+\}/, OMITTED_TEXT);
}

function loggedFirstSegmentOf(path: string): string {
  if (path === '/') return path;
  const [textBeforePath, firstSegment = '', ...otherSegments] = path.split('/', 3);
  if (textBeforePath !== '' || !SERVICE_PATH_SEGMENTS.has(firstSegment)) return `/${OMITTED_TEXT}`;
  return otherSegments.length === 0 ? `/${firstSegment}` : `/${firstSegment}/${OMITTED_TEXT}`;
}

/** The name and version of a client's app: docs/mobile.md. */
const CLIENT_APP_PATTERN = /^[\w.+-]{1,40}\/[\w.+-]{1,20}$/;

/** Returns the name and version of the client's app, if it sends them in the documented form. */
function clientAppOf({ request }: Exchange): string | undefined {
  const appInfo = request.headers['x-app-info'] ?? '';
  return CLIENT_APP_PATTERN.test(appInfo) ? appInfo : undefined;
}

/** Returns the method for the log if it is a known one. */
function loggedMethodOf({ request: { method } }: Exchange): string {
  return KNOWN_METHODS.has(method) ? method : OMITTED_TEXT;
}
