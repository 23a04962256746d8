/** A clock that jumps to the next timer as soon as no other work is left. */

export function createSimulatedTime(startMs: number) {
  let nowMs = startMs;
  let timers: { readonly atMs: number; readonly go: () => void }[] = [];
  return {
    now: () => nowMs,
    /** Resolves at this time, or when the signal is aborted. */
    until(atMs: number, signal?: AbortSignal): Promise<void> {
      return new Promise((go) => {
        const timer = { atMs, go };
        timers.push(timer);
        signal?.addEventListener('abort', () => {
          timers = timers.filter((one) => one !== timer);
          go();
        });
      });
    },
    /** Lets time pass until `work` is done. */
    async runUntil<T>(work: Promise<T>): Promise<T> {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      for (;;) {
        await new Promise(setImmediate);
        if (isDone) return work;
        const next = timers.reduce<(typeof timers)[number] | undefined>(
          (first, one) => (first === undefined || one.atMs < first.atMs ? one : first),
          undefined,
        );
        if (next === undefined) throw new Error('nobody waits for anything, and the work is not done');
        timers = timers.filter((one) => one !== next);
        nowMs = Math.max(nowMs, next.atMs);
        next.go();
      }
    },
  };
}
