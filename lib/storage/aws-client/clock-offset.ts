/** AWS takes a signature for five minutes, by its own clock: how far ours is behind it is learnt from a refusal. */
import { AwsError } from './aws-error.ts';

export type ClockOffset = {
  /** The time by AWS's clock, epoch milliseconds, as far as it is known. */
  now(): number;
  /** Whether the request was refused for its time, which is right from now on: it may be sent again. */
  corrects(error: unknown): boolean;
};

/** A signature may be wrong for another reason; then the time was right all along. */
const SKEWED = /^(InvalidSignature|SignatureDoesNotMatch|Request(TimeTooSkewed|Expired|InTheFuture))/;
const MIN_SKEW_MS = 60_000;

/** AWS's clock, as long as it has not said otherwise the same as ours. */
export function createClockOffset(now: () => number): ClockOffset {
  let offsetMs = 0;
  return {
    now: () => now() + offsetMs,
    corrects(error) {
      if (!(error instanceof AwsError) || !SKEWED.test(error.name)) return false;
      if (error.serverTimeMs === undefined) return false;
      const learntMs = error.serverTimeMs - now();
      if (Math.abs(learntMs - offsetMs) < MIN_SKEW_MS) return false;
      offsetMs = learntMs;
      return true;
    },
  };
}
