/** When an event that was refused is sent again: after Standard Webhooks 1.0.0, and not before the endpoint wants it. */
import type { WebhookAnswer } from '../send-webhook.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After the first refusal, the second and so on; the last one for all that follow. */
const DELAYS_MS = [
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
const JITTER = 0.2;
const LONGEST_WISH_MS = 24 * HOUR_MS;
/** What one event's answer says of the whole endpoint holds no longer than this. */
const LONGEST_PAUSE_MS = HOUR_MS;
/** Statuses by which an endpoint says that it has too much to do. */
const SLOW_DOWN = [429, 502, 503, 504];

type Times = { readonly nowMs: number; readonly random: () => number };

/** After so many refusals, in epoch milliseconds. `random`: from 0 to 1. */
export function scheduledAt(refusals: number, { nowMs, random }: Times): number {
  const delayMs = DELAYS_MS[Math.min(refusals, DELAYS_MS.length) - 1] ?? 0;
  return nowMs + Math.round(delayMs * (1 + JITTER * random()));
}

/** Before when the endpoint does not want this event again; 0: it did not say. */
export function wantedAt(answer: WebhookAnswer, nowMs: number): number {
  const wishMs = wishedDelayMs(answer, nowMs);
  return wishMs === undefined ? 0 : nowMs + Math.min(wishMs, LONGEST_WISH_MS);
}

/** Until when nothing at all is sent to an endpoint that asks for time; undefined: it does not. */
export function pausedUntil(answer: WebhookAnswer, nowMs: number): number | undefined {
  if (!isTooMuch(answer)) return undefined;
  const wishMs = wishedDelayMs(answer, nowMs);
  return wishMs === undefined ? undefined : nowMs + Math.min(wishMs, LONGEST_PAUSE_MS);
}

/** Whether fewer requests at once would help. */
export function isTooMuch(answer: WebhookAnswer): boolean {
  return 'failed' in answer ? answer.failed === 'TIMEOUT' : SLOW_DOWN.includes(answer.status);
}

/** `Retry-After` is seconds or a date (RFC 9110, section 10.2.3). What is neither is no wish. */
function wishedDelayMs(answer: WebhookAnswer, nowMs: number): number | undefined {
  if ('failed' in answer || answer.retryAfter === undefined) return undefined;
  const text = answer.retryAfter.trim();
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
