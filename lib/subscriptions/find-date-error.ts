/** Checks dates that the service sets: they must be in the future, and at most a calendar year ahead. */

import { floorToSecond, formatInstant, type Instant } from '../domain/instant.ts';
import { message } from '../messages/message.ts';
import { createUserError, type OperationError } from './operation-error.ts';
import { type DateBounds, earliestOfferedDate } from './requested-date.ts';

/** Whether a date is more than a calendar year from now. Epoch milliseconds. */
export function isBeyondOneYear(dateMs: number, nowMs: number): boolean {
  return dateMs > farthestDateMs(nowMs);
}

/** Returns the last date that can be set: a calendar year from now. Epoch milliseconds. */
function farthestDateMs(nowMs: number): number {
  const limit = new Date(nowMs);
  return limit.setUTCFullYear(limit.getUTCFullYear() + 1);
}

/**
 * Returns the widest range of dates: from five minutes from now to a calendar year from now. A change may allow less.
 */
export function oneYearDateBounds(nowMs: number): DateBounds {
  return { firstMs: earliestOfferedDate(nowMs), lastMs: floorToSecond(farthestDateMs(nowMs)) };
}

type DateCheckContext = {
  readonly nowMs: number;
  /**
   * The dates that the change accepts. The error names them as `earliest` and `latest`. By default all dates within a
   * year.
   */
  readonly bounds?: DateBounds;
};

/**
 * Returns DATE_IN_PAST or DATE_TOO_FAR for the client's argument of this name. Dates are in epoch milliseconds.
 * @returns undefined when the date is in the future and at most a year ahead
 */
export function findDateError(
  argument: string,
  dateMs: Instant,
  { nowMs, bounds = oneYearDateBounds(nowMs) }: DateCheckContext,
): OperationError | undefined {
  const isDatePast = dateMs <= nowMs;
  if (!isDatePast && !isBeyondOneYear(dateMs, nowMs)) return undefined;
  const fieldPath = [argument];
  const dateDetails = { date: formatInstant(dateMs), ...toBoundsDetails(bounds) };
  if (isDatePast) {
    return createUserError('DATE_IN_PAST', { field: fieldPath, message: message('datePassed') }, dateDetails);
  }
  return createUserError('DATE_TOO_FAR', { field: fieldPath, message: message('dateTooFar') }, dateDetails);
}

/**
 * Returns the bounds as the details `earliest` and `latest` of a user error. Returns an empty object when no date can
 * be set.
 */
export function toBoundsDetails({ firstMs, lastMs }: DateBounds): { earliest?: string; latest?: string } {
  if (firstMs > lastMs) return {};
  return { earliest: formatInstant(floorToSecond(firstMs)), latest: formatInstant(floorToSecond(lastMs)) };
}
