/** Checks dates that the service sets: they must be in the future, at most a calendar year. */

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

/** Returns the dates that can be set at all: from five minutes from now to a calendar year. */
export function oneYearDateBounds(nowMs: number): DateBounds {
  return { firstMs: earliestOfferedDate(nowMs), lastMs: floorToSecond(farthestDateMs(nowMs)) };
}

type DateCheckContext = {
  readonly nowMs: number;
  /** The dates that the change accepts, which the error names; by default all dates of a year. */
  readonly bounds?: DateBounds;
};

/**
 * Returns DATE_IN_PAST or DATE_TOO_FAR at the client's argument. Epoch milliseconds.
 * @returns undefined when the date may be set
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

/** Returns the bounds as details of an error; nothing when no date can be set. */
export function toBoundsDetails({ firstMs, lastMs }: DateBounds): { earliest?: string; latest?: string } {
  if (firstMs > lastMs) return {};
  return { earliest: formatInstant(floorToSecond(firstMs)), latest: formatInstant(floorToSecond(lastMs)) };
}
