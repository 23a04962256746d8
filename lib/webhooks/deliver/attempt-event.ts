/** Makes one attempt of a contract's next event, and processes the endpoint's response. */

import type { WebhookAnswer } from '../send-webhook.ts';
import { signWebhook } from '../webhook-secret.ts';
import { type Backlog, blocksContract, findParkedBacklogs } from './backlog.ts';
import { type DisabledState, markProcessed } from './delivery-head.ts';
import {
  dropBacklog,
  type EndpointRun,
  isSubscribed,
  MAX_CONCURRENCY,
  type StreamEvent,
  saveBacklog,
  saveDeliveryHead,
  type WebhookToSend,
} from './endpoint-run.ts';
import { isFailureExcused, isUnreachable } from './health.ts';
import { isOverloaded, nextAttemptAtMs, pausedUntilMs, requestedRetryAtMs } from './retry-schedule.ts';

const MAX_REFUSALS_BEFORE_PARKING = 6;
const HOUR_MS = 3_600_000;
const DISABLE_AFTER_MS = 24 * HOUR_MS;
/** The schedule leaves at most 12 hours between two attempts within 24 hours. */
const MAX_SILENCE_MS = 13 * HOUR_MS;
const GONE_STATUS = 410;
/** Events that wait behind a refused event beyond this number are left to a replay. */
const MAX_WAITING_EVENTS = 5000;

/**
 * Sends the contract's next event.
 * @throws OutdatedEndpointStateError, TEMPORARILY_UNAVAILABLE
 */
export async function sendNextEvent(run: EndpointRun, contractKey: string): Promise<void> {
  const backlog = findBlockingBacklog(run, contractKey);
  const event = backlog === undefined ? run.queues.get(contractKey)?.[0] : await readFirstEvent(run, backlog);
  if (event?.webhook === undefined || !isSubscribed(run, event)) return markNextProcessed(run, contractKey);
  const answer = await sendSigned(run, event.webhook);
  if (!isAccepted(answer)) return handleRefusal(run, contractKey, answer);
  recordAcceptanceInHead(run);
  await markNextProcessed(run, contractKey);
}

/**
 * Adds the events that were queued behind a refused one to the contract's backlog, so that they do not hold back the
 * cursor.
 */
export async function moveQueuedToBacklog(run: EndpointRun, contractKey: string): Promise<void> {
  const backlog = findBlockingBacklog(run, contractKey);
  const queued = run.queues.get(contractKey) ?? [];
  run.queues.delete(contractKey);
  if (backlog === undefined) return;
  await saveBacklog(run, { ...backlog, numbers: joinWaitingNumbers(run, backlog.numbers, queued) });
  markAllProcessed(run, queued);
}

/** Whether a response means that the endpoint has received the event. */
export function isAccepted(answer: WebhookAnswer): boolean {
  return 'status' in answer && answer.status >= 200 && answer.status < 300;
}

/**
 * Returns the backlog that blocks the contract's events.
 * @returns undefined when none does
 */
function findBlockingBacklog({ backlogs }: EndpointRun, contractKey: string): Backlog | undefined {
  const backlog = backlogs.get(contractKey);
  return backlog !== undefined && blocksContract(backlog) ? backlog : undefined;
}

async function readFirstEvent({ deps, endpoint }: EndpointRun, { numbers: [number = 0] }: Backlog) {
  const [event] = await deps.readEvents(endpoint.shopId, number, 1);
  return event?.number === number ? event : undefined;
}

async function sendSigned(
  { deps, endpoint }: EndpointRun,
  { id, body }: WebhookToSend,
): Promise<WebhookAnswer> {
  const secrets = await endpoint.openSecrets();
  const headers = signWebhook({ id, body, secrets, nowMs: deps.now() });
  return deps.send({ url: endpoint.url, headers, body });
}

function recordAcceptanceInHead(run: EndpointRun): void {
  const { deps, head } = run;
  if (isUnreachable(run)) head.recoveredAtMs = deps.now();
  head.lastAcceptedAtMs = deps.now();
  head.failingSinceMs = undefined;
  run.unsaved++;
  run.maxConcurrency = Math.min(MAX_CONCURRENCY, run.maxConcurrency + 1);
}

/** Marks the contract's next event as processed. */
async function markNextProcessed(run: EndpointRun, contractKey: string): Promise<void> {
  const backlog = findBlockingBacklog(run, contractKey);
  if (backlog === undefined) {
    const queue = run.queues.get(contractKey) ?? [];
    markAllProcessed(run, queue.splice(0, 1));
    if (queue.length === 0) run.queues.delete(contractKey);
    return;
  }
  const numbers = backlog.numbers.slice(1);
  if (numbers.length === 0) return dropBacklog(run, backlog);
  const times = { firstRefusedAtMs: undefined, refusedAtMs: undefined, nextAtMs: 0, notBeforeMs: 0 };
  await saveBacklog(run, {
    ...{ ...backlog, numbers, state: 'RETRYING', refusals: 0, isForgiven: false },
    ...times,
  });
}

async function handleRefusal(run: EndpointRun, contractKey: string, answer: WebhookAnswer): Promise<void> {
  const { deps, head } = run;
  const nowMs = deps.now();
  recordRefusalInHead(run, answer);
  const backlog = toRefusedBacklog(run, contractKey, answer);
  const queued = run.queues.get(contractKey) ?? [];
  run.queues.delete(contractKey);
  const numbers = joinWaitingNumbers(run, backlog.numbers, queued);
  const isOtherAccepted = (head.lastAcceptedAtMs ?? 0) > (backlog.firstRefusedAtMs ?? nowMs);
  const isParked = backlog.refusals >= MAX_REFUSALS_BEFORE_PARKING && isOtherAccepted;
  const state = isParked ? 'PARKING' : 'RETRYING';
  const saved = await saveBacklog(run, { ...backlog, numbers, state });
  markAllProcessed(run, queued);
  if (isParked) await parkBacklog(run, saved);
  if ('status' in answer && answer.status === GONE_STATUS) await disableEndpoint(run, 'GONE');
  else if (nowMs - (head.failingSinceMs ?? nowMs) >= DISABLE_AFTER_MS) await disableEndpoint(run, 'FAILING');
}

function recordRefusalInHead(run: EndpointRun, answer: WebhookAnswer): void {
  const { deps, head } = run;
  const nowMs = deps.now();
  if (head.failingSinceMs !== undefined && wasServiceInactive(run))
    head.resumedAtMs = head.failingSinceMs = nowMs;
  head.failingSinceMs ??= nowMs;
  run.unsaved++;
  if (isOverloaded(answer)) run.maxConcurrency = Math.max(1, Math.floor(run.maxConcurrency / 2));
  const untilMs = pausedUntilMs(answer, nowMs);
  if (untilMs !== undefined) head.pausedUntilMs = Math.max(untilMs, head.pausedUntilMs ?? 0);
}

/**
 * Whether the service, not the endpoint, was inactive since the last refusal: it was down, or its clock was changed
 * by days. Time for which the endpoint postponed the attempts does not count.
 */
function wasServiceInactive({ deps, backlogs }: EndpointRun): boolean {
  const lastMs = [...backlogs.values()].map(({ refusedAtMs = 0, notBeforeMs }) =>
    Math.max(refusedAtMs, notBeforeMs),
  );
  return deps.now() - Math.max(...lastMs) > MAX_SILENCE_MS;
}

/** Returns the contract's backlog after one more refusal of its first event. */
function toRefusedBacklog(run: EndpointRun, contractKey: string, answer: WebhookAnswer): Backlog {
  const { deps, head } = run;
  const nowMs = deps.now();
  const before = findBlockingBacklog(run, contractKey);
  const isForgiven = isFailureExcused(run, before);
  const isFirst = isForgiven || (before?.refusedAtMs ?? nowMs) < (head.resumedAtMs ?? 0);
  const refusals = (isFirst ? 0 : (before?.refusals ?? 0)) + 1;
  const scheduledMs = nextAttemptAtMs(refusals, { nowMs, random: deps.random });
  const notBeforeMs = requestedRetryAtMs(answer, nowMs);
  // Make the last attempt at the end of the day after which the endpoint is disabled, not hours later.
  const lastMs = Math.max(nowMs, (head.failingSinceMs ?? nowMs) + DISABLE_AFTER_MS);
  return {
    ...(before ?? createBacklog(run, contractKey)),
    refusals,
    isForgiven: isForgiven || before?.isForgiven === true,
    firstRefusedAtMs: (refusals > 1 ? before?.firstRefusedAtMs : undefined) ?? nowMs,
    refusedAtMs: nowMs,
    nextAtMs: Math.max(Math.min(scheduledMs, lastMs), notBeforeMs),
    notBeforeMs,
    answer: 'status' in answer ? answer.status : answer.failed,
  };
}

/** A backlog before its first refusal. */
export function createBacklog({ endpoint }: EndpointRun, of: string) {
  const ref = { shopId: endpoint.shopId, endpointId: endpoint.id, of };
  return { ...ref, state: 'RETRYING', numbers: [], version: 0 } as const;
}

/** Moves a backlog from the retried ones to the parked ones. Idempotent after a crash. */
export async function parkBacklog(run: EndpointRun, backlog: Backlog): Promise<void> {
  const { deps, endpoint, head } = run;
  if (!head.mayHaveParked) {
    head.mayHaveParked = true;
    await saveDeliveryHead(run);
  }
  const [left] = await findParkedBacklogs(deps.table, endpoint, [backlog.of]);
  const numbers = [...new Set([...(left?.numbers ?? []), ...backlog.numbers])].sort((a, b) => a - b);
  const parked = { ...backlog, numbers, state: 'PARKED', version: left?.version ?? 0 } as const;
  await saveBacklog(run, parked);
  await dropBacklog(run, backlog);
}

async function disableEndpoint(run: EndpointRun, reason: DisabledState['reason']): Promise<void> {
  if (run.isEnded) return;
  run.isEnded = true;
  const atMs = run.deps.now();
  run.head.disabled = { endpointVersion: run.endpoint.version, reason, atMs, isTold: false };
  await saveDeliveryHead(run);
  await reportAndMarkDisabled(run, run.head.disabled);
}

/** Reports the disabled endpoint. After a crash it reports again, with the same content. */
export async function reportAndMarkDisabled(run: EndpointRun, disabled: DisabledState): Promise<void> {
  await run.deps.reportDisabledEndpoint(run.endpoint, disabled);
  run.head.disabled = { ...disabled, isTold: true };
  await saveDeliveryHead(run);
}

function joinWaitingNumbers(
  run: EndpointRun,
  numbers: readonly number[],
  queued: readonly StreamEvent[],
): number[] {
  const all = [...new Set([...numbers, ...queued.map(({ number }) => number)])];
  if (all.length > MAX_WAITING_EVENTS) {
    const { id: endpointId, shopId } = run.endpoint;
    const count = all.length - MAX_WAITING_EVENTS;
    run.deps.logger.warn('webhook_backlog.overflowed', { shopId, endpointId, count });
  }
  return all.slice(0, MAX_WAITING_EVENTS);
}

function markAllProcessed(run: EndpointRun, events: readonly StreamEvent[]): void {
  for (const { number } of events) markProcessed(run.head.passed, number);
  run.unsaved += events.length;
}
