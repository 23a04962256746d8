/** Decides from an endpoint's responses whether the endpoint is down, which events may be sent next, and when. */
import { type Backlog, isBacklogBlocking, isBacklogRetried } from './backlog.ts';
import type { EndpointRun } from './endpoint-run.ts';

/** If this many contracts were refused and none accepted since, the endpoint is down, not the events faulty. */
const UNREACHABLE_AFTER_CONTRACT_COUNT = 8;
/** The longest time between two probes of an endpoint that is down. */
export const PROBE_INTERVAL_MS = 30 * 60_000;
/** When events of this many contracts are being retried, no further contract starts: the endpoint has to recover first. */
const MAX_FAILING_CONTRACTS = 1000;
/**
 * The type of the last event that a store's endpoints receive. The event waits for all earlier events, but shortly before
 * delivery to the store ends it is sent anyway, so that retries are still possible.
 */
const UNINSTALL_EVENT_TYPE = 'store.uninstalled';

/** Whether the endpoint is down: it then receives one event at a time, and no other contract starts. */
export function isEndpointUnreachable(run: EndpointRun): boolean {
  return countContractsRefusedSinceAcceptance(run) >= UNREACHABLE_AFTER_CONTRACT_COUNT;
}

/**
 * Whether an outage of the endpoint caused the refusals of a backlog's first event, so that the count of its refusals
 * restarts. That happens only once for each event.
 */
export function isFailureExcused(run: EndpointRun, backlog: Backlog | undefined): boolean {
  return backlog !== undefined && !backlog.isForgiven && isRefusedBeforeRecovery(run, backlog);
}

/** Returns the contracts for which an attempt may start now, the longest waiting first; at most `maximum`. */
export function findReadyContracts(run: EndpointRun, maximum: number): string[] {
  const nowMs = run.deps.now();
  if ((run.deliveryState.pausedUntilMs ?? 0) > nowMs) return [];
  const isNotInProgress = (contractKey: string) => !run.busyContracts.has(contractKey);
  if (isEndpointUnreachable(run)) return run.busyContracts.size > 0 ? [] : chooseProbeContract(run, nowMs);
  const dueBacklogs = listRetriedBacklogs(run).filter(
    (backlog) => isNotInProgress(backlog.of) && backlogDueAtMs(run, backlog) <= nowMs,
  );
  dueBacklogs.sort((one, other) => backlogDueAtMs(run, one) - backlogDueAtMs(run, other));
  const dueKeys = dueBacklogs.map(({ of }) => of);
  const startableKeys = mayStartContractsWithoutBacklog(run)
    ? listStartableContracts(run)
    : listDueUninstallOrderingKeys(run);
  const newContracts = startableKeys.filter(
    (contractKey) => isNotInProgress(contractKey) && !isContractBlocked(run, contractKey),
  );
  // After a refusal, only a few contracts without a backlog start until the endpoint accepts an event.
  const isEndpointFailing = run.deliveryState.failingSinceMs !== undefined;
  const maxNewContracts = isEndpointFailing
    ? Math.max(
        0,
        UNREACHABLE_AFTER_CONTRACT_COUNT - countContractsRefusedSinceAcceptance(run) - run.busyContracts.size,
      )
    : maximum;
  return [...dueKeys, ...newContracts.slice(0, maxNewContracts)].slice(0, maximum);
}

/**
 * Chooses the contract whose event is sent as a probe of an endpoint that is down: one whose retry is due. Every half hour it
 * is instead a contract that was not tried yet, because the endpoint may refuse only some types of events; or else the one
 * whose retry comes first, if the endpoint did not postpone it.
 */
function chooseProbeContract(run: EndpointRun, nowMs: number): string[] {
  const uninstallKeys = listDueUninstallOrderingKeys(run);
  if (uninstallKeys.length > 0) return uninstallKeys.slice(0, 1);
  const retriedBacklogs = listRetriedBacklogs(run).sort(
    (one, other) => backlogDueAtMs(run, one) - backlogDueAtMs(run, other),
  );
  const dueBacklogs = retriedBacklogs.filter((backlog) => backlogDueAtMs(run, backlog) <= nowMs);
  if (!isExtraProbeDue(run)) return dueBacklogs.slice(0, 1).map(({ of }) => of);
  run.deliveryState.probedAtMs = nowMs;
  run.unsavedCount++;
  const otherContracts = retriedBacklogs
    .filter((backlog) => backlogPostponedUntilMs(run, backlog) <= nowMs)
    .map(({ of }) => of);
  return [...listStartableContracts(run), ...otherContracts].slice(0, 1);
}

/** Whether the endpoint is down, and half an hour has passed since its last extra probe, so that one more is due. */
function isExtraProbeDue(run: EndpointRun): boolean {
  return isEndpointUnreachable(run) && run.deps.now() >= extraProbeAtMs(run);
}

function extraProbeAtMs({ deliveryState }: EndpointRun): number {
  return Math.max(deliveryState.probedAtMs ?? 0, deliveryState.failingSinceMs ?? 0) + PROBE_INTERVAL_MS;
}

/** Whether further events of the stream could be sent now, so that reading them is useful. */
export function shouldReadStreamFurther(run: EndpointRun): boolean {
  return mayStartContractsWithoutBacklog(run) || isExtraProbeDue(run);
}

/** Returns the contracts whose queued events have to move to the contract's backlog, because it blocks them. */
export function findBlockedContracts(run: EndpointRun): string[] {
  return [...run.queues.keys()].filter(
    (contractKey) => !run.busyContracts.has(contractKey) && isContractBlocked(run, contractKey),
  );
}

/** Whether contracts without a backlog may start. */
function mayStartContractsWithoutBacklog(run: EndpointRun): boolean {
  return !isEndpointUnreachable(run) && listRetriedBacklogs(run).length < MAX_FAILING_CONTRACTS;
}

/**
 * Returns when the worker has to run for this endpoint again, epoch milliseconds.
 * @returns undefined to wait for new work
 */
export function nextEndpointPollAtMs(run: EndpointRun): number | undefined {
  const pausedUntilMs = run.deliveryState.pausedUntilMs ?? 0;
  const mayStartWork =
    mayStartContractsWithoutBacklog(run) &&
    (!run.isStreamReadToEnd || listStartableContracts(run).length > 0);
  if (mayStartWork) return Math.max(run.deps.now(), pausedUntilMs);
  const retryTimes = [
    ...listRetriedBacklogs(run).map((backlog) => backlogDueAtMs(run, backlog)),
    ...listUninstallDeadlinesMs(run),
  ];
  if (retryTimes.length === 0) return undefined;
  return Math.max(
    isEndpointUnreachable(run)
      ? Math.min(nextProbeAtMs(run), ...listUninstallDeadlinesMs(run))
      : Math.min(...retryTimes),
    pausedUntilMs,
  );
}

/** Returns the contracts with queued events, except an uninstall event that has to wait for other events. */
function listStartableContracts(run: EndpointRun): string[] {
  return [...run.queues.keys()].filter((contractKey) => !isUninstallEventBehindOthers(run, contractKey));
}

function isContractBlocked({ backlogs }: EndpointRun, contractKey: string): boolean {
  const backlog = backlogs.get(contractKey);
  return backlog !== undefined && isBacklogBlocking(backlog);
}

function listRetriedBacklogs({ backlogs }: EndpointRun): Backlog[] {
  return [...backlogs.values()].filter(isBacklogRetried);
}

function backlogDueAtMs(run: EndpointRun, backlog: Backlog): number {
  return isRefusedBeforeRecovery(run, backlog) ? backlogPostponedUntilMs(run, backlog) : backlog.nextAtMs;
}

/**
 * Returns until when the endpoint's `Retry-After` postpones a backlog's first event, epoch milliseconds; 0 if it does not, or
 * the endpoint's configuration was changed since.
 */
function backlogPostponedUntilMs({ deliveryState }: EndpointRun, backlog: Backlog): number {
  const isOldRefusal = (backlog.refusedAtMs ?? 0) <= (deliveryState.changedAtMs ?? Number.NEGATIVE_INFINITY);
  return isOldRefusal ? 0 : backlog.notBeforeMs;
}

/** Whether the last refusal of the backlog's first event happened before the endpoint last recovered. */
function isRefusedBeforeRecovery({ deliveryState }: EndpointRun, { refusedAtMs }: Backlog): boolean {
  return (
    refusedAtMs !== undefined &&
    deliveryState.recoveredAtMs !== undefined &&
    refusedAtMs <= deliveryState.recoveredAtMs
  );
}

function countContractsRefusedSinceAcceptance(run: EndpointRun): number {
  const lastAcceptedAtMs = Math.max(
    run.deliveryState.lastAcceptedAtMs ?? 0,
    run.deliveryState.recoveredAtMs ?? 0,
  );
  return listRetriedBacklogs(run).filter(({ refusedAtMs = 0 }) => refusedAtMs > lastAcceptedAtMs).length;
}

/**
 * Returns when the next probe of an endpoint that is down is due: at the earliest scheduled retry of any event, but at the
 * latest half an hour after the last extra probe, or after the failures began.
 */
function nextProbeAtMs(run: EndpointRun): number {
  return Math.min(
    extraProbeAtMs(run),
    ...listRetriedBacklogs(run).map((backlog) => backlogDueAtMs(run, backlog)),
  );
}

/** Whether a queued contract's next event is the store's uninstall event, and must wait for an earlier event. */
function isUninstallEventBehindOthers(run: EndpointRun, contractKey: string): boolean {
  const { uninstallDeadlineAtMs } = run.timeSlice;
  const [event] = run.queues.get(contractKey) ?? [];
  if (uninstallDeadlineAtMs === undefined || event?.webhook?.type !== UNINSTALL_EVENT_TYPE) return false;
  return run.deps.now() < uninstallDeadlineAtMs && isEarlierEventWaiting(run, event.number);
}

/** Returns the ordering key of the uninstall event if it is queued and must not wait any more; otherwise none. */
function listDueUninstallOrderingKeys(run: EndpointRun): string[] {
  const { uninstallDeadlineAtMs = Infinity } = run.timeSlice;
  return run.deps.now() < uninstallDeadlineAtMs ? [] : listUninstallOrderingKeys(run);
}

/** Returns when the queued uninstall event stops waiting for other events; empty if it is not queued. */
function listUninstallDeadlinesMs(run: EndpointRun): number[] {
  const { uninstallDeadlineAtMs } = run.timeSlice;
  return uninstallDeadlineAtMs === undefined || listUninstallOrderingKeys(run).length === 0
    ? []
    : [uninstallDeadlineAtMs];
}

/** Returns the ordering key of the queued uninstall event; empty if it is not queued. */
function listUninstallOrderingKeys({ queues }: EndpointRun): string[] {
  return [...queues].flatMap(([contractKey, [event]]) =>
    event?.webhook?.type === UNINSTALL_EVENT_TYPE ? [contractKey] : [],
  );
}

/**
 * Whether an event with a lower number still waits. Parked events do not count, because they may never be sent again.
 */
function isEarlierEventWaiting({ queues, backlogs }: EndpointRun, number: number): boolean {
  const isBefore = (first: number | undefined) => first !== undefined && first < number;
  if ([...queues.values()].some(([event]) => isBefore(event?.number))) return true;
  return [...backlogs.values()].some((backlog) => isBacklogRetried(backlog) && isBefore(backlog.numbers[0]));
}
