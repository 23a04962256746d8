/** Both clients of AWS, the small one and the SDK's, wait for an answer within these limits. */

/** A sign-in or a query has a deadline of its own, and a second try costs little. */
export const TRY_TIMEOUT_MS = 1_000;
export const MAX_TRIES = 2;
