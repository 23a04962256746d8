/**
 * The service's objectives (docs/objectives.md): requests are counted by them, and alarms are raised when they are
 * missed.
 */

/** The percentage of answerable requests that must succeed without a fault of the service. */
export const AVAILABLE_PERCENT = 99.9;
/** The percentage of the same requests that must take at most this much of the service's own time. */
export const QUICK_PERCENT = 99;
export const QUICK_MS = 1_000;
