/** Ends a run when a signal says so, or when whoever started it is gone. */

export type End = { readonly requested: Promise<undefined> };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LIMIT_MS = 1_800;
/** A terminal's Ctrl-C reaches this process directly and through npm: one press, not two. */
const ONE_PRESS_MS = 300;

/**
 * `asked` resolves at the first signal. The second ends the process at once, as does a clean end that takes
 * too long; instances of functions end with this process in any case.
 */
export function endOnSignals(): End {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let requestedAt: number | undefined;
  const ask = () => {
    const now = performance.now();
    if (requestedAt === undefined) {
      requestedAt = now;
      setTimeout(() => process.exit(0), LIMIT_MS).unref();
      resolve(undefined);
    } else if (now - requestedAt > ONE_PRESS_MS) {
      process.exit(130);
    }
  };
  for (const signal of SIGNALS) process.on(signal, ask);
  if (process.connected) process.on('disconnect', ask);
  return { requested: promise };
}
