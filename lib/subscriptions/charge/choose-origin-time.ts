/**
 * Chooses the origin time of a billing attempt: the time from which the platform counts the deliveries of the order.
 * Without an origin time the platform counts from the charge, so the deliveries of an order that is charged late
 * would move to later days.
 */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import type { CycleToCharge } from './read-attempts-of-order.ts';

/**
 * Returns the order's date if it has passed, else the present time, as ISO 8601. The platform accepts only a time within
 * the cycle (ORIGIN_TIME_OUT_OF_RANGE), so the result is the cycle's start or end when that time is outside.
 */
export function chooseOriginTime(
  { billingAttemptExpectedDate, cycleStartAt, cycleEndAt }: CycleDates,
  nowMs: number,
): string {
  const originMs = Math.min(Date.parse(billingAttemptExpectedDate), nowMs);
  const originInCycleMs = Math.max(Date.parse(cycleStartAt), Math.min(Date.parse(cycleEndAt), originMs));
  return formatInstant(floorToSecond(originInCycleMs));
}

type CycleDates = Pick<CycleToCharge, 'billingAttemptExpectedDate' | 'cycleStartAt' | 'cycleEndAt'>;
