/** The terms of a pause: its end and its reason. */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import type { OperationRequest } from '../operation.ts';
import type { OperationError } from '../operation-error.ts';
import { refuseDate } from '../refuse-date.ts';

export type PauseTerms = {
  /** Undefined when the pause does not end by itself. */
  readonly resumesAtMs: Instant | undefined;
  readonly reason: string | undefined;
};

/** Parses end and reason from the client's arguments. A blank reason counts as none. */
export function pauseTermsOf({ args }: OperationRequest): PauseTerms {
  const { until, reason } = args;
  return {
    resumesAtMs: parseInstant(until),
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : undefined,
  };
}

/**
 * Returns DATE_IN_PAST, or DATE_TOO_FAR when the end is more than a year ahead.
 * @returns undefined when the end may be set
 */
export function refuseTerms({ resumesAtMs }: PauseTerms, nowMs: number): OperationError | undefined {
  return resumesAtMs === undefined ? undefined : refuseDate('until', resumesAtMs, nowMs);
}
