/** The terms of a pause: its end and its reason. */
import { floorToSecond, type Instant } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { findDateError, oneYearDateBounds } from '../find-date-error.ts';
import type { OperationRequest } from '../operation.ts';
import type { OperationError } from '../operation-error.ts';
import {
  isUpcomingOnDay,
  parseRequestedDate,
  type RequestedDate,
  requestedTimeSpan,
  resolveRequestedInstant,
} from '../requested-date.ts';

export type PauseTerms = {
  /** Undefined when the pause does not end by itself. */
  readonly resumesAtMs: Instant | undefined;
  readonly reason: string | undefined;
};

type PauseTermsContext = {
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /** The present pause; undefined when the contract is not paused. */
  readonly presentPause: { readonly resumesAtMs: number | undefined } | undefined;
};

/**
 * Parses the end and the reason of a pause from the client's arguments. A day means its beginning. Today means in
 * five minutes, unless the present pause already ends today. A blank reason counts as none.
 */
export function parsePauseTerms({ args }: OperationRequest, context: PauseTermsContext): PauseTerms {
  const { until, reason } = args;
  const date = parseRequestedDate(until);
  return {
    resumesAtMs: date && resolvePauseEnd(date, context),
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : undefined,
  };
}

function resolvePauseEnd(date: RequestedDate, { timeZone, nowMs, presentPause }: PauseTermsContext): Instant {
  const endMs = presentPause?.resumesAtMs;
  const dayStartMs = requestedTimeSpan(date, timeZone).firstMs;
  if (endMs !== undefined && dayStartMs <= nowMs && isUpcomingOnDay(date, { timeZone, nowMs }, endMs))
    return floorToSecond(endMs);
  return resolveRequestedInstant(date, {
    timeZone,
    orderInstantMs: dayStartMs,
    bounds: oneYearDateBounds(nowMs),
  });
}

/**
 * Returns DATE_IN_PAST, or DATE_TOO_FAR when the end is more than a year ahead.
 * @returns undefined when the end may be set
 */
export function findPauseTermsError({ resumesAtMs }: PauseTerms, nowMs: number): OperationError | undefined {
  return resumesAtMs === undefined ? undefined : findDateError('until', resumesAtMs, { nowMs });
}
