/**
 * Stands in for the table's stream, which DynamoDB's stand-in lacks: invokes the worker that delivers each second of real
 * time, whatever was written. A run that takes longer is not joined by another.
 */
const EVERY_MS = 1000;

/** Starts it. `invoke` runs the function; what goes wrong in it has been logged. */
export function startBell(invoke: (event: object) => Promise<unknown>): { close(): void } {
  let isRunning = false;
  const ring = async () => {
    if (isRunning) return;
    isRunning = true;
    await invoke({ Records: [] }).catch(() => undefined);
    isRunning = false;
  };
  const timer = setInterval(() => void ring(), EVERY_MS);
  return { close: () => clearInterval(timer) };
}
