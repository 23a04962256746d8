/** Runs a single step of a handler, on a manually created exchange. */
import type { Exchange, HandlerStep } from '../../../lib/http/exchange.ts';

/** Creates an exchange with these headers, and with the additions of earlier steps. */
export function exchangeOf(
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Exchange {
  const request = { method: 'POST', path: '/', query: '', headers, body: '', userAgent: '' };
  return {
    request,
    requestId: 'r',
    startedAtMs: 0,
    responseHeaders: {},
    logFields: {},
    ...more,
  };
}

/** Runs one phase of the step. */
export async function runStep(
  step: HandlerStep<never>,
  exchange: Exchange,
  phase: 'before' | 'after' | 'onError' = 'before',
) {
  const handler = step[phase] as ((request: unknown) => unknown) | undefined;
  return handler?.({ event: { exchange } });
}
