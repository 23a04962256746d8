/**
 * `store.uninstalled` is the last that a store's endpoints are told of what happened before: it waits for what waits
 * before it. When the draining ends soon it goes all the same, while there is time to try again.
 */
import type { EndpointRun } from './endpoint-run.ts';

/** Whether a queued contract's next event is the last one, and something before it waits. */
export function isHeldBack(run: EndpointRun, order: string): boolean {
  const { lastCallAtMs } = run.turn;
  const [event] = run.queues.get(order) ?? [];
  if (lastCallAtMs === undefined || event?.webhook?.type !== LAST) return false;
  return run.deps.now() < lastCallAtMs && waitsBefore(run, event.number);
}

/** The last event, if it is queued, held back by nothing but the endpoint, and its time is nearly over. */
export function lastCalls(run: EndpointRun): string[] {
  const { lastCallAtMs = Infinity } = run.turn;
  return run.deps.now() < lastCallAtMs ? [] : lastOf(run);
}

/** When what is held back goes at the latest; none: nothing is. */
export function lastCallTimes(run: EndpointRun): number[] {
  const { lastCallAtMs } = run.turn;
  return lastCallAtMs === undefined || lastOf(run).length === 0 ? [] : [lastCallAtMs];
}

const LAST = 'store.uninstalled';

function lastOf({ queues }: EndpointRun): string[] {
  return [...queues].flatMap(([order, [event]]) => (event?.webhook?.type === LAST ? [order] : []));
}

/** What is parked does not count: nobody may ever send it again. */
function waitsBefore({ queues, backlogs }: EndpointRun, number: number): boolean {
  const isBefore = (first: number | undefined) => first !== undefined && first < number;
  if ([...queues.values()].some(([event]) => isBefore(event?.number))) return true;
  return [...backlogs.values()].some(
    ({ state, numbers }) => (state === 'RETRYING' || state === 'RELEASING') && isBefore(numbers[0]),
  );
}
