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
  /** The maximum pause before the second attempt in milliseconds. It doubles with each further attempt. */
  readonly backOffMs: number;
};

const THROTTLED_BACK_OFF_MS = 1_000;
/** By how much a pause that AWS demands may exceed the computed pause. */
const MAX_REQUESTED_BEYOND_MS = 5_000;
/**
 * The credit of an endpoint for retries: retries use it up, and successful calls refill it. So retries stop in an
 * outage and do not prolong it.
 */
const CREDIT = 500;
const COST = { transient: 14, throttled: 5 };

type Kind = keyof typeof COST;

/** Runs an attempt, and repeats it while a retry can help. Throws the error of the last attempt. */
export function createRunWithRetries({ random, wait, backOffMs }: RetryDeps): RunWithRetries {
  let credit = CREDIT;
  return async (attempt) => {
    let spent = 0;
    for (let tries = 1; ; tries++) {
      try {
        const done = await attempt();
        credit = Math.min(CREDIT, credit + (spent || 1));
        return done;
      } catch (error) {
        if (error instanceof AwsError) error.$metadata.attempts = tries;
        const kind = kindOf(error);
        if (kind === undefined || tries >= MAX_AWS_ATTEMPTS || credit < COST[kind]) throw error;
        spent = COST[kind];
        credit -= spent;
        await wait(pauseMs(error, { kind, tries, random, backOffMs }));
      }
    }
  };
}

type Pause = {
  readonly kind: Kind;
  readonly tries: number;
  readonly random: () => number;
  readonly backOffMs: number;
};

function pauseMs(error: unknown, { kind, tries, random, backOffMs }: Pause): number {
  const base = kind === 'throttled' ? THROTTLED_BACK_OFF_MS : backOffMs;
  const ownMs = Math.floor(random() * base * 2 ** (tries - 1));
  const requestedMs = error instanceof AwsError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(ownMs, Math.min(requestedMs, ownMs + MAX_REQUESTED_BEYOND_MS));
}

const THROTTLED =
  /^(BandwidthLimitExceeded|EC2ThrottledException|LimitExceededException|PriorRequestNotComplete|ProvisionedThroughputExceededException|RequestLimitExceeded|RequestThrottled(Exception)?|SlowDown|Thrott(led|ling)(Exception)?|TooManyRequestsException|TransactionInProgressException)$/;
const TRANSIENT = /^(TimeoutError|RequestTimeout(Exception)?)$/;
const TRANSIENT_STATUS = new Set([500, 502, 503, 504]);
const NETWORK = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Classifies the error of an attempt.
 * @returns undefined when a retry would fail, too
 */
function kindOf(error: unknown): Kind | undefined {
  if (error instanceof UnreadableAwsResponse) return 'transient';
  if (!(error instanceof AwsError)) {
    const { code } = (error ?? {}) as NodeJS.ErrnoException;
    return code !== undefined && NETWORK.test(code) ? 'transient' : undefined;
  }
  const { httpStatusCode } = error.$metadata;
  if (httpStatusCode === 429 || THROTTLED.test(error.name)) return 'throttled';
  return TRANSIENT.test(error.name) || TRANSIENT_STATUS.has(httpStatusCode) ? 'transient' : undefined;
}
