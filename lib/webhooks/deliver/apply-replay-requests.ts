/**
 * Applies the store's requests since the endpoint's last run: to replay the stream from an earlier number, and to resend
 * single events. Also finishes moves of backlogs that a crash interrupted. Each step is idempotent.
 */

import { awaitAll } from '../../domain/await-all.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { createBacklog, parkBacklog } from './attempt-event.ts';
import { type Backlog, findParkedBacklogs, listBacklogs, removeBacklog, writeBacklog } from './backlog.ts';
import { isNumberProcessed, markNumbersUnprocessedFrom } from './endpoint-delivery-state.ts';
import {
  deleteBacklog,
  type EndpointRun,
  OutdatedEndpointStateError,
  orderingKeyOf,
  saveBacklog,
  saveEndpointDeliveryState,
} from './endpoint-run.ts';

const BACKLOG_WRITE_CONCURRENCY = 20;

/**
 * Applies the endpoint's open replay and resend requests.
 * @returns false when the time slice ended before all requests were applied
 * @throws OutdatedEndpointStateError, TEMPORARILY_UNAVAILABLE
 */
export async function applyReplayRequests(run: EndpointRun): Promise<boolean> {
  const { deliveryState, endpoint } = run;
  for (const backlog of [...run.backlogs.values()]) {
    if (backlog.state === 'PARKING') await parkBacklog(run, backlog);
    if (backlog.state === 'RELEASING') await removeParkedSourceBacklog(run, backlog);
  }
  if (!(await clearReplayedBacklogs(run))) return false;
  const { replay } = endpoint;
  if (replay !== undefined && replay.id !== deliveryState.replayId) {
    markNumbersUnprocessedFrom(deliveryState.processedNumbers, replay.fromNumber);
    deliveryState.replayId = replay.id;
    deliveryState.replayingFrom = replay.fromNumber;
    deliveryState.pausedUntilMs = undefined;
    await saveEndpointDeliveryState(run);
    if (!(await clearReplayedBacklogs(run))) return false;
  }
  const { resends = [] } = endpoint;
  const requestedResends = resends.filter(({ id }) => !deliveryState.resendIds.includes(id));
  for (const { number } of requestedResends) await resendEvent(run, number);
  if (requestedResends.length > 0) {
    deliveryState.resendIds = resends.map(({ id }) => id);
    await saveEndpointDeliveryState(run);
  }
  return true;
}

/** Removes from all backlogs the events that the replay in progress sends again. Returns false when the time slice ended. */
async function clearReplayedBacklogs(run: EndpointRun): Promise<boolean> {
  const { deps, endpoint, deliveryState, timeSlice } = run;
  const replayStartNumber = deliveryState.replayingFrom;
  if (replayStartNumber === undefined) return true;
  for (const backlog of [...run.backlogs.values()])
    await removeReplayedEvents(run, backlog, replayStartNumber);
  const parkedBacklogs = deliveryState.mayHaveParked
    ? await listBacklogs(deps.table, endpoint, 'PARKED')
    : [];
  for (const backlogBatch of splitIntoBatches(parkedBacklogs, BACKLOG_WRITE_CONCURRENCY)) {
    if (deps.now() >= timeSlice.endAtMs || timeSlice.signal.aborted) return false;
    await awaitAll(backlogBatch.map((backlog) => removeReplayedEvents(run, backlog, replayStartNumber)));
  }
  deliveryState.replayingFrom = undefined;
  await saveEndpointDeliveryState(run);
  return true;
}

async function removeReplayedEvents(run: EndpointRun, backlog: Backlog, fromNumber: number): Promise<void> {
  const earlierNumbers = backlog.numbers.filter((number) => number < fromNumber);
  if (earlierNumbers.length === 0) return deleteBacklog(run, backlog);
  if (backlog.state === 'PARKED' || backlog.state === 'LEFT') {
    const leftBacklog = { ...backlog, numbers: earlierNumbers, state: 'LEFT' } as const;
    const writtenBacklog = await writeBacklog(run.deps.table, leftBacklog, run.deps.now());
    if (writtenBacklog === undefined) throw new OutdatedEndpointStateError();
  } else if (earlierNumbers.length < backlog.numbers.length)
    await saveBacklog(run, { ...backlog, numbers: earlierNumbers });
}

async function resendEvent(run: EndpointRun, number: number): Promise<void> {
  const { deps, endpoint, deliveryState } = run;
  const [event] = await deps.readEvents(endpoint.shopId, number, 1);
  if (event?.number !== number || !isNumberProcessed(deliveryState.processedNumbers, number)) return;
  const contractKey = orderingKeyOf(event);
  const freshBacklogState = { refusals: 0, isForgiven: false, nextAtMs: deps.now(), notBeforeMs: 0 };
  const waitingBacklog = run.backlogs.get(contractKey);
  if (waitingBacklog?.numbers.includes(number)) {
    await saveBacklog(run, { ...waitingBacklog, nextAtMs: deps.now(), notBeforeMs: 0 });
    return;
  }
  const [parkedBacklog] = deliveryState.mayHaveParked
    ? await findParkedBacklogs(deps.table, endpoint, [contractKey])
    : [];
  if (parkedBacklog?.numbers.includes(number)) {
    const mergedNumbers = [...new Set([...parkedBacklog.numbers, ...(waitingBacklog?.numbers ?? [])])].sort(
      (a, b) => a - b,
    );
    const newBacklog = { ...parkedBacklog, version: 0, firstRefusedAtMs: undefined, refusedAtMs: undefined };
    await saveBacklog(run, {
      ...newBacklog,
      ...waitingBacklog,
      ...freshBacklogState,
      numbers: mergedNumbers,
      state: 'RELEASING',
    });
    if ((await removeBacklog(deps.table, parkedBacklog)) === 'refused')
      throw new OutdatedEndpointStateError();
    return;
  }
  // The endpoint has accepted this event before, so it is resent outside the contract's order.
  const eventKey = `#${number}`;
  if (run.backlogs.has(eventKey)) return;
  await saveBacklog(run, { ...createBacklog(run, eventKey), ...freshBacklogState, numbers: [number] });
}

/** Removes the parked backlog from which a backlog in the state RELEASING was made, if a crash has left it. */
async function removeParkedSourceBacklog(run: EndpointRun, { of: contractKey }: Backlog): Promise<void> {
  const [parkedBacklog] = await findParkedBacklogs(run.deps.table, run.endpoint, [contractKey]);
  if (parkedBacklog !== undefined && (await removeBacklog(run.deps.table, parkedBacklog)) === 'refused')
    throw new OutdatedEndpointStateError();
}
