/** Makes one attempt to send a contract's next event, and processes the endpoint's response. */

import type { WebhookResponse } from '../send-webhook.ts';
import { signWebhook } from '../webhook-secret.ts';
import { type Backlog, findParkedBacklogs, isBacklogBlocking } from './backlog.ts';
import { type DisabledState, markNumberProcessed } from './endpoint-delivery-state.ts';
import { isEndpointUnreachable, isFailureExcused } from './endpoint-health.ts';
import {
  deleteBacklog,
  type EndpointRun,
  isEventSentToEndpoint,
  MAX_CONCURRENT_ATTEMPTS,
  type StreamEvent,
  saveBacklog,
  saveEndpointDeliveryState,
  type WebhookToSend,
} from './endpoint-run.ts';
import {
  isOverloadResponse,
  nextAttemptAtMs,
  requestedEndpointPauseUntilMs,
  requestedRetryAtMs,
} from './retry-schedule.ts';

const MAX_REFUSALS_BEFORE_PARKING = 6;
const HOUR_MS = 3_600_000;
const DISABLE_AFTER_MS = 24 * HOUR_MS;
/** More than the longest time between two scheduled attempts in the 24 hours after which an endpoint is disabled: 12 hours. */
const MAX_ATTEMPT_GAP_MS = 13 * HOUR_MS;
const GONE_STATUS = 410;
/** The maximum number of events in a backlog. Further events of the contract are dropped; a replay can send them. */
const MAX_EVENTS_PER_BACKLOG = 5000;

/**
 * Sends the contract's next event: the first one of its backlog if that blocks the contract, else the first queued one.
 * @throws OutdatedEndpointStateError, TEMPORARILY_UNAVAILABLE
 */
export async function sendNextEventOfContract(run: EndpointRun, contractKey: string): Promise<void> {
  const blockingBacklog = findBlockingBacklog(run, contractKey);
  const event =
    blockingBacklog === undefined
      ? run.queues.get(contractKey)?.[0]
      : await readFirstEventOfBacklog(run, blockingBacklog);
  if (event?.webhook === undefined || !isEventSentToEndpoint(run, event))
    return markNextEventProcessed(run, contractKey);
  const webhookResponse = await sendSignedWebhook(run, event.webhook);
  if (!isAcceptedResponse(webhookResponse)) return handleEndpointRefusal(run, contractKey, webhookResponse);
  applyAcceptanceToRun(run);
  await markNextEventProcessed(run, contractKey);
}

/**
 * Moves a contract's queued events to the backlog that blocks the contract, so that they do not hold back the cursor.
 */
export async function moveQueuedEventsToBacklog(run: EndpointRun, contractKey: string): Promise<void> {
  const backlog = findBlockingBacklog(run, contractKey);
  const queuedEvents = run.queues.get(contractKey) ?? [];
  run.queues.delete(contractKey);
  if (backlog === undefined) return;
  await saveBacklog(run, { ...backlog, numbers: mergeBacklogNumbers(run, backlog.numbers, queuedEvents) });
  markEventsProcessed(run, queuedEvents);
}

/** Whether the response accepts the event. */
export function isAcceptedResponse(response: WebhookResponse): boolean {
  return 'status' in response && response.status >= 200 && response.status < 300;
}

/**
 * Returns the backlog that blocks the contract's events.
 * @returns undefined when none does
 */
function findBlockingBacklog({ backlogs }: EndpointRun, contractKey: string): Backlog | undefined {
  const backlog = backlogs.get(contractKey);
  return backlog !== undefined && isBacklogBlocking(backlog) ? backlog : undefined;
}

async function readFirstEventOfBacklog({ deps, endpoint }: EndpointRun, { numbers: [number = 0] }: Backlog) {
  const [event] = await deps.readEvents(endpoint.shopId, number, 1);
  return event?.number === number ? event : undefined;
}

async function sendSignedWebhook(
  { deps, endpoint }: EndpointRun,
  { id, body }: WebhookToSend,
): Promise<WebhookResponse> {
  const secrets = await endpoint.openSecrets();
  const headers = signWebhook({ id, body, secrets, nowMs: deps.now() });
  return deps.send({ url: endpoint.url, headers, body });
}

function applyAcceptanceToRun(run: EndpointRun): void {
  const { deps, deliveryState } = run;
  if (isEndpointUnreachable(run)) deliveryState.recoveredAtMs = deps.now();
  deliveryState.lastAcceptedAtMs = deps.now();
  deliveryState.failingSinceMs = undefined;
  run.unsavedCount++;
  run.maxConcurrency = Math.min(MAX_CONCURRENT_ATTEMPTS, run.maxConcurrency + 1);
}

/** Removes the contract's next event from its backlog, or from its queue, because it was accepted or is not sent. */
async function markNextEventProcessed(run: EndpointRun, contractKey: string): Promise<void> {
  const blockingBacklog = findBlockingBacklog(run, contractKey);
  if (blockingBacklog === undefined) {
    const queuedEvents = run.queues.get(contractKey) ?? [];
    markEventsProcessed(run, queuedEvents.splice(0, 1));
    if (queuedEvents.length === 0) run.queues.delete(contractKey);
    return;
  }
  const remainingNumbers = blockingBacklog.numbers.slice(1);
  if (remainingNumbers.length === 0) return deleteBacklog(run, blockingBacklog);
  const clearedTimes = { firstRefusedAtMs: undefined, refusedAtMs: undefined, nextAtMs: 0, notBeforeMs: 0 };
  await saveBacklog(run, {
    ...{ ...blockingBacklog, numbers: remainingNumbers, state: 'RETRYING', refusals: 0, isForgiven: false },
    ...clearedTimes,
  });
}

async function handleEndpointRefusal(
  run: EndpointRun,
  contractKey: string,
  response: WebhookResponse,
): Promise<void> {
  const { deps, deliveryState } = run;
  const nowMs = deps.now();
  applyRefusalToRun(run, response);
  const refusedBacklog = toBacklogAfterRefusal(run, contractKey, response);
  const queuedEvents = run.queues.get(contractKey) ?? [];
  run.queues.delete(contractKey);
  const mergedNumbers = mergeBacklogNumbers(run, refusedBacklog.numbers, queuedEvents);
  const wasOtherAccepted = (deliveryState.lastAcceptedAtMs ?? 0) > (refusedBacklog.firstRefusedAtMs ?? nowMs);
  const isNowParked = refusedBacklog.refusals >= MAX_REFUSALS_BEFORE_PARKING && wasOtherAccepted;
  const backlogState = isNowParked ? 'PARKING' : 'RETRYING';
  const savedBacklog = await saveBacklog(run, {
    ...refusedBacklog,
    numbers: mergedNumbers,
    state: backlogState,
  });
  markEventsProcessed(run, queuedEvents);
  if (isNowParked) await parkBacklog(run, savedBacklog);
  if ('status' in response && response.status === GONE_STATUS) await disableEndpoint(run, 'GONE');
  else if (nowMs - (deliveryState.failingSinceMs ?? nowMs) >= DISABLE_AFTER_MS)
    await disableEndpoint(run, 'FAILING');
}

function applyRefusalToRun(run: EndpointRun, response: WebhookResponse): void {
  const { deps, deliveryState } = run;
  const nowMs = deps.now();
  if (deliveryState.failingSinceMs !== undefined && didServiceMissAttempts(run))
    deliveryState.resumedAtMs = deliveryState.failingSinceMs = nowMs;
  deliveryState.failingSinceMs ??= nowMs;
  run.unsavedCount++;
  if (isOverloadResponse(response)) run.maxConcurrency = Math.max(1, Math.floor(run.maxConcurrency / 2));
  const pauseUntilMs = requestedEndpointPauseUntilMs(response, nowMs);
  if (pauseUntilMs !== undefined)
    deliveryState.pausedUntilMs = Math.max(pauseUntilMs, deliveryState.pausedUntilMs ?? 0);
}

/**
 * Whether the service, not the endpoint, was inactive since the last refusal, because no attempt was made for longer than the
 * schedule allows. Time for which the endpoint postponed the attempts does not count.
 */
function didServiceMissAttempts({ deps, backlogs }: EndpointRun): boolean {
  const lastRefusalTimesMs = [...backlogs.values()].map(({ refusedAtMs = 0, notBeforeMs }) =>
    Math.max(refusedAtMs, notBeforeMs),
  );
  return deps.now() - Math.max(...lastRefusalTimesMs) > MAX_ATTEMPT_GAP_MS;
}

/** Returns the contract's backlog after one more refusal of its first event. */
function toBacklogAfterRefusal(run: EndpointRun, contractKey: string, response: WebhookResponse): Backlog {
  const { deps, deliveryState } = run;
  const nowMs = deps.now();
  const blockingBacklog = findBlockingBacklog(run, contractKey);
  const isExcused = isFailureExcused(run, blockingBacklog);
  const startsNewCount =
    isExcused || (blockingBacklog?.refusedAtMs ?? nowMs) < (deliveryState.resumedAtMs ?? 0);
  const refusalCount = (startsNewCount ? 0 : (blockingBacklog?.refusals ?? 0)) + 1;
  const scheduledAttemptAtMs = nextAttemptAtMs(refusalCount, { nowMs, random: deps.random });
  const notBeforeMs = requestedRetryAtMs(response, nowMs);
  // Make the last attempt at the end of the day after which the endpoint is disabled, not hours later.
  const lastAttemptAtMs = Math.max(nowMs, (deliveryState.failingSinceMs ?? nowMs) + DISABLE_AFTER_MS);
  return {
    ...(blockingBacklog ?? createBacklog(run, contractKey)),
    refusals: refusalCount,
    isForgiven: isExcused || blockingBacklog?.isForgiven === true,
    firstRefusedAtMs: (refusalCount > 1 ? blockingBacklog?.firstRefusedAtMs : undefined) ?? nowMs,
    refusedAtMs: nowMs,
    nextAtMs: Math.max(Math.min(scheduledAttemptAtMs, lastAttemptAtMs), notBeforeMs),
    notBeforeMs,
    answer: 'status' in response ? response.status : response.failed,
  };
}

/** Creates an empty backlog, as it is before the first refusal. */
export function createBacklog({ endpoint }: EndpointRun, contractKey: string) {
  const ref = { shopId: endpoint.shopId, endpointId: endpoint.id, of: contractKey };
  return { ...ref, state: 'RETRYING', numbers: [], version: 0 } as const;
}

/** Parks a backlog: writes it under the key of parked backlogs, and removes it from those to retry. Idempotent. */
export async function parkBacklog(run: EndpointRun, backlog: Backlog): Promise<void> {
  const { deps, endpoint, deliveryState } = run;
  if (!deliveryState.mayHaveParked) {
    deliveryState.mayHaveParked = true;
    await saveEndpointDeliveryState(run);
  }
  const [parkedBacklog] = await findParkedBacklogs(deps.table, endpoint, [backlog.of]);
  const mergedNumbers = [...new Set([...(parkedBacklog?.numbers ?? []), ...backlog.numbers])].sort(
    (a, b) => a - b,
  );
  const parkedBacklogAfter = {
    ...backlog,
    numbers: mergedNumbers,
    state: 'PARKED',
    version: parkedBacklog?.version ?? 0,
  } as const;
  await saveBacklog(run, parkedBacklogAfter);
  await deleteBacklog(run, backlog);
}

async function disableEndpoint(run: EndpointRun, reason: DisabledState['reason']): Promise<void> {
  if (run.isEnded) return;
  run.isEnded = true;
  const atMs = run.deps.now();
  run.deliveryState.disabled = { endpointVersion: run.endpoint.version, reason, atMs, isTold: false };
  await saveEndpointDeliveryState(run);
  await reportAndMarkDisabled(run, run.deliveryState.disabled);
}

/** Reports the disabled endpoint to the store and the operators. After a crash it reports again, with the same content. */
export async function reportAndMarkDisabled(run: EndpointRun, disabled: DisabledState): Promise<void> {
  await run.deps.reportDisabledEndpoint(run.endpoint, disabled);
  run.deliveryState.disabled = { ...disabled, isTold: true };
  await saveEndpointDeliveryState(run);
}

function mergeBacklogNumbers(
  run: EndpointRun,
  numbers: readonly number[],
  queuedEvents: readonly StreamEvent[],
): number[] {
  const allNumbers = [...new Set([...numbers, ...queuedEvents.map(({ number }) => number)])];
  if (allNumbers.length > MAX_EVENTS_PER_BACKLOG) {
    const { id: endpointId, shopId } = run.endpoint;
    const overflowCount = allNumbers.length - MAX_EVENTS_PER_BACKLOG;
    run.deps.logger.warn('webhook_backlog.overflowed', { shopId, endpointId, count: overflowCount });
  }
  return allNumbers.slice(0, MAX_EVENTS_PER_BACKLOG);
}

function markEventsProcessed(run: EndpointRun, events: readonly StreamEvent[]): void {
  for (const { number } of events) markNumberProcessed(run.deliveryState.processedNumbers, number);
  run.unsavedCount += events.length;
}
