/**
 * Replaces the table's stream, which the DynamoDB emulator lacks: invokes the delivery worker every second of real
 * time, also without new items. Runs do not overlap.
 */
const TRIGGER_INTERVAL_MS = 1000;

/** Starts it. `invoke` runs the function and logs its errors. */
export function startDeliveryTrigger(invoke: (event: object) => Promise<unknown>): { close(): void } {
  let isRunning = false;
  const ring = async () => {
    if (isRunning) return;
    isRunning = true;
    await invoke({ Records: [] }).catch(() => undefined);
    isRunning = false;
  };
  const timer = setInterval(() => void ring(), TRIGGER_INTERVAL_MS);
  return { close: () => clearInterval(timer) };
}
