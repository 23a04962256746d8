import type middy from '@middy/core';
import type { Logger } from '../observability/logger.ts';
import type { HttpEvent, HttpResult } from './exchange.ts';

type Deps = { readonly logger: Logger; readonly now: () => number };

/** One line a request, whatever its outcome: middy calls it last (`requestEnd`). Never the body or a header. */
export function logRequest({ logger, now }: Deps) {
  return (request: middy.Request): void => {
    const { exchange } = request.event as HttpEvent;
    const result = request.response as HttpResult | undefined;
    if (exchange === undefined) return;
    logger.info('request', {
      requestId: exchange.requestId,
      method: exchange.request.method,
      path: exchange.request.path,
      status: result?.statusCode ?? 500,
      durationMs: now() - exchange.startedAtMs,
      ...exchange.logFields,
    });
  };
}
