/**
 * Measures how long a container has waited for the platform. It serves one request at a time, so a request's wait is
 * the difference between its end and its start; concurrent platform requests count once.
 */
export type PlatformTime = {
  /** Runs a platform request, and counts its time. */
  spend<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the milliseconds so far. */
  totalMs(): number;
};

/** Creates the measurement of a container, from zero. */
export function createPlatformTime(now: () => number): PlatformTime {
  let running = 0;
  let sinceMs = 0;
  let pastMs = 0;
  return {
    async spend(work) {
      if (running === 0) sinceMs = now();
      running++;
      try {
        return await work();
      } finally {
        running--;
        if (running === 0) pastMs += now() - sinceMs;
      }
    },
    totalMs: () => pastMs + (running === 0 ? 0 : now() - sinceMs),
  };
}
