/**
 * Lets one tab refresh at a time where the browser has locks. They only save requests: the service answers a replaced token
 * for 60 s, so a tab that waits too long for another, which may be frozen, goes on without the lock.
 */
import { within } from '../device/within.ts';
import type { SessionParts } from './parts.ts';

const LONGEST_WAIT_MS = 5000;

export async function waitForOtherTabs<Result>(
  { environment, shop }: Pick<SessionParts, 'environment' | 'shop'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { locks } = environment;
  let letGo: () => void = () => undefined;
  const lock = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  // Not granted in time, or not allowed here (a sandboxed frame): without.
  if (locks !== undefined)
    await within({ ...environment, ms: LONGEST_WAIT_MS, code: 'NETWORK' }, (signal) => {
      return new Promise<void>((resolve, reject) => {
        const grant = () => {
          resolve();
          return lock;
        };
        locks.request(`subscriptions.${shop}`, { signal }, grant).catch(reject);
      });
    }).catch(() => undefined);
  return work().finally(letGo);
}
