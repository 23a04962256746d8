/** What the service promises itself (docs/objectives.md): the log counts by it, and alarms ring when it is being missed. */

/** Of the requests that the service could answer, so many are answered without a fault of its own. */
export const AVAILABLE_PERCENT = 99.9;
/** Of the same requests, so many take no more of the service's own time than this. */
export const QUICK_PERCENT = 99;
export const QUICK_MS = 1_000;
