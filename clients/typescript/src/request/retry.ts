/** Retries transient errors after `Retry-After`, else with exponential backoff and jitter, never past the deadline. */
import { type Environment, setNoTimer } from '../device/environment.ts';
import { runWithTimeLimit, type Signal } from '../device/run-with-time-limit.ts';
import { isTransient, mayHaveRun } from '../errors/is-transient.ts';
import { isServiceError, type ServiceError } from '../errors/service-error.ts';

const MAX_REQUEST_ATTEMPTS = 5;
/** The first wait after a response without Retry-After, such as a 429 of the API gateway. */
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 8000;

export type RetryPolicy = {
  readonly environment: Environment;
  /** How long all attempts and the waits between them may take together, in milliseconds. */
  readonly deadlineMs: number;
  /** Receives the error while a retry is pending, and null when the wait is over. */
  readonly onWaiting?: ((error: ServiceError | null) => void) | undefined;
  /** Ends attempts and waits with ABORTED. */
  readonly aborting?: Signal | undefined;
};

export type RetryableAttempt<Result> = {
  /** Sends one attempt; the first has number 1. `leftMs` returns the remaining milliseconds. */
  readonly run: (leftMs: () => number, attempt: number) => Promise<Result>;
  /** Whether the last request can be sent twice without harm. */
  readonly isRetryable?: () => boolean;
  /** Whether the last attempt may have changed data; then the final error must not claim that nothing was changed. */
  readonly mayChange?: () => boolean;
};

/**
 * Retries transient errors until the deadline.
 * @throws the last error, or the error of an earlier attempt if it may have changed data and no later attempt reported
 * the result.
 */
export async function retryRequest<Result>(
  retryPolicy: RetryPolicy,
  attempt: RetryableAttempt<Result>,
): Promise<Result> {
  const { environment, deadlineMs, onWaiting, aborting } = retryPolicy;
  const { run, isRetryable = () => true, mayChange = () => false } = attempt;
  const startedAtMs = environment.now();
  const computeLeftMs = () => deadlineMs - Math.max(0, environment.now() - startedAtMs);
  let outcomeUnknownError: ServiceError | undefined;
  let previousError: ServiceError | undefined;
  try {
    for (let attemptNumber = 1; ; attemptNumber++) {
      try {
        const attemptLimit = { ...environment, ms: computeLeftMs(), code: 'NETWORK', aborting } as const;
        return await runWithTimeLimit(attemptLimit, () => run(computeLeftMs, attemptNumber));
      } catch (error) {
        if (!canRetryAfter(error, isRetryable(), previousError)) throw error;
        const waitMs = retryWaitMs(environment, error, attemptNumber);
        if (mayHaveRun(error) && mayChange()) outcomeUnknownError ??= error;
        // The error of an attempt that the deadline aborted says less than the error before it.
        const lastError = computeLeftMs() > 0 ? error : (previousError ?? error);
        const isLastAttempt =
          attemptNumber === MAX_REQUEST_ATTEMPTS ||
          waitMs >= computeLeftMs() ||
          environment.setTimer === setNoTimer;
        if (isLastAttempt) throw outcomeUnknownError ?? lastError;
        previousError = error;
        onWaiting?.(error);
        const waitLimit = { ...environment, ms: computeLeftMs(), code: 'NETWORK', aborting } as const;
        await runWithTimeLimit(
          waitLimit,
          () => new Promise<void>((resolve) => void environment.setTimer(resolve, waitMs)),
        );
      }
    }
  } finally {
    if (previousError) onWaiting?.(null);
  }
}

function canRetryAfter(
  error: unknown,
  isRetryable: boolean,
  previousError?: ServiceError,
): error is ServiceError {
  if (!isServiceError(error)) return false;
  // A retry with the same key resolves the first OUTCOME_UNKNOWN; a second one is final.
  if (error.code === 'OUTCOME_UNKNOWN') return isRetryable && previousError?.code !== 'OUTCOME_UNKNOWN';
  return isTransient(error) && (isRetryable || !mayHaveRun(error));
}

function retryWaitMs(
  { random }: Environment,
  { retryAfterMs = 0 }: ServiceError,
  attemptNumber: number,
): number {
  const backoffMs = FIRST_BACKOFF_MS * 2 ** (attemptNumber - 1) * (0.75 + random() / 2);
  return Math.max(retryAfterMs * (1 + random() / 4), Math.min(backoffMs, MAX_BACKOFF_MS));
}
