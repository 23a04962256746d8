/** What an endpoint's answers say of it: whether it lives, what may be tried next, and when. */
import { type Backlog, holdsUp } from './backlog.ts';
import type { EndpointRun } from './endpoint-run.ts';
import { isHeldBack, lastCalls, lastCallTimes } from './last-event.ts';

/** So many contracts refused, and none accepted since, mean that the endpoint is down, not the events. */
const DEAD = 8;
/** An endpoint that is down is asked at least so often whether it still is. */
export const PROBE_MS = 30 * 60_000;
/** With so many contracts in trouble no other is begun: the endpoint has to be mended first. */
const MOST_BACKLOGS = 1000;

/** Whether the endpoint is down: it is asked with one event at a time, and no other contract is begun. */
export function isDead(run: EndpointRun): boolean {
  return refusedSinceAccepted(run) >= DEAD;
}

/** Whether the refusals of a backlog's first event were the endpoint's, so that they count anew: once. */
export function forgives(run: EndpointRun, backlog: Backlog | undefined): boolean {
  return backlog !== undefined && !backlog.isForgiven && isFromBefore(run, backlog);
}

/** The contracts of which an attempt may be begun now, the longest waiting first; at most `most`. */
export function readyContracts(run: EndpointRun, most: number): string[] {
  const nowMs = run.deps.now();
  if ((run.head.pausedUntilMs ?? 0) > nowMs) return [];
  const isFree = (order: string) => !run.busy.has(order);
  if (isDead(run)) return run.busy.size > 0 ? [] : probe(run, nowMs);
  const due = retrying(run).filter((backlog) => isFree(backlog.of) && dueAtMs(run, backlog) <= nowMs);
  due.sort((one, other) => dueAtMs(run, one) - dueAtMs(run, other));
  const again = due.map(({ of }) => of);
  const startable = mayBeginOthers(run) ? beginnable(run) : lastCalls(run);
  const fresh = startable.filter((order) => isFree(order) && !isHeldUp(run, order));
  // One that has just refused is not asked for many more before it accepts one.
  const isFailing = run.head.failingSinceMs !== undefined;
  const mostFresh = isFailing ? Math.max(0, DEAD - refusedSinceAccepted(run) - run.busy.size) : most;
  return [...again, ...fresh.slice(0, mostFresh)].slice(0, most);
}

/**
 * One event by its schedule; else, every half hour, one of a contract that was not tried, for the endpoint may refuse only
 * some types; else the one that has waited longest, if it did not ask for more time.
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

/** Whether an endpoint that is down is asked with an event that no schedule calls for. */
function isProbeDue(run: EndpointRun): boolean {
  return isDead(run) && run.deps.now() >= extraProbeAtMs(run);
}

function extraProbeAtMs({ head }: EndpointRun): number {
  return Math.max(head.probedAtMs ?? 0, head.failingSinceMs ?? 0) + PROBE_MS;
}

/** Whether it is of use to read the stream further. */
export function wantsMore(run: EndpointRun): boolean {
  return mayBeginOthers(run) || isProbeDue(run);
}

/** The contracts whose queued events have to join a backlog. */
export function heldUpContracts(run: EndpointRun): string[] {
  return [...run.queues.keys()].filter((order) => !run.busy.has(order) && isHeldUp(run, order));
}

/** Whether events of contracts may be begun that no backlog holds. */
function mayBeginOthers(run: EndpointRun): boolean {
  return !isDead(run) && retrying(run).length < MOST_BACKLOGS;
}

/** When there is something to do again; undefined: when something happens. */
export function nextLookAt(run: EndpointRun): number | undefined {
  const pausedMs = run.head.pausedUntilMs ?? 0;
  const isMore = mayBeginOthers(run) && (!run.isAtEnd || beginnable(run).length > 0);
  if (isMore) return Math.max(run.deps.now(), pausedMs);
  const again = [...retrying(run).map((backlog) => dueAtMs(run, backlog)), ...lastCallTimes(run)];
  if (again.length === 0) return undefined;
  return Math.max(
    isDead(run) ? Math.min(probeAtMs(run), ...lastCallTimes(run)) : Math.min(...again),
    pausedMs,
  );
}

/** Contracts that no backlog holds, and that need not wait for others. */
function beginnable(run: EndpointRun): string[] {
  return [...run.queues.keys()].filter((order) => !isHeldBack(run, order));
}

function isHeldUp({ backlogs }: EndpointRun, order: string): boolean {
  const backlog = backlogs.get(order);
  return backlog !== undefined && holdsUp(backlog);
}

function retrying({ backlogs }: EndpointRun): Backlog[] {
  return [...backlogs.values()].filter(({ state }) => state === 'RETRYING' || state === 'RELEASING');
}

function dueAtMs(run: EndpointRun, backlog: Backlog): number {
  return isFromBefore(run, backlog) ? notBeforeMs(run, backlog) : backlog.nextAtMs;
}

/** Before when the endpoint does not want the event; what it said before it was changed does not count. */
function notBeforeMs({ head }: EndpointRun, backlog: Backlog): number {
  const isOfOld = (backlog.refusedAtMs ?? 0) <= (head.changedAtMs ?? Number.NEGATIVE_INFINITY);
  return isOfOld ? 0 : backlog.notBeforeMs;
}

/** Whether the last refusal was the endpoint's, which has recovered since. */
function isFromBefore({ head }: EndpointRun, { refusedAtMs }: Backlog): boolean {
  return refusedAtMs !== undefined && head.recoveredAtMs !== undefined && refusedAtMs <= head.recoveredAtMs;
}

function refusedSinceAccepted(run: EndpointRun): number {
  const acceptedAtMs = Math.max(run.head.lastAcceptedAtMs ?? 0, run.head.recoveredAtMs ?? 0);
  return retrying(run).filter(({ refusedAtMs = 0 }) => refusedAtMs > acceptedAtMs).length;
}

/** By the schedule of one of its events, or half an hour after the last probe. */
function probeAtMs(run: EndpointRun): number {
  return Math.min(extraProbeAtMs(run), ...retrying(run).map((backlog) => dueAtMs(run, backlog)));
}
