/**
 * Lets one tab refresh at a time where the browser has locks. They only save requests: the service answers a replaced token
 * for 60 s, so a tab that waits too long for another, which may be frozen, goes on without the lock.
 */
import type { SessionParts } from './parts.ts';

const LONGEST_WAIT_MS = 5000;

type Abort = new () => { readonly signal: unknown; abort(): void };

export async function waitForOtherTabs<Result>(
  { environment: { locks, setTimer }, shop }: Pick<SessionParts, 'environment' | 'shop'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { AbortController } = globalThis as { AbortController?: Abort };
  if (locks === undefined || AbortController === undefined) return work();
  const stop = new AbortController();
  const takeBack = setTimer(() => stop.abort(), LONGEST_WAIT_MS);
  let running: Promise<Result> | undefined;
  const begin = () => {
    takeBack();
    running ??= work();
    return running;
  };
  try {
    return await locks.request(`subscriptions.${shop}`, { signal: stop.signal }, begin);
  } catch {
    // Not granted in time, or not allowed here (a sandboxed frame); or the work itself failed, and is not done twice.
    return begin();
  }
}
