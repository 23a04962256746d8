/**
 * Decides which failed attempts are retried, and when, like the standard retry mode of the AWS SDK. Writes are retried,
 * too: a conditional write whose retry is refused reads the item to find out whether the first attempt wrote it.
 */
import { MAX_AWS_ATTEMPTS } from '../../config/aws-limits.ts';
import { AwsError } from './aws-error.ts';
import { UnreadableAwsResponse } from './parse-aws-response.ts';

export type RunWithRetries = <T>(attempt: () => Promise<T>) => Promise<T>;
export type RetryDeps = {
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** The maximum pause before the second attempt in milliseconds. The maximum doubles with each further attempt. */
  readonly backOffMs: number;
};

const THROTTLED_BACK_OFF_MS = 1_000;
/** By how much a pause that AWS demands may exceed the computed pause. */
const MAX_REQUESTED_EXTRA_PAUSE_MS = 5_000;
/**
 * The credit of an endpoint for retries: retries use it up, and successful calls refill it. So retries stop in an
 * outage and do not prolong it.
 */
const MAX_RETRY_CREDIT = 500;
const RETRY_COST_BY_ERROR_KIND = { transient: 14, throttled: 5 };

type RetriableErrorKind = keyof typeof RETRY_COST_BY_ERROR_KIND;

/** Runs an attempt, and repeats it while a retry can help. Throws the error of the last attempt. */
export function createRunWithRetries({ random, wait, backOffMs }: RetryDeps): RunWithRetries {
  let retryCredit = MAX_RETRY_CREDIT;
  return async (attempt) => {
    let lastRetryCost = 0;
    for (let attemptNumber = 1; ; attemptNumber++) {
      try {
        const result = await attempt();
        retryCredit = Math.min(MAX_RETRY_CREDIT, retryCredit + (lastRetryCost || 1));
        return result;
      } catch (error) {
        if (error instanceof AwsError) error.$metadata.attempts = attemptNumber;
        const kind = classifyRetriableError(error);
        if (
          kind === undefined ||
          attemptNumber >= MAX_AWS_ATTEMPTS ||
          retryCredit < RETRY_COST_BY_ERROR_KIND[kind]
        )
          throw error;
        lastRetryCost = RETRY_COST_BY_ERROR_KIND[kind];
        retryCredit -= lastRetryCost;
        await wait(computeRetryPauseMs(error, { kind, attemptNumber, random, backOffMs }));
      }
    }
  };
}

type RetryPause = {
  readonly kind: RetriableErrorKind;
  readonly attemptNumber: number;
  readonly random: () => number;
  readonly backOffMs: number;
};

function computeRetryPauseMs(error: unknown, { kind, attemptNumber, random, backOffMs }: RetryPause): number {
  const baseMs = kind === 'throttled' ? THROTTLED_BACK_OFF_MS : backOffMs;
  const backOffPauseMs = Math.floor(random() * baseMs * 2 ** (attemptNumber - 1));
  const requestedMs = error instanceof AwsError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(backOffPauseMs, Math.min(requestedMs, backOffPauseMs + MAX_REQUESTED_EXTRA_PAUSE_MS));
}

const THROTTLING_ERROR_CODE_PATTERN =
  /^(BandwidthLimitExceeded|EC2ThrottledException|LimitExceededException|PriorRequestNotComplete|ProvisionedThroughputExceededException|RequestLimitExceeded|RequestThrottled(Exception)?|SlowDown|Thrott(led|ling)(Exception)?|TooManyRequestsException|TransactionInProgressException)$/;
const TIMEOUT_ERROR_CODE_PATTERN = /^(TimeoutError|RequestTimeout(Exception)?)$/;
const TRANSIENT_STATUSES = new Set([500, 502, 503, 504]);
const NETWORK_ERROR_CODE_PATTERN =
  /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Classifies the error of an attempt.
 * @returns undefined when a retry would fail, too
 */
function classifyRetriableError(error: unknown): RetriableErrorKind | undefined {
  if (error instanceof UnreadableAwsResponse) return 'transient';
  if (!(error instanceof AwsError)) {
    const { code } = (error ?? {}) as NodeJS.ErrnoException;
    return code !== undefined && NETWORK_ERROR_CODE_PATTERN.test(code) ? 'transient' : undefined;
  }
  const { httpStatusCode } = error.$metadata;
  if (httpStatusCode === 429 || THROTTLING_ERROR_CODE_PATTERN.test(error.name)) return 'throttled';
  return TIMEOUT_ERROR_CODE_PATTERN.test(error.name) || TRANSIENT_STATUSES.has(httpStatusCode)
    ? 'transient'
    : undefined;
}
