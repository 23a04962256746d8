/**
 * Runs one time slice of one endpoint: sends the waiting events, several contracts concurrently, until none is due.
 */
import { applyReplayRequests } from './apply-replay-requests.ts';
import { moveQueuedToBacklog, reportAndMarkDisabled, sendNextEvent } from './attempt-event.ts';
import { findParkedBacklogs } from './backlog.ts';
import { isProcessed, MAX_NUMBERS_AHEAD, markProcessed, skipToNumber } from './delivery-head.ts';
import {
  type DeliveryDeps,
  type DeliveryTimeSlice,
  type EndpointRun,
  isSubscribed,
  loadEndpointRun,
  OutdatedEndpointStateError,
  orderingKeyOf,
  type ServedEndpoint,
  type StreamEvent,
  saveDeliveryHead,
} from './endpoint-run.ts';
import { findBlockedContracts, findReadyContracts, nextPollAtMs, shouldReadFurther } from './health.ts';

/** The stream is read in pages, until there are enough contracts to choose from. */
const PAGE_SIZE = 100;
const ENOUGH_CONTRACTS = 64;
/**
 * After a crash, events that were accepted since the head was written are sent again: at most this many, or of this
 * time.
 */
const MAX_UNSAVED_EVENTS = 100;
const SAVE_INTERVAL_MS = 1000;
/** How long a run uses an endpoint's configuration (URL, secrets, status) before it checks whether it has changed. */
export const CONFIG_MAX_AGE_MS = 1000;
/** Another worker serves the endpoint: this one polls again when the other's time slice has ended. */
const OTHER_WORKER_WAIT_MS = 30_000;

/**
 * Delivers until the time slice ends or nothing is due.
 * @returns when to poll again (epoch milliseconds); undefined to wait for new work
 * @throws TEMPORARILY_UNAVAILABLE; accepted events may be sent again
 */
export async function deliverToEndpoint(
  deps: DeliveryDeps,
  endpoint: ServedEndpoint,
  turn: DeliveryTimeSlice,
): Promise<number | undefined> {
  const run = await loadEndpointRun(deps, endpoint, turn);
  try {
    if (!(await resetIfReenabled(run))) return undefined;
    if (!(await applyReplayRequests(run))) return deps.now();
    run.readTo = run.head.passed.cursor;
    await runDeliverySteps(run);
    if (run.isChanged) return deps.now();
    return run.head.disabled === undefined ? nextPollAtMs(run) : undefined;
  } catch (error) {
    if (error instanceof OutdatedEndpointStateError) return deps.now() + OTHER_WORKER_WAIT_MS;
    throw error;
  }
}

/** Whether the endpoint is served. If it was changed or enabled again, its failure state is reset. */
async function resetIfReenabled(run: EndpointRun): Promise<boolean> {
  const { deps, head, endpoint } = run;
  if (head.disabled !== undefined) {
    if (!head.disabled.isTold) await reportAndMarkDisabled(run, head.disabled);
    if (head.disabled.endpointVersion === endpoint.version) return false;
  }
  const isChanged =
    head.disabled !== undefined || (head.endpointVersion ?? endpoint.version) !== endpoint.version;
  head.endpointVersion = endpoint.version;
  if (!isChanged) return true;
  head.disabled = undefined;
  head.failingSinceMs = undefined;
  head.pausedUntilMs = undefined;
  head.recoveredAtMs = deps.now();
  head.changedAtMs = head.recoveredAtMs;
  run.unsaved++;
  return true;
}

async function runDeliverySteps(run: EndpointRun): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    failures.push(error);
    run.isEnded = true;
  };
  const begin = (contractKey: string, step: typeof sendNextEvent) => {
    run.busy.add(contractKey);
    const stepping: Promise<void> = step(run, contractKey)
      .catch(fail)
      .finally(() => {
        run.busy.delete(contractKey);
        underWay.delete(stepping);
      });
    underWay.add(stepping);
  };
  for (;;) {
    if (isRecheckDue(run)) await recheckConfiguration(run).catch(fail);
    if (mayStartSteps(run)) await startDueSteps(run, { begin, underWay }).catch(fail);
    if (underWay.size === 0) break;
    await Promise.race(underWay);
    if (isSaveDue(run)) await saveDeliveryHead(run).catch(fail);
  }
  // Accepted events are saved even if another step failed.
  if (run.unsaved > 0 && !failures.some((one) => one instanceof OutdatedEndpointStateError))
    await saveDeliveryHead(run).catch(fail);
  if (failures.length > 0) throw failures[0];
}

type StepStarter = {
  readonly begin: (contractKey: string, step: typeof sendNextEvent) => void;
  readonly underWay: ReadonlySet<unknown>;
};

async function startDueSteps(run: EndpointRun, { begin, underWay }: StepStarter): Promise<void> {
  if (shouldReadFurther(run)) await queueNextEvents(run);
  for (const contractKey of findBlockedContracts(run)) begin(contractKey, moveQueuedToBacklog);
  const freeSlots = run.maxConcurrency - underWay.size;
  if (freeSlots > 0)
    for (const contractKey of findReadyContracts(run, freeSlots)) begin(contractKey, sendNextEvent);
}

/**
 * Ends the run when the endpoint's configuration has changed since the run started, or the endpoint was deleted. A merchant
 * who disables an endpoint, or changes its URL or a leaked secret, expects an immediate effect.
 */
async function recheckConfiguration(run: EndpointRun): Promise<void> {
  run.configReadAtMs = run.deps.now();
  if ((await run.deps.readVersion(run.endpoint)) === run.endpoint.version) return;
  run.isChanged = true;
  run.isEnded = true;
}

function isRecheckDue(run: EndpointRun): boolean {
  return mayStartSteps(run) && run.deps.now() - run.configReadAtMs >= CONFIG_MAX_AGE_MS;
}

function mayStartSteps({ deps, turn, isEnded }: EndpointRun): boolean {
  return !isEnded && !turn.signal.aborted && deps.now() < turn.endAtMs;
}

function isSaveDue({ deps, unsaved, savedAtMs, isEnded }: EndpointRun): boolean {
  return (
    !isEnded && (unsaved >= MAX_UNSAVED_EVENTS || (unsaved > 0 && deps.now() - savedAtMs >= SAVE_INTERVAL_MS))
  );
}

/** Queues the next events of the stream, until there are enough contracts to choose from. */
async function queueNextEvents(run: EndpointRun): Promise<void> {
  const { deps, endpoint, head } = run;
  while (
    !run.isAtEnd &&
    run.queues.size < ENOUGH_CONTRACTS &&
    run.readTo < head.passed.cursor + MAX_NUMBERS_AHEAD
  ) {
    const events = await deps.readEvents(endpoint.shopId, run.readTo, PAGE_SIZE);
    run.isAtEnd = events.length < PAGE_SIZE;
    for (const event of events) {
      if (event.number > run.readTo) {
        // The events between have expired. Attempts below them have to end first.
        if (head.passed.cursor < run.readTo) {
          run.isAtEnd = false;
          return;
        }
        skipToNumber(head.passed, event.number);
        run.unsaved++;
      }
      run.readTo = event.number + 1;
      if (!isProcessed(head.passed, event.number)) queueEvent(run, event);
    }
    await loadParkedBacklogs(run);
  }
}

function queueEvent(run: EndpointRun, event: StreamEvent): void {
  if (!isSubscribed(run, event)) {
    markProcessed(run.head.passed, event.number);
    run.unsaved++;
    return;
  }
  const contractKey = orderingKeyOf(event);
  const queue = run.queues.get(contractKey);
  if (queue === undefined) run.queues.set(contractKey, [event]);
  else queue.push(event);
}

/** Adds the parked backlogs of the queued contracts to the run. Reads each contract once in a run. */
async function loadParkedBacklogs({ deps, endpoint, head, ...run }: EndpointRun): Promise<void> {
  if (!head.mayHaveParked) return;
  const unknown = [...run.queues.keys()].filter(
    (contractKey) => !run.checkedForParked.has(contractKey) && !run.backlogs.has(contractKey),
  );
  const parked = await findParkedBacklogs(deps.table, endpoint, unknown);
  for (const contractKey of unknown) run.checkedForParked.add(contractKey);
  // A contract that was parked concurrently has a newer state in the run.
  for (const backlog of parked) if (!run.backlogs.has(backlog.of)) run.backlogs.set(backlog.of, backlog);
}
