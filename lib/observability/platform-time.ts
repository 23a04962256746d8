/**
 * How long a container has waited for the platform. It serves one request at a time, so what a request waited for is the
 * difference between its end and its start; what it asked for at once counts once.
 */
export type PlatformTime = {
  /** Runs work of the platform, and counts its time. */
  spend<T>(work: () => Promise<T>): Promise<T>;
  /** Milliseconds so far. */
  totalMs(): number;
};

/** The time of a container, from zero. */
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
