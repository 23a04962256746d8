/**
 * Interleaves concurrent requests: of those that are about to call the table or the platform, a random one continues.
 */
import { awaitAll } from '../../../../lib/domain/await-all.ts';

export type Turns = ReturnType<typeof createTurns>;

/** `pass` advances the time between two jobs. */
export function createTurns(pass: () => void) {
  let waiting: (() => void)[] = [];
  let draw: (() => number) | undefined;
  return {
    /** Waits for its turn; without concurrent jobs it returns immediately. */
    async take(): Promise<void> {
      if (draw !== undefined) await new Promise<void>((go) => void waiting.push(go));
    },
    /** Runs them side by side. */
    async run(jobs: readonly (() => Promise<unknown>)[], seed: () => number): Promise<void> {
      if (jobs.length > 1) draw = seed;
      let left = jobs.length;
      const ended = awaitAll(
        jobs.map(async (job) => {
          try {
            await job();
          } finally {
            left -= 1;
          }
        }),
      );
      while (draw !== undefined && left > 0) {
        await new Promise((go) => setImmediate(go));
        const [next] = waiting.splice(Math.floor(seed() * waiting.length), 1);
        if (next !== undefined) pass();
        next?.();
      }
      draw = undefined;
      for (const go of waiting) go();
      waiting = [];
      await ended;
    },
  };
}
