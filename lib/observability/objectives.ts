/**
 * The service level objectives (docs/objectives.md). Metrics count requests against them, and alarms are raised when an
 * objective is missed.
 */

/** The percentage of counted requests that must not fail because of the service. */
export const AVAILABILITY_TARGET_PERCENT = 99.9;
/** The percentage of counted requests that must take at most `QUICK_REQUEST_MAX_OWN_MS`, not counting waits for the platform. */
export const QUICK_REQUESTS_TARGET_PERCENT = 99;
export const QUICK_REQUEST_MAX_OWN_MS = 1_000;
