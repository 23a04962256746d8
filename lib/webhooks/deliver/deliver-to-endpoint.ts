/**
 * Runs one time slice of one endpoint: sends the waiting events, several contracts concurrently, until none is due.
 */
import { applyReplayRequests } from './apply-replay-requests.ts';
import {
  moveQueuedEventsToBacklog,
  reportAndMarkDisabled,
  sendNextEventOfContract,
} from './attempt-event.ts';
import { findParkedBacklogs } from './backlog.ts';
import {
  isNumberProcessed,
  MAX_NUMBERS_ABOVE_CURSOR,
  markNumberProcessed,
  skipCursorToNumber,
} from './endpoint-delivery-state.ts';
import {
  findBlockedContracts,
  findReadyContracts,
  nextEndpointPollAtMs,
  shouldReadStreamFurther,
} from './endpoint-health.ts';
import {
  type DeliveryDeps,
  type DeliveryTimeSlice,
  type EndpointRun,
  isEventSentToEndpoint,
  loadEndpointRun,
  OutdatedEndpointStateError,
  orderingKeyOf,
  type ServedEndpoint,
  type StreamEvent,
  saveEndpointDeliveryState,
} from './endpoint-run.ts';

const STREAM_PAGE_SIZE = 100;
/** The stream is read further until the events of this many contracts are queued. */
const TARGET_QUEUED_CONTRACT_COUNT = 64;
/**
 * No further page is read while so many characters of bodies wait: a run serves a hundred endpoints, and their events
 * share its memory (docs/costs.md). A body has 1,000 characters, and less than 20,000.
 */
const MAX_QUEUED_CHARACTERS = 256 * 1024;
/**
 * Events that were accepted since the delivery state was last written are sent again after a crash. So it is written after
 * this many events, or after `STATE_SAVE_INTERVAL_MS`.
 */
const MAX_UNSAVED_EVENTS = 100;
const STATE_SAVE_INTERVAL_MS = 1000;
/** How long a run uses an endpoint's configuration (URL, secrets, status) before it checks whether it has changed. */
export const ENDPOINT_CONFIG_MAX_AGE_MS = 1000;
/** After this time the worker polls an endpoint again that another worker serves, whose time slice has ended by then. */
const POLL_AFTER_OTHER_WORKER_MS = 30_000;

/**
 * Delivers until the time slice ends or nothing is due.
 * @returns when to poll again (epoch milliseconds); undefined to wait for new work
 * @throws TEMPORARILY_UNAVAILABLE; accepted events may be sent again
 */
export async function deliverToEndpoint(
  deps: DeliveryDeps,
  endpoint: ServedEndpoint,
  timeSlice: DeliveryTimeSlice,
): Promise<number | undefined> {
  const run = await loadEndpointRun(deps, endpoint, timeSlice);
  try {
    if (!(await resetStateIfReenabled(run))) return undefined;
    if (!(await applyReplayRequests(run))) return deps.now();
    run.nextReadNumber = run.deliveryState.processedNumbers.cursor;
    await runDeliverySteps(run);
    if (run.isConfigurationChanged) return deps.now();
    return run.deliveryState.disabled === undefined ? nextEndpointPollAtMs(run) : undefined;
  } catch (error) {
    if (error instanceof OutdatedEndpointStateError) return deps.now() + POLL_AFTER_OTHER_WORKER_MS;
    throw error;
  }
}

/** Resets the failure state if the endpoint was changed or enabled again. Returns false while the endpoint is disabled. */
async function resetStateIfReenabled(run: EndpointRun): Promise<boolean> {
  const { deps, deliveryState, endpoint } = run;
  if (deliveryState.disabled !== undefined) {
    if (!deliveryState.disabled.isTold) await reportAndMarkDisabled(run, deliveryState.disabled);
    if (deliveryState.disabled.endpointVersion === endpoint.version) return false;
  }
  const isEndpointChanged =
    deliveryState.disabled !== undefined ||
    (deliveryState.endpointVersion ?? endpoint.version) !== endpoint.version;
  deliveryState.endpointVersion = endpoint.version;
  if (!isEndpointChanged) return true;
  deliveryState.disabled = undefined;
  deliveryState.failingSinceMs = undefined;
  deliveryState.pausedUntilMs = undefined;
  deliveryState.recoveredAtMs = deps.now();
  deliveryState.changedAtMs = deliveryState.recoveredAtMs;
  run.unsavedCount++;
  return true;
}

async function runDeliverySteps(run: EndpointRun): Promise<void> {
  const runningSteps = new Set<Promise<void>>();
  const stepErrors: unknown[] = [];
  const recordStepError = (error: unknown) => {
    stepErrors.push(error);
    run.isEnded = true;
  };
  const startStep = (contractKey: string, step: typeof sendNextEventOfContract) => {
    run.busyContracts.add(contractKey);
    const runningStep: Promise<void> = step(run, contractKey)
      .catch(recordStepError)
      .finally(() => {
        run.busyContracts.delete(contractKey);
        runningSteps.delete(runningStep);
      });
    runningSteps.add(runningStep);
  };
  for (;;) {
    if (isConfigurationRecheckDue(run)) await recheckEndpointConfiguration(run).catch(recordStepError);
    if (mayStartDeliverySteps(run))
      await startDueDeliverySteps(run, { start: startStep, runningSteps }).catch(recordStepError);
    if (runningSteps.size === 0) break;
    await Promise.race(runningSteps);
    if (isStateSaveDue(run)) await saveEndpointDeliveryState(run).catch(recordStepError);
  }
  // Accepted events are saved even if another step failed.
  if (run.unsavedCount > 0 && !stepErrors.some((one) => one instanceof OutdatedEndpointStateError))
    await saveEndpointDeliveryState(run).catch(recordStepError);
  if (stepErrors.length > 0) throw stepErrors[0];
}

type DeliveryStepStarter = {
  readonly start: (contractKey: string, step: typeof sendNextEventOfContract) => void;
  readonly runningSteps: ReadonlySet<unknown>;
};

async function startDueDeliverySteps(
  run: EndpointRun,
  { start, runningSteps }: DeliveryStepStarter,
): Promise<void> {
  if (shouldReadStreamFurther(run)) await queueNextStreamEvents(run);
  for (const contractKey of findBlockedContracts(run)) start(contractKey, moveQueuedEventsToBacklog);
  const freeSlots = run.maxConcurrency - runningSteps.size;
  if (freeSlots > 0)
    for (const contractKey of findReadyContracts(run, freeSlots)) start(contractKey, sendNextEventOfContract);
}

/**
 * Ends the run when the endpoint's configuration has changed since the run started, or the endpoint was deleted. A merchant
 * who disables an endpoint, or changes its URL or a leaked secret, expects an immediate effect.
 */
async function recheckEndpointConfiguration(run: EndpointRun): Promise<void> {
  run.configReadAtMs = run.deps.now();
  if ((await run.deps.readVersion(run.endpoint)) === run.endpoint.version) return;
  run.isConfigurationChanged = true;
  run.isEnded = true;
}

function isConfigurationRecheckDue(run: EndpointRun): boolean {
  return mayStartDeliverySteps(run) && run.deps.now() - run.configReadAtMs >= ENDPOINT_CONFIG_MAX_AGE_MS;
}

function mayStartDeliverySteps({ deps, timeSlice, isEnded }: EndpointRun): boolean {
  return !isEnded && !timeSlice.signal.aborted && deps.now() < timeSlice.endAtMs;
}

function isStateSaveDue({ deps, unsavedCount, savedAtMs, isEnded }: EndpointRun): boolean {
  return (
    !isEnded &&
    (unsavedCount >= MAX_UNSAVED_EVENTS ||
      (unsavedCount > 0 && deps.now() - savedAtMs >= STATE_SAVE_INTERVAL_MS))
  );
}

/** Queues the next events of the stream, until enough contracts have queued events. */
async function queueNextStreamEvents(run: EndpointRun): Promise<void> {
  const { deps, endpoint, deliveryState } = run;
  while (
    !run.isStreamReadToEnd &&
    run.queues.size < TARGET_QUEUED_CONTRACT_COUNT &&
    run.nextReadNumber < deliveryState.processedNumbers.cursor + MAX_NUMBERS_ABOVE_CURSOR &&
    countQueuedCharacters(run) < MAX_QUEUED_CHARACTERS
  ) {
    const events = await deps.readEvents(endpoint.shopId, run.nextReadNumber, STREAM_PAGE_SIZE);
    run.isStreamReadToEnd = events.length < STREAM_PAGE_SIZE;
    for (const event of events) {
      if (event.number > run.nextReadNumber) {
        // The events in the gap have expired. Wait until all events below the gap are processed, and then skip it.
        if (deliveryState.processedNumbers.cursor < run.nextReadNumber) {
          run.isStreamReadToEnd = false;
          return;
        }
        skipCursorToNumber(deliveryState.processedNumbers, event.number);
        run.unsavedCount++;
      }
      run.nextReadNumber = event.number + 1;
      if (!isNumberProcessed(deliveryState.processedNumbers, event.number)) queueStreamEvent(run, event);
    }
    await loadParkedBacklogs(run);
  }
}

function countQueuedCharacters({ queues }: EndpointRun): number {
  let count = 0;
  for (const queue of queues.values()) for (const { webhook } of queue) count += webhook?.body.length ?? 0;
  return count;
}

function queueStreamEvent(run: EndpointRun, event: StreamEvent): void {
  if (!isEventSentToEndpoint(run, event)) {
    markNumberProcessed(run.deliveryState.processedNumbers, event.number);
    run.unsavedCount++;
    return;
  }
  const contractKey = orderingKeyOf(event);
  const contractQueue = run.queues.get(contractKey);
  if (contractQueue === undefined) run.queues.set(contractKey, [event]);
  else contractQueue.push(event);
}

/** Adds the parked backlogs of contracts with queued events to the run. They are read once for each contract in a run. */
async function loadParkedBacklogs({ deps, endpoint, deliveryState, ...run }: EndpointRun): Promise<void> {
  if (!deliveryState.mayHaveParked) return;
  const uncheckedKeys = [...run.queues.keys()].filter(
    (contractKey) => !run.checkedForParked.has(contractKey) && !run.backlogs.has(contractKey),
  );
  const parkedBacklogs = await findParkedBacklogs(deps.table, endpoint, uncheckedKeys);
  for (const contractKey of uncheckedKeys) run.checkedForParked.add(contractKey);
  // A contract that was parked concurrently has a newer state in the run.
  for (const backlog of parkedBacklogs)
    if (!run.backlogs.has(backlog.of)) run.backlogs.set(backlog.of, backlog);
}
