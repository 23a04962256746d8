/** Stops a run at a signal, or when its parent process has exited. */

export type StopSignal = { readonly requested: Promise<undefined> };

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The time after which the process exits, even if the stop has not ended. */
const MAX_STOP_MS = 1_800;
/** Ctrl-C in a terminal reaches this process directly and through npm, so two signals within this time are one. */
const DUPLICATE_SIGNAL_MS = 300;

/**
 * Listens for signals. `requested` resolves at the first one. The process exits at once at a second signal, and when a
 * clean stop takes too long. The functions' instances exit with this process in any case.
 */
export function stopOnSignals(): StopSignal {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let requestedAtMs: number | undefined;
  const requestStop = () => {
    const nowMs = performance.now();
    if (requestedAtMs === undefined) {
      requestedAtMs = nowMs;
      setTimeout(() => process.exit(0), MAX_STOP_MS).unref();
      resolve(undefined);
    } else if (nowMs - requestedAtMs > DUPLICATE_SIGNAL_MS) {
      process.exit(130);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, requestStop);
  if (process.connected) process.on('disconnect', requestStop);
  return { requested: promise };
}
