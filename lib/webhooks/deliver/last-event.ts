/**
 * `store.uninstalled` is the last event that a store's endpoints receive: it waits for all earlier events. Shortly
 * before delivery to the store ends, it is sent without waiting, while there is time for retries.
 */
import type { EndpointRun } from './endpoint-run.ts';

/** Whether a queued contract's next event is the last one, and an earlier event waits. */
export function isDeferred(run: EndpointRun, order: string): boolean {
  const { lastCallAtMs } = run.turn;
  const [event] = run.queues.get(order) ?? [];
  if (lastCallAtMs === undefined || event?.webhook?.type !== LAST) return false;
  return run.deps.now() < lastCallAtMs && waitsBefore(run, event.number);
}

/** Returns the last event, if it is queued and its time is nearly over. */
export function lastCalls(run: EndpointRun): string[] {
  const { lastCallAtMs = Infinity } = run.turn;
  return run.deps.now() < lastCallAtMs ? [] : lastOf(run);
}

/** Returns the latest time at which the last event is sent; empty if it is not queued. */
export function lastCallTimes(run: EndpointRun): number[] {
  const { lastCallAtMs } = run.turn;
  return lastCallAtMs === undefined || lastOf(run).length === 0 ? [] : [lastCallAtMs];
}

const LAST = 'store.uninstalled';

function lastOf({ queues }: EndpointRun): string[] {
  return [...queues].flatMap(([order, [event]]) => (event?.webhook?.type === LAST ? [order] : []));
}

/** Parked events do not count: they may never be sent again. */
function waitsBefore({ queues, backlogs }: EndpointRun, number: number): boolean {
  const isBefore = (first: number | undefined) => first !== undefined && first < number;
  if ([...queues.values()].some(([event]) => isBefore(event?.number))) return true;
  return [...backlogs.values()].some(
    ({ state, numbers }) => (state === 'RETRYING' || state === 'RELEASING') && isBefore(numbers[0]),
  );
}
