/** The terms of a pause are when it ends, and why it is made. */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import type { OperationRequest } from '../operation.ts';
import type { OperationError } from '../operation-error.ts';
import { refuseDate } from '../refuse-date.ts';

export type PauseTerms = {
  /** Undefined: it does not end by itself. */
  readonly resumesAtMs: Instant | undefined;
  readonly reason: string | undefined;
};

/** The terms in a client's arguments. No reason and an empty one are the same. */
export function pauseTermsOf({ args }: OperationRequest): PauseTerms {
  const { until, reason } = args;
  return {
    resumesAtMs: parseInstant(until),
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : undefined,
  };
}

/** DATE_IN_PAST, DATE_TOO_FAR (more than a year ahead). */
export function refuseTerms({ resumesAtMs }: PauseTerms, nowMs: number): OperationError | undefined {
  return resumesAtMs === undefined ? undefined : refuseDate('until', resumesAtMs, nowMs);
}
