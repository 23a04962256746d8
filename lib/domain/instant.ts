/**
 * Points in time from clients' input. The platform stores whole seconds, so fractions are dropped before a comparison.
 * Compare them as numbers, because one instant has several texts.
 */
import type { Brand } from './brand.ts';

/** Epoch milliseconds without a fraction of a second. */
export type Instant = Brand<number, 'Instant'>;

/**
 * Parses an ISO 8601 text with an offset (RFC 3339, section 5.6).
 * @returns undefined when the value is not such a text
 */
export function parseInstant(text: unknown): Instant | undefined {
  const epochMs = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(epochMs) ? undefined : floorToSecond(epochMs);
}

/** Formats an instant as the platform does, for example `2026-12-17T07:34:53Z`. */
export function formatInstant(instant: Instant): string {
  return formatPlatformDate(instant);
}

/** Rounds epoch milliseconds down to a whole second. */
export function floorToSecond(epochMs: number): Instant {
  return (Math.floor(epochMs / 1000) * 1000) as Instant;
}

/** Returns the first whole second after a time in epoch milliseconds. */
export function nextWholeSecond(epochMs: number): Instant {
  return floorToSecond(epochMs + 1000);
}

/**
 * Formats epoch milliseconds as the platform does: without milliseconds if they are zero. Returns null for undefined.
 */
export function formatPlatformDate(epochMs: number): string;
export function formatPlatformDate(epochMs: number | undefined): string | null;
export function formatPlatformDate(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : new Date(epochMs).toISOString().replace('.000Z', 'Z');
}
