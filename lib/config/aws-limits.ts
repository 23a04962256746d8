/** Timeouts and tries of both AWS clients, the small one and the SDK's. */

/** Short, because a sign-in or a query has its own deadline, and a second try is cheap. */
export const TRY_TIMEOUT_MS = 1_000;
export const MAX_TRIES = 2;
