/** Stops a run at a signal, or when its parent process has exited. */

export type StopSignal = { readonly requested: Promise<undefined> };

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const MAX_STOP_MS = 1_800;
/** Ctrl-C in a terminal reaches this process directly and through npm, so two signals within this time are one. */
const DUPLICATE_SIGNAL_MS = 300;

/**
 * `requested` resolves at the first signal. A second signal exits immediately, as does a clean stop that takes too
 * long; the functions' instances exit with this process in any case.
 */
export function stopOnSignals(): StopSignal {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let requestedAt: number | undefined;
  const ask = () => {
    const nowMs = performance.now();
    if (requestedAt === undefined) {
      requestedAt = nowMs;
      setTimeout(() => process.exit(0), MAX_STOP_MS).unref();
      resolve(undefined);
    } else if (nowMs - requestedAt > DUPLICATE_SIGNAL_MS) {
      process.exit(130);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, ask);
  if (process.connected) process.on('disconnect', ask);
  return { requested: promise };
}
