/**
 * Lets one tab refresh at a time if the browser has locks. The lock only saves requests: the service accepts a replaced
 * token for 60 s. A tab that waits too long for another one, which may be frozen, continues without the lock.
 */
import { runWithTimeLimit } from '../device/run-with-time-limit.ts';
import type { SessionDeps } from './session-deps.ts';

const MAX_TAB_WAIT_MS = 5000;

export async function runWithTabLock<Result>(
  { environment, shop }: Pick<SessionDeps, 'environment' | 'shop'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { locks } = environment;
  let releaseLock: () => void = () => undefined;
  const lockReleasePromise = new Promise<void>((resolve) => {
    releaseLock = resolve;
  });
  // The lock was not granted in time, or is not allowed (a sandboxed frame): continue without it.
  if (locks !== undefined)
    await runWithTimeLimit({ ...environment, ms: MAX_TAB_WAIT_MS, code: 'NETWORK' }, (signal) => {
      return new Promise<void>((resolve, reject) => {
        const grantLock = () => {
          resolve();
          return lockReleasePromise;
        };
        locks.request(`subscriptions.${shop}`, { signal }, grantLock).catch(reject);
      });
    }).catch(() => undefined);
  return work().finally(releaseLock);
}
