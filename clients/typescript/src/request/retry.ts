/** Sends again what may succeed in a moment: as late as the service says, else ever later, spread, and never past the deadline. */
import { type Environment, noTimer } from '../device/environment.ts';
import { within } from '../device/within.ts';
import { isServiceError, type ServiceError } from '../errors/service-error.ts';
import { isTransient, mayHaveRun } from './is-transient.ts';

const MAX_ATTEMPTS = 5;
/** The gateway before the service names no time with its 429. */
const FIRST_WAIT_MS = 1000;
const LONGEST_GUESS_MS = 8000;

export type RetryPolicy = {
  readonly environment: Environment;
  /** For all tries and waits. */
  readonly deadlineMs: number;
  /** Told the error while a repeat is pending, and null when it is over. */
  readonly onWaiting?: ((error: ServiceError | null) => void) | undefined;
};

export type Attempt<Result> = {
  /** One try. `leftMs` tells the milliseconds that are left. */
  readonly run: (leftMs: () => number) => Promise<Result>;
  /** Whether it does no harm to send the last try's request twice. */
  readonly isRetryable?: () => boolean;
  /** Whether the last try may have changed something: then nobody is told that nothing was done where nobody knows. */
  readonly mayChange?: () => boolean;
};

/** Throws the last error; if an earlier try of a change may have run, and nothing told what became of it, that one's. */
export async function keepTrying<Result>(
  retryPolicy: RetryPolicy,
  attempt: Attempt<Result>,
): Promise<Result> {
  const { environment, deadlineMs, onWaiting } = retryPolicy;
  const { run, isRetryable = () => true, mayChange = () => false } = attempt;
  const startedMs = environment.now();
  const leftMs = () => deadlineMs - Math.max(0, environment.now() - startedMs);
  let unclear: ServiceError | undefined;
  let before: ServiceError | undefined;
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await within({ ...environment, ms: leftMs(), code: 'NETWORK' }, () => run(leftMs));
      } catch (error) {
        if (!canRetry(error, isRetryable(), before)) throw error;
        const wait = waitMs(environment, error, tries);
        if (mayHaveRun(error) && mayChange()) unclear ??= error;
        // What the deadline has cut short tells less than the answer before.
        const last = leftMs() > 0 ? error : (before ?? error);
        const isOver = tries === MAX_ATTEMPTS || wait >= leftMs() || environment.setTimer === noTimer;
        if (isOver) throw unclear ?? last;
        before = error;
        onWaiting?.(error);
        await new Promise<void>((resolve) => void environment.setTimer(resolve, wait));
      }
    }
  } finally {
    if (before) onWaiting?.(null);
  }
}

function canRetry(error: unknown, isRetryable: boolean, before?: ServiceError): error is ServiceError {
  if (!isServiceError(error)) return false;
  // The first of these is settled by a repeat under the same key; the second says that nobody will ever know.
  if (error.code === 'OUTCOME_UNKNOWN') return isRetryable && before?.code !== 'OUTCOME_UNKNOWN';
  return isTransient(error) && (isRetryable || !mayHaveRun(error));
}

function waitMs({ random }: Environment, { retryAfterMs = 0 }: ServiceError, tries: number): number {
  const guess = FIRST_WAIT_MS * 2 ** (tries - 1) * (0.75 + random() / 2);
  return Math.max(retryAfterMs * (1 + random() / 4), Math.min(guess, LONGEST_GUESS_MS));
}
