/** Dates that this service sets: they lie ahead, and at most a calendar year. */
import type { OperationError } from './operation-error.ts';

/** Whether a date is more than a calendar year after now. Epoch milliseconds. */
export function isFarAhead(dateMs: number, nowMs: number): boolean {
  const limit = new Date(nowMs);
  return dateMs > limit.setUTCFullYear(limit.getUTCFullYear() + 1);
}

/** DATE_IN_PAST or DATE_TOO_FAR at the client's argument; undefined: the date may be set. Epoch milliseconds. */
export function refuseDate(argument: string, dateMs: number, nowMs: number): OperationError | undefined {
  const field = [argument];
  if (dateMs <= nowMs)
    return { field, message: 'The date has passed. Choose a later one.', code: 'DATE_IN_PAST' };
  if (!isFarAhead(dateMs, nowMs)) return undefined;
  return {
    field,
    message: 'The date is more than a year ahead. Choose an earlier one.',
    code: 'DATE_TOO_FAR',
  };
}
