/** Checks dates that clients set: they must be in the future, and at most one calendar year ahead. */

import { type Instant, instantText, nextSecond, wholeSecond } from '../domain/instant.ts';
import { message } from '../messages/message.ts';
import { type OperationError, refuse } from './operation-error.ts';

/** Whether a date is more than one calendar year ahead. Epoch milliseconds. */
export function isFarAhead(dateMs: number, nowMs: number): boolean {
  return dateMs > farthestMs(nowMs);
}

function farthestMs(nowMs: number): number {
  const limit = new Date(nowMs);
  return limit.setUTCFullYear(limit.getUTCFullYear() + 1);
}

/**
 * Returns DATE_IN_PAST or DATE_TOO_FAR for the client's argument. Epoch milliseconds.
 * @returns undefined when the date may be set
 */
export function refuseDate(argument: string, dateMs: Instant, nowMs: number): OperationError | undefined {
  const isPast = dateMs <= nowMs;
  if (!isPast && !isFarAhead(dateMs, nowMs)) return undefined;
  const field = [argument];
  const details = {
    date: instantText(dateMs),
    earliest: instantText(nextSecond(nowMs)),
    latest: instantText(wholeSecond(farthestMs(nowMs))),
  };
  if (isPast) {
    return refuse('DATE_IN_PAST', { field, message: message('datePassed') }, details);
  }
  return refuse('DATE_TOO_FAR', { field, message: message('dateTooFar') }, details);
}
