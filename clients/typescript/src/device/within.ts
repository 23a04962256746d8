/** A time limit for all waiting: React Native has no `AbortSignal.timeout`, and aborts no body. */

import { type ClientCode, ServiceError } from '../errors/service-error.ts';
import type { Environment } from './environment.ts';

type Abort = new () => { readonly signal: unknown; abort(): void };

export type Limit = Pick<Environment, 'setTimer'> & { readonly ms: number; readonly code: ClientCode };

/**
 * Limits work in time, even if it ignores its signal.
 * @throws ServiceError with the code when the time is over.
 */
export function within<Result>(
  { setTimer, ms, code }: Limit,
  work: (signal: unknown) => Promise<Result>,
): Promise<Result> {
  const { AbortController } = globalThis as { AbortController?: Abort };
  const stop = AbortController && new AbortController();
  return new Promise((resolve, reject) => {
    const takeBack = setTimer(() => {
      reject(new ServiceError(code));
      stop?.abort();
    }, ms);
    Promise.resolve(stop?.signal).then(work).then(resolve, reject).then(takeBack);
  });
}
