import type middy from '@middy/core';
import type { Logger } from '../observability/logger.ts';
import {
  actionMetrics,
  type MetricGroup,
  requestMetrics,
  stepMetrics,
  throttleMetrics,
} from '../observability/metrics.ts';
import type { HttpEvent, HttpResult } from './exchange.ts';

type Deps = { readonly logger: Logger; readonly now: () => number };

/** One line a request, whatever its outcome: middy calls it last (`requestEnd`). Never the body or a header. */
export function logRequest({ logger, now }: Deps) {
  return (request: middy.Request): void => {
    const event = request.event as HttpEvent;
    const { exchange } = event;
    const result = request.response as HttpResult | undefined;
    if (exchange === undefined) return;
    const status = result?.statusCode ?? 500;
    const { fields, groups } = measure(event, status);
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
function measure(event: HttpEvent, status: number) {
  const { logFields } = event.exchange;
  const { shopId, action } = logFields;
  const step = stepOf(event);
  const outcome = outcomeOf(status, logFields.errorCode);
  const groups: MetricGroup[] = [requestMetrics];
  if (step !== undefined) groups.push(stepMetrics);
  if (shopId !== undefined) groups.push(throttleMetrics);
  if (action !== undefined && outcome === 'ok') groups.push(actionMetrics);
  const fields = {
    outcome,
    ...(step !== undefined && { step }),
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

/** The route as the API knows it; clients cannot make up new ones. */
function routeOf({ routeKey }: HttpEvent): string {
  return (routeKey ?? '$default').replace(/^ANY /, '');
}

/** The step of a sign-in, if there is such a step. */
function stepOf({ exchange, pathParameters }: HttpEvent): string | undefined {
  return exchange.logFields.errorCode === 'NOT_FOUND' ? undefined : pathParameters?.step;
}
