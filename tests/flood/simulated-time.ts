/** A clock that a test advances, with its sleepers: two minutes of a flood take only the time of their work. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type SimulatedTime = {
  readonly now: () => number;
  /** Resolves when the clock has come so far. */
  readonly wait: (seconds: number) => Promise<void>;
  /** Work that the clock does not run away from. */
  readonly during: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Advances the clock, runs `first`, then wakes due sleepers. Resolves when all work has ended or sleeps again. */
  readonly advance: (ms: number, first?: () => Promise<unknown>) => Promise<void>;
};

type Sleeper = { readonly atMs: number; readonly resume: () => void };

export function createSimulatedTime(startMs: number): SimulatedTime {
  let nowMs = startMs;
  let busy = 0;
  let waiters: Sleeper[] = [];
  return {
    now: () => nowMs,
    wait: (seconds) =>
      new Promise((resume) => void waiters.push({ atMs: nowMs + seconds * 1000, resume: () => resume() })),
    async during(work) {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
      }
    },
    async advance(ms, first = async () => undefined) {
      nowMs += ms;
      await first();
      const due = waiters.filter(({ atMs }) => atMs <= nowMs);
      waiters = waiters.filter(({ atMs }) => atMs > nowMs);
      for (const { resume } of due) resume();
      // The work after a response takes a turn or two before the next request or sleep.
      for (let quietTurns = 0; quietTurns < 3; quietTurns = busy === 0 ? quietTurns + 1 : 0) await nextTurn();
    },
  };
}
