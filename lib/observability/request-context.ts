/**
 * The context of a request: its ids and its wait for the platform. It follows everything that the request awaits
 * (AsyncLocalStorage), so that requests that interleave in one process do not mix.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PlatformTimer } from './platform-timer.ts';

export type RequestContext = {
  /** The id of API Gateway's request, or of the invocation when no client sent a request. */
  readonly requestId: string;
  /** Undefined when the invocation has no X-Ray trace id. */
  readonly traceId: string | undefined;
  readonly platformTimer: PlatformTimer;
};

const requestContextStorage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` in the context of a request. */
export function runInRequestContext<Result>(context: RequestContext, work: () => Result): Result {
  return requestContextStorage.run(context, work);
}

/**
 * Returns the context of the present request.
 * @returns undefined outside of requests, for example while a container starts
 */
export function currentRequestContext(): RequestContext | undefined {
  return requestContextStorage.getStore();
}

/** Runs a platform request. Adds its duration to the platform time of the present request. */
export function measurePlatformTime<T>(work: () => Promise<T>): Promise<T> {
  return currentRequestContext()?.platformTimer.measure(work) ?? work();
}
