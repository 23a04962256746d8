/**
 * Calculates when a refused event is sent again: by the schedule of Standard Webhooks 1.0.0, but not before the
 * endpoint's `Retry-After`.
 */
import type { WebhookResponse } from '../send-webhook.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The delays after the first refusal of an event, the second refusal and so on. After all further ones, the last delay. */
const RETRY_DELAYS_MS = [
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const RETRY_JITTER_RATIO = 0.2;
/** The longest time by which the `Retry-After` of a response postpones its event. */
const MAX_EVENT_RETRY_AFTER_MS = 24 * HOUR_MS;
/** The longest time by which the `Retry-After` of a response postpones all events of its endpoint. */
const MAX_ENDPOINT_RETRY_AFTER_MS = HOUR_MS;
/** The statuses that mean that the endpoint is overloaded. */
const OVERLOAD_STATUSES = [429, 502, 503, 504];

type RetryClock = { readonly nowMs: number; readonly random: () => number };

/** Returns when an event is sent again after this many refusals, epoch milliseconds. `random` returns 0 to 1, for jitter. */
export function nextAttemptAtMs(refusalCount: number, { nowMs, random }: RetryClock): number {
  const delayMs = RETRY_DELAYS_MS[Math.min(refusalCount, RETRY_DELAYS_MS.length) - 1] ?? 0;
  return nowMs + Math.round(delayMs * (1 + RETRY_JITTER_RATIO * random()));
}

/**
 * Returns until when the endpoint's `Retry-After` postpones this event, at most 24 hours from now.
 * @returns epoch milliseconds; 0 without a `Retry-After`
 */
export function requestedRetryAtMs(response: WebhookResponse, nowMs: number): number {
  const requestedDelayMs = parseRetryAfterMs(response, nowMs);
  return requestedDelayMs === undefined ? 0 : nowMs + Math.min(requestedDelayMs, MAX_EVENT_RETRY_AFTER_MS);
}

/**
 * Returns until when the `Retry-After` of an overloaded endpoint postpones all of its events, at most an hour from now.
 * @returns epoch milliseconds; undefined when the endpoint is not overloaded or sent no `Retry-After`
 */
export function requestedEndpointPauseUntilMs(response: WebhookResponse, nowMs: number): number | undefined {
  if (!isOverloadResponse(response)) return undefined;
  const requestedDelayMs = parseRetryAfterMs(response, nowMs);
  return requestedDelayMs === undefined
    ? undefined
    : nowMs + Math.min(requestedDelayMs, MAX_ENDPOINT_RETRY_AFTER_MS);
}

/** Whether the endpoint is overloaded, so that fewer concurrent requests would help. */
export function isOverloadResponse(response: WebhookResponse): boolean {
  return 'failed' in response ? response.failed === 'TIMEOUT' : OVERLOAD_STATUSES.includes(response.status);
}

/**
 * Parses `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
 * @returns undefined for any other value
 */
function parseRetryAfterMs(response: WebhookResponse, nowMs: number): number | undefined {
  if ('failed' in response || response.retryAfter === undefined) return undefined;
  const text = response.retryAfter.trim();
  const requestedDelayMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(requestedDelayMs) ? undefined : Math.max(0, requestedDelayMs);
}
