/**
 * The context of a request: its ids and its wait for the platform. It follows everything that the request awaits
 * (AsyncLocalStorage), so that requests that interleave in one process do not mix.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PlatformTime } from './platform-time.ts';

export type RequestContext = {
  /** The id of API Gateway's request, or of the invocation when no client sent a request. */
  readonly requestId: string;
  /** Undefined when the invocation has no X-Ray trace id. */
  readonly traceId: string | undefined;
  readonly platformTime: PlatformTime;
};

const contextStorage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` in the context of a request. */
export function runInContext<Result>(context: RequestContext, work: () => Result): Result {
  return contextStorage.run(context, work);
}

/**
 * Returns the context of the present request.
 * @returns undefined outside of requests, for example while a container starts
 */
export function currentContext(): RequestContext | undefined {
  return contextStorage.getStore();
}

/** Runs a platform request. Adds its duration to the platform time of the present request. */
export function measurePlatformTime<T>(work: () => Promise<T>): Promise<T> {
  return currentContext()?.platformTime.spend(work) ?? work();
}
