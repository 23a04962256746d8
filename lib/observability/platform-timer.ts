/**
 * Measures how long one request waits for the platform. Time in which several of its platform requests are in progress
 * counts once.
 */
export type PlatformTimer = {
  /** Runs a platform request. Time in which at least one request is in progress is added once to the total. */
  measure<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the total wait so far, in milliseconds. */
  totalMs(): number;
};

/** Creates a timer that starts at zero. `now` returns milliseconds. */
export function createPlatformTimer(now: () => number): PlatformTimer {
  let runningRequestCount = 0;
  let waitStartedAtMs = 0;
  let finishedWaitMs = 0;
  return {
    async measure(work) {
      if (runningRequestCount === 0) waitStartedAtMs = now();
      runningRequestCount++;
      try {
        return await work();
      } finally {
        runningRequestCount--;
        if (runningRequestCount === 0) finishedWaitMs += now() - waitStartedAtMs;
      }
    },
    totalMs: () => finishedWaitMs + (runningRequestCount === 0 ? 0 : now() - waitStartedAtMs),
  };
}
