import type middy from '@middy/core';
import type { Logger } from '../observability/logger.ts';
import {
  actionMetrics,
  type MetricGroup,
  requestMetrics,
  throttleMetrics,
} from '../observability/metrics.ts';
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
    const { fields, groups } = measure(exchange, status);
    logger.info(
      'request',
      {
        requestId: exchange.requestId,
        method: exchange.request.method,
        path: exchange.request.path,
        route: routeOf(event),
        status,
        durationMs: now() - exchange.startedAtMs,
        ...exchange.logFields,
        ...fields,
      },
      groups,
    );
  };
}

/** What is counted of a request, and the fields that it is counted by. */
function measure({ logFields }: Exchange, status: number) {
  const { shopId, action } = logFields;
  const outcome = outcomeOf(status, logFields.errorCode);
  const groups: MetricGroup[] = [requestMetrics];
  if (shopId !== undefined) groups.push(throttleMetrics);
  if (action !== undefined && outcome === 'ok') groups.push(actionMetrics);
  const fields = {
    outcome,
    ...(shopId !== undefined && { store: `${shopId}`, throttled: outcome === 'throttled' ? 1 : 0 }),
    ...(action !== undefined && { actions: 1 }),
  };
  return { fields, groups };
}

/** GraphQL tells its errors with 200, so the code counts beside the status. */
function outcomeOf(status: number, errorCode: unknown): 'ok' | 'refused' | 'throttled' | 'failed' {
  if (status >= 500) return 'failed';
  if (status === 429 || errorCode === 'THROTTLED') return 'throttled';
  return status >= 400 || errorCode !== undefined ? 'refused' : 'ok';
}

/** The route, with the sign-in's step if there is such a step: clients cannot make up new ones. */
function routeOf({ exchange, routeKey, pathParameters }: HttpEvent): string {
  const route = (routeKey ?? '$default').replace(/^ANY /, '');
  const step = pathParameters?.step;
  return step === undefined || exchange.logFields.errorCode === 'NOT_FOUND'
    ? route
    : route.replace('{step}', step);
}
