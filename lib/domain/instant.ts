/**
 * Instants in a client's input. The platform stores whole seconds, so fractions are dropped before instants are
 * compared or stored; and they are compared as numbers, never as text.
 */
import type { Brand } from './brand.ts';

/** Epoch milliseconds of a whole second. */
export type Instant = Brand<number, 'Instant'>;

/**
 * Parses an ISO 8601 text with an offset (RFC 3339, section 5.6).
 * @returns undefined when the value is no such text
 */
export function parseInstant(text: unknown): Instant | undefined {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : wholeSecond(ms);
}

/** Formats the instant like the platform: `2026-12-17T07:34:53Z`. */
export function instantText(instant: Instant): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** Rounds down to the whole second. Epoch milliseconds. */
export function wholeSecond(ms: number): Instant {
  return (Math.floor(ms / 1000) * 1000) as Instant;
}

/** Returns the first whole second after a time. Epoch milliseconds. */
export function nextSecond(ms: number): Instant {
  return wholeSecond(ms + 1000);
}

/** Formats a date like the platform, without zero milliseconds; null for undefined. Epoch milliseconds. */
export function dateText(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString().replace('.000Z', 'Z');
}
