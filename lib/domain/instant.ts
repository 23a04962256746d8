/**
 * Instants are the moments that a client names. The platform keeps whole seconds, so fractions are dropped before
 * anything is compared or kept; and instants are compared as numbers, never as texts.
 */
import type { Brand } from './brand.ts';

/** Epoch milliseconds of a whole second. */
export type Instant = Brand<number, 'Instant'>;

/** The instant of an ISO 8601 text with an offset (RFC 3339, section 5.6); undefined if the value is no such text. */
export function parseInstant(text: unknown): Instant | undefined {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : wholeSecond(ms);
}

/** The instant in the platform's own form: `2026-12-17T07:34:53Z`. */
export function instantText(instant: Instant): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** The whole second that a moment lies in. Epoch milliseconds. */
export function wholeSecond(ms: number): Instant {
  return (Math.floor(ms / 1000) * 1000) as Instant;
}

/** The first whole second after a moment. Epoch milliseconds. */
export function nextSecond(ms: number): Instant {
  return wholeSecond(ms + 1000);
}

/** A date as the platform writes it, in whole seconds where it has no others; null for none. Epoch milliseconds. */
export function dateText(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString().replace('.000Z', 'Z');
}
