/** A time limit for all waiting: React Native has no `AbortSignal.timeout`, and aborts no body. */

import { type ClientCode, ServiceError } from '../errors/service-error.ts';
import type { Environment } from './environment.ts';

/** The used part of `AbortSignal`; the type of every platform fits. */
export type Signal = {
  /** Whether the call has been aborted. */
  readonly aborted: boolean;
  /** Calls the listener when the call is aborted. */
  addEventListener(type: 'abort', listener: () => void): void;
  /** Calls the listener no more. */
  removeEventListener(type: 'abort', listener: () => void): void;
};
type AbortControllerConstructor = new () => { readonly signal: unknown; abort(): void };

export type TimeLimit = Pick<Environment, 'setTimer'> & {
  readonly ms: number;
  readonly code: ClientCode;
  /** The caller's signal, which ends the work earlier. */
  readonly aborting?: Signal | undefined;
};

/**
 * Limits work in time, even if it ignores its signal.
 * @throws ServiceError with the code when the time is over; ABORTED when the caller's signal ends it.
 */
export function runWithTimeLimit<Result>(
  { setTimer, ms, code, aborting }: TimeLimit,
  work: (signal: unknown) => Promise<Result>,
): Promise<Result> {
  const { AbortController } = globalThis as { AbortController?: AbortControllerConstructor };
  const abortController = AbortController && new AbortController();
  return new Promise((resolve, reject) => {
    const rejectAndAbort = (reason: ClientCode) => {
      reject(new ServiceError(reason));
      abortController?.abort();
    };
    const abort = () => rejectAndAbort('ABORTED');
    if (aborting?.aborted) return abort();
    aborting?.addEventListener('abort', abort);
    const clearTimer = setTimer(() => rejectAndAbort(code), ms);
    const stopWaiting = () => {
      clearTimer();
      aborting?.removeEventListener('abort', abort);
    };
    Promise.resolve(abortController?.signal).then(work).then(resolve, reject).then(stopWaiting);
  });
}
