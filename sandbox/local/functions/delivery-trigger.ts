/**
 * Emulates the event source mapping of the table's stream (infra/cdk/constructs/delivery-trigger.ts): invokes the delivery
 * worker once for all timeline entries of a second. Runs do not overlap.
 */
const BATCHING_WINDOW_MS = 1000;

export type DeliveryTrigger = {
  /** Reports a new entry. */
  requestRun(): void;
  close(): void;
};

/** Creates the trigger. `invoke` runs the function and logs its errors. */
export function createDeliveryTrigger(invoke: (event: object) => Promise<unknown>): DeliveryTrigger {
  let timer: NodeJS.Timeout | undefined;
  let isRunInProgress = false;
  let isAnotherRunRequested = false;
  const requestRun = () => {
    if (isRunInProgress) isAnotherRunRequested = true;
    else timer ??= setTimeout(() => void runDelivery(), BATCHING_WINDOW_MS);
  };
  const runDelivery = async () => {
    timer = undefined;
    isRunInProgress = true;
    isAnotherRunRequested = false;
    await invoke({ Records: [] }).catch(() => undefined);
    isRunInProgress = false;
    // A run may have missed an entry that was written during it.
    if (isAnotherRunRequested) requestRun();
  };
  return { requestRun, close: () => clearTimeout(timer) };
}
