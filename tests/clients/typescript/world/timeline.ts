/** Simulated time: wakes sleepers in order, and advances the clock only when all resulting work has ended. */
import { setImmediate as nextTurn } from 'node:timers/promises';

type Sleeper = { readonly atMs: number; readonly order: number; readonly resume: () => void };

export function createTimeline(startMs: number) {
  let nowMs = startMs;
  let order = 0;
  const waiters = new Set<Sleeper>();

  function setTimer(work: () => void, ms: number): () => void {
    const sleeper = { atMs: nowMs + Math.max(0, ms), order: order++, resume: work };
    waiters.add(sleeper);
    return () => void waiters.delete(sleeper);
  }

  /** Runs until no timer is due by then. */
  async function runUntil(untilMs: number): Promise<void> {
    for (;;) {
      await nextTurn();
      const due = [...waiters].filter(({ atMs }) => atMs <= untilMs);
      const [first] = due.sort((one, other) => one.atMs - other.atMs || one.order - other.order);
      if (first === undefined) break;
      waiters.delete(first);
      nowMs = Math.max(nowMs, first.atMs);
      first.resume();
    }
    nowMs = Math.max(nowMs, untilMs);
  }

  return {
    now: () => nowMs,
    setTimer,
    sleep: (ms: number) => new Promise<void>((resolve) => void setTimer(resolve, ms)),
    advance: (ms: number) => runUntil(nowMs + ms),
    /** Lets time pass until the promise is settled, ten days at most. */
    async settle<Result>(promise: Promise<Result>): Promise<Result> {
      let isSettled = false;
      promise.then(
        () => (isSettled = true),
        () => (isSettled = true),
      );
      for (let steps = 0; steps < 10_000; steps++) {
        await nextTurn();
        if (isSettled) return promise;
        const next = Math.min(...[...waiters].map(({ atMs }) => atMs));
        await runUntil(Math.min(next, nowMs + 86_400_000));
      }
      throw new Error('This never ends.');
    },
  };
}
