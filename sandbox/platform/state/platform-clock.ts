/**
 * The platform's time. The caller that starts the platform owns the clock, because the service's clock must move with
 * it.
 */
export type PlatformClock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Moves to an instant (epoch milliseconds). Resolves when all components that share the clock have moved. */
  set(ms: number): Promise<void>;
  advance(seconds: number): Promise<void>;
};
