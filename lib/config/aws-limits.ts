/** The timeout and the number of attempts of AWS calls, for the service's own client and the SDK. */

/**
 * The timeout of an attempt. It is short, because a sign-in or query has a deadline, and a second attempt costs little.
 */
export const AWS_ATTEMPT_TIMEOUT_MS = 1_000;
export const MAX_AWS_ATTEMPTS = 2;
