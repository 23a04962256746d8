/** The time that requests of processes take: the clock goes on when all processes wait. */

/** What others do at a time, epoch milliseconds. */
export type Moment = { readonly atMs: number; readonly act: () => void | Promise<void> };
type Clock = { nowMs: number };
type Others = {
  /** Whether several processes wait at the same time. Otherwise each wait sets the clock forward, and nobody acts in it. */
  readonly isParallel: boolean;
  /** What others do, in the order of time. */
  readonly moments: Moment[];
  /** Starts what others do at a moment that has come. */
  readonly start: (moment: Moment) => void;
};

/** Returns a function that resolves so many milliseconds later. */
export function createPassTime(clock: Clock, { isParallel, moments, start }: Others) {
  const timers: { readonly atMs: number; readonly ring: () => void }[] = [];
  let isRunning = false;

  /** Goes on to the next moment or timer: all that could be done before has been done. */
  function goOn(): void {
    const [timer] = timers;
    const [moment] = moments;
    isRunning = timer !== undefined;
    if (timer === undefined) return;
    if (moment !== undefined && moment.atMs <= timer.atMs) {
      moments.shift();
      clock.nowMs = Math.max(clock.nowMs, moment.atMs);
      start(moment);
    } else {
      timers.shift();
      clock.nowMs = Math.max(clock.nowMs, timer.atMs);
      timer.ring();
    }
    setImmediate(goOn);
  }

  return async (ms: number): Promise<void> => {
    if (!isParallel) {
      clock.nowMs += ms;
      return;
    }
    await new Promise<void>((ring) => {
      timers.push({ atMs: clock.nowMs + ms, ring });
      timers.sort((one, other) => one.atMs - other.atMs);
      if (!isRunning) setImmediate(goOn);
      isRunning = true;
    });
  };
}
