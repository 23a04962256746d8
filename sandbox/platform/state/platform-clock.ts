/** The platform's time. Whoever starts the platform owns the clock, because the service must move with it. */
export type PlatformClock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Moves to an instant, epoch milliseconds; resolves when everything that shares the clock has moved. */
  set(ms: number): Promise<void>;
  advance(seconds: number): Promise<void>;
};
