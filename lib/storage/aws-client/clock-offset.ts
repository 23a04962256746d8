/**
 * AWS accepts a signature for five minutes of its own clock. The offset of the local clock is derived from a refused
 * request.
 */
import { AwsError } from './aws-error.ts';

export type ClockOffset = {
  /** The best known time of AWS's clock, epoch milliseconds. */
  now(): number;
  /** Whether the request was refused for its time, and the offset is now corrected: the request can be sent again. */
  corrects(error: unknown): boolean;
};

/** A signature may be wrong for another reason, with a correct time. */
const SKEWED = /^(InvalidSignature|SignatureDoesNotMatch|Request(TimeTooSkewed|Expired|InTheFuture))/;
const MIN_SKEW_MS = 60_000;

/** Assumes that AWS's clock equals the local clock until a response shows otherwise. */
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
