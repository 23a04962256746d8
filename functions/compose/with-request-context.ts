/**
 * Runs each invocation of a handler in a context of its own (lib/observability/request-context.ts). The context must be
 * around the whole handler: Middy does not pass on one that a step enters.
 */
import type { Context } from 'aws-lambda';
import { currentTraceId } from '../../lib/config/trace-id.ts';
import { createPlatformTimer } from '../../lib/observability/platform-timer.ts';
import { runInRequestContext } from '../../lib/observability/request-context.ts';

type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>;
type HttpRequestId = { readonly requestContext?: { readonly requestId?: string } };

/** Wraps a handler. `now` returns milliseconds. */
export function withRequestContext<Event, Result>(
  { now }: { readonly now: () => number },
  handler: Handler<Event, Result>,
): Handler<Event, Result> {
  return (event, context) => {
    const request = {
      requestId: (event as HttpRequestId | null)?.requestContext?.requestId ?? context.awsRequestId,
      traceId: currentTraceId(),
      platformTimer: createPlatformTimer(now),
    };
    return runInRequestContext(request, () => handler(event, context));
  };
}
