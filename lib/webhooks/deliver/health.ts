/** Decides by an endpoint's responses whether the endpoint is down, which events may be sent next, and when. */
import { type Backlog, blocksContract, isRetried } from './backlog.ts';
import type { EndpointRun } from './endpoint-run.ts';

/** If this many contracts were refused and none accepted since, the endpoint is down, not the events faulty. */
const UNREACHABLE_AFTER = 8;
/** The longest time between two probes of an endpoint that is down. */
export const PROBE_INTERVAL_MS = 30 * 60_000;
/** With this many failing contracts no other contract starts: the endpoint has to recover first. */
const MAX_BACKLOGS = 1000;
/**
 * The type of the last event that a store's endpoints receive. It waits for all earlier events. Shortly before delivery
 * to the store ends, it is sent without waiting, so that retries are still possible.
 */
const LAST = 'store.uninstalled';

/** Whether the endpoint is down: it then receives one event at a time, and no other contract starts. */
export function isUnreachable(run: EndpointRun): boolean {
  return refusedSinceAccepted(run) >= UNREACHABLE_AFTER;
}

/**
 * Whether the endpoint's outage caused the refusals of a backlog's first event, so that the count restarts. Only once
 * for each event.
 */
export function isFailureExcused(run: EndpointRun, backlog: Backlog | undefined): boolean {
  return backlog !== undefined && !backlog.isForgiven && isFromBefore(run, backlog);
}

/** Returns the contracts for which an attempt may start now, the longest waiting first; at most `most`. */
export function findReadyContracts(run: EndpointRun, maximum: number): string[] {
  const nowMs = run.deps.now();
  if ((run.head.pausedUntilMs ?? 0) > nowMs) return [];
  const isFree = (order: string) => !run.busy.has(order);
  if (isUnreachable(run)) return run.busy.size > 0 ? [] : probe(run, nowMs);
  const due = retrying(run).filter((backlog) => isFree(backlog.of) && dueAtMs(run, backlog) <= nowMs);
  due.sort((one, other) => dueAtMs(run, one) - dueAtMs(run, other));
  const again = due.map(({ of }) => of);
  const startable = mayBeginOthers(run) ? beginnable(run) : lastCalls(run);
  const fresh = startable.filter((order) => isFree(order) && !isBlocked(run, order));
  // After a refusal, the endpoint receives few further events until it accepts one.
  const isFailing = run.head.failingSinceMs !== undefined;
  const maxFresh = isFailing
    ? Math.max(0, UNREACHABLE_AFTER - refusedSinceAccepted(run) - run.busy.size)
    : maximum;
  return [...again, ...fresh.slice(0, maxFresh)].slice(0, maximum);
}

/**
 * Chooses one event to send as a probe: an event that is due. Every half hour it is instead an event of a contract that
 * was not tried, because the endpoint may refuse only some types, or the event that has waited longest, if the endpoint
 * did not postpone it.
 */
function probe(run: EndpointRun, nowMs: number): string[] {
  const last = lastCalls(run);
  if (last.length > 0) return last.slice(0, 1);
  const all = retrying(run).sort((one, other) => dueAtMs(run, one) - dueAtMs(run, other));
  const due = all.filter((backlog) => dueAtMs(run, backlog) <= nowMs);
  if (!isProbeDue(run)) return due.slice(0, 1).map(({ of }) => of);
  run.head.probedAtMs = nowMs;
  run.unsaved++;
  const others = all.filter((backlog) => notBeforeMs(run, backlog) <= nowMs).map(({ of }) => of);
  return [...beginnable(run), ...others].slice(0, 1);
}

/** Whether an endpoint that is down receives a probe outside the schedule. */
function isProbeDue(run: EndpointRun): boolean {
  return isUnreachable(run) && run.deps.now() >= extraProbeAtMs(run);
}

function extraProbeAtMs({ head }: EndpointRun): number {
  return Math.max(head.probedAtMs ?? 0, head.failingSinceMs ?? 0) + PROBE_INTERVAL_MS;
}

/** Whether the stream should be read further. */
export function shouldReadFurther(run: EndpointRun): boolean {
  return mayBeginOthers(run) || isProbeDue(run);
}

/** Returns the contracts whose queued events have to join a backlog. */
export function findBlockedContracts(run: EndpointRun): string[] {
  return [...run.queues.keys()].filter((order) => !run.busy.has(order) && isBlocked(run, order));
}

/** Whether contracts without a backlog may start. */
function mayBeginOthers(run: EndpointRun): boolean {
  return !isUnreachable(run) && retrying(run).length < MAX_BACKLOGS;
}

/**
 * Returns when to poll again.
 * @returns undefined to wait for new work
 */
export function nextPollAtMs(run: EndpointRun): number | undefined {
  const pausedMs = run.head.pausedUntilMs ?? 0;
  const isMore = mayBeginOthers(run) && (!run.isAtEnd || beginnable(run).length > 0);
  if (isMore) return Math.max(run.deps.now(), pausedMs);
  const again = [...retrying(run).map((backlog) => dueAtMs(run, backlog)), ...lastCallTimes(run)];
  if (again.length === 0) return undefined;
  return Math.max(
    isUnreachable(run) ? Math.min(probeAtMs(run), ...lastCallTimes(run)) : Math.min(...again),
    pausedMs,
  );
}

/** Returns contracts without a backlog that need not wait for other events. */
function beginnable(run: EndpointRun): string[] {
  return [...run.queues.keys()].filter((order) => !isDeferred(run, order));
}

function isBlocked({ backlogs }: EndpointRun, order: string): boolean {
  const backlog = backlogs.get(order);
  return backlog !== undefined && blocksContract(backlog);
}

function retrying({ backlogs }: EndpointRun): Backlog[] {
  return [...backlogs.values()].filter(isRetried);
}

function dueAtMs(run: EndpointRun, backlog: Backlog): number {
  return isFromBefore(run, backlog) ? notBeforeMs(run, backlog) : backlog.nextAtMs;
}

/**
 * Returns until when the endpoint postponed the event; a postponement from before a change of the endpoint does not
 * count.
 */
function notBeforeMs({ head }: EndpointRun, backlog: Backlog): number {
  const isOfOld = (backlog.refusedAtMs ?? 0) <= (head.changedAtMs ?? Number.NEGATIVE_INFINITY);
  return isOfOld ? 0 : backlog.notBeforeMs;
}

/** Whether the last refusal happened before the endpoint recovered. */
function isFromBefore({ head }: EndpointRun, { refusedAtMs }: Backlog): boolean {
  return refusedAtMs !== undefined && head.recoveredAtMs !== undefined && refusedAtMs <= head.recoveredAtMs;
}

function refusedSinceAccepted(run: EndpointRun): number {
  const acceptedAtMs = Math.max(run.head.lastAcceptedAtMs ?? 0, run.head.recoveredAtMs ?? 0);
  return retrying(run).filter(({ refusedAtMs = 0 }) => refusedAtMs > acceptedAtMs).length;
}

/** Returns the next scheduled attempt of any event, or half an hour after the last probe. */
function probeAtMs(run: EndpointRun): number {
  return Math.min(extraProbeAtMs(run), ...retrying(run).map((backlog) => dueAtMs(run, backlog)));
}

/** Whether a queued contract's next event is the last one, and an earlier event waits. */
function isDeferred(run: EndpointRun, order: string): boolean {
  const { lastCallAtMs } = run.turn;
  const [event] = run.queues.get(order) ?? [];
  if (lastCallAtMs === undefined || event?.webhook?.type !== LAST) return false;
  return run.deps.now() < lastCallAtMs && waitsBefore(run, event.number);
}

/** Returns the last event, if it is queued and its time is nearly over. */
function lastCalls(run: EndpointRun): string[] {
  const { lastCallAtMs = Infinity } = run.turn;
  return run.deps.now() < lastCallAtMs ? [] : lastOf(run);
}

/** Returns the latest time at which the last event is sent; empty if it is not queued. */
function lastCallTimes(run: EndpointRun): number[] {
  const { lastCallAtMs } = run.turn;
  return lastCallAtMs === undefined || lastOf(run).length === 0 ? [] : [lastCallAtMs];
}

function lastOf({ queues }: EndpointRun): string[] {
  return [...queues].flatMap(([order, [event]]) => (event?.webhook?.type === LAST ? [order] : []));
}

/**
 * Whether an event before this number still waits. Parked events do not count, because they may never be sent again.
 */
function waitsBefore({ queues, backlogs }: EndpointRun, number: number): boolean {
  const isBefore = (first: number | undefined) => first !== undefined && first < number;
  if ([...queues.values()].some(([event]) => isBefore(event?.number))) return true;
  return [...backlogs.values()].some((backlog) => isRetried(backlog) && isBefore(backlog.numbers[0]));
}
