/** When the next order comes that a client requested for a date, and which dates it can have. */
import type { Instant } from '../../domain/instant.ts';
import { floorToSecond, nextWholeSecond } from '../../domain/instant.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { oneYearDateBounds } from '../find-date-error.ts';
import {
  boundsIncludeDay,
  type DateBounds,
  isUpcomingOnDay,
  type RequestedDate,
  requestedTimeSpan,
  resolveRequestedInstant,
} from '../requested-date.ts';
import { type BillingCycle, cycleDateBounds, isDateInCycle, orderDueAtMs } from './billing-cycle.ts';
import { MAX_SKIPPED_EARLIER_ORDERS } from './plan-order-move.ts';

type OrderDateContext = {
  /** The contract's upcoming cycles, in order. */
  readonly ahead: readonly BillingCycle[];
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /** The last date that the next order can have, if another frequency limits it more than the cycles do. */
  readonly lastMs?: number;
  /** The first date that the next order can have, if another frequency limits it more than the cycles do. */
  readonly firstMs?: number;
};

/**
 * Returns the instant of the next order on a requested date. On a day it is at the time of the order whose cycle includes
 * the day; a next order that is on the day already keeps its time.
 */
export function resolveOrderInstant(
  date: RequestedDate,
  { ahead, timeZone, nowMs, firstMs = 0, lastMs = Number.POSITIVE_INFINITY }: OrderDateContext,
): Instant {
  if ('atMs' in date) return date.atMs;
  const unbilledCycles = ahead.filter(({ status }) => status !== 'BILLED');
  const nextCycle = unbilledCycles.find(({ skipped }) => !skipped);
  const isFirstDay = isoDayIn(timeZone, firstMs) === date.day;
  const isOrderInTime = nextCycle !== undefined && (!isFirstDay || orderDueAtMs(nextCycle) >= firstMs);
  if (isOrderInTime && isUpcomingOnDay(date, { timeZone, nowMs }, orderDueAtMs(nextCycle)))
    return floorToSecond(orderDueAtMs(nextCycle));
  const cycle = unbilledCycles.find((one) =>
    boundsIncludeDay(timeZone, cycleDateBounds(one, nowMs), date.day),
  );
  const ownTimeMs =
    Date.parse((cycle ?? unbilledCycles[0])?.cycleEndAt ?? '') || requestedTimeSpan(date, timeZone).firstMs;
  const bounds = cycle === undefined || isFirstDay ? oneYearDateBounds(nowMs) : cycleDateBounds(cycle, nowMs);
  const limitedSelection = {
    firstMs: isFirstDay ? Math.max(bounds.firstMs, firstMs) : bounds.firstMs,
    lastMs: Math.min(bounds.lastMs, lastMs),
  };
  return resolveRequestedInstant(date, { timeZone, ownTimeMs, bounds: limitedSelection });
}

/**
 * Returns the dates that the next order can have: not in a paid cycle, and with no more orders before it than a move can
 * skip. `ahead` has one cycle more than that, if there are so many.
 */
export function nextOrderDateBounds(ahead: readonly BillingCycle[], nowMs: number): DateBounds {
  const { firstMs, lastMs } = oneYearDateBounds(nowMs);
  const paid = ahead.find((cycle) => cycle.status === 'BILLED' && isDateInCycle(cycle, firstMs));
  const farthestCycle = ahead[MAX_SKIPPED_EARLIER_ORDERS];
  return {
    firstMs: paid === undefined ? firstMs : nextWholeSecond(Date.parse(paid.cycleEndAt)),
    lastMs: farthestCycle === undefined ? lastMs : Math.min(lastMs, Date.parse(farthestCycle.cycleEndAt)),
  };
}
