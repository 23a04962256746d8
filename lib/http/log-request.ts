import type middy from '@middy/core';
import type { Logger } from '../observability/logger.ts';
import {
  actionMetrics,
  type MetricGroup,
  requestMetrics,
  stepMetrics,
  throttleMetrics,
} from '../observability/metrics.ts';
import { redact } from '../observability/redact.ts';
import type { Exchange, HttpEvent, HttpResult } from './exchange.ts';

type Deps = { readonly logger: Logger; readonly now: () => number };

/** One line a request, whatever its outcome: middy calls it last (`requestEnd`). Never the body or a header. */
export function logRequest({ logger, now }: Deps) {
  return (request: middy.Request): void => {
    const event = request.event as HttpEvent;
    const { exchange } = event;
    const result = request.response as HttpResult | undefined;
    if (exchange === undefined) return;
    const status = result?.statusCode ?? 500;
    const { requestId, startedAtMs, logFields } = exchange;
    const { shopId, action } = logFields;
    const step = stepOf(event);
    const outcome = outcomeOf(status, logFields);
    const groups: MetricGroup[] = [requestMetrics];
    if (step !== undefined) groups.push(stepMetrics);
    if (shopId !== undefined) groups.push(throttleMetrics);
    const isDone = action !== undefined && outcome === 'ok';
    if (isDone) groups.push(actionMetrics);
    logger.info(
      'request',
      {
        requestId,
        method: exchange.request.method,
        path: shortened(exchange.request.path),
        route: routeOf(event),
        status,
        durationMs: now() - startedAtMs,
        ...logFields,
        outcome,
        step,
        store: shopId === undefined ? undefined : `${shopId}`,
        throttled: shopId === undefined ? undefined : Number(outcome === 'throttled'),
        actions: action === undefined ? undefined : 1,
      },
      groups,
    );
  };
}

export type RequestOutcome = 'ok' | 'refused' | 'throttled' | 'unavailable' | 'failed';

/**
 * GraphQL tells its errors with 200, so the code counts beside the status. Only `failed` undoes a deploy; a 5xx counts
 * as that unless it is known to be the doing of others.
 */
function outcomeOf(status: number, { errorCode, causedBy }: Exchange['logFields']): RequestOutcome {
  if (status >= 500) return causedBy === 'others' ? 'unavailable' : 'failed';
  if (status === 429 || errorCode === 'THROTTLED') return 'throttled';
  return status >= 400 || errorCode !== undefined ? 'refused' : 'ok';
}

const MAX_PATH = 200;

/** Whoever asks for anything writes our log. Secrets go first: half of one may not look like one. */
function shortened(path: string): string {
  if (path.length <= MAX_PATH) return path;
  return `${String(redact({ path }).path).slice(0, MAX_PATH - 1)}…`;
}

const ANY = 'ANY ';

/** The route as the API knows it; clients cannot make up new ones. */
function routeOf({ routeKey }: HttpEvent): string {
  if (routeKey === undefined) return '$default';
  return routeKey.startsWith(ANY) ? routeKey.slice(ANY.length) : routeKey;
}

/** The step of a sign-in, if there is such a step. */
function stepOf({ exchange, pathParameters }: HttpEvent): string | undefined {
  return exchange.logFields.errorCode === 'NOT_FOUND' ? undefined : pathParameters?.step;
}
