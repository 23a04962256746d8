/**
 * Corrects the local clock for signatures, which AWS accepts only within five minutes of its own clock. The offset is
 * computed from the response to a rejected request.
 */
import { AwsError } from './aws-error.ts';

export type ClockOffset = {
  /** The estimated time of AWS's clock, epoch milliseconds. */
  now(): number;
  /**
   * Corrects the offset if the request was rejected because of its time. Returns whether it did, so that the request
   * can be sent again.
   */
  correctIfSkewed(error: unknown): boolean;
};

/** Error codes of a wrong time. Some also have other causes, so the time in the response is compared, too. */
const CLOCK_SKEW_ERROR_CODE_PATTERN =
  /^(InvalidSignature|SignatureDoesNotMatch|Request(TimeTooSkewed|Expired|InTheFuture))/;
const MIN_CLOCK_SKEW_MS = 60_000;

/** Creates the clock. It equals the local clock until a response shows that AWS's differs. */
export function createClockOffset(now: () => number): ClockOffset {
  let offsetMs = 0;
  return {
    now: () => now() + offsetMs,
    correctIfSkewed(error) {
      if (!(error instanceof AwsError) || !CLOCK_SKEW_ERROR_CODE_PATTERN.test(error.name)) return false;
      if (error.serverTimeMs === undefined) return false;
      const measuredOffsetMs = error.serverTimeMs - now();
      if (Math.abs(measuredOffsetMs - offsetMs) < MIN_CLOCK_SKEW_MS) return false;
      offsetMs = measuredOffsetMs;
      return true;
    },
  };
}
