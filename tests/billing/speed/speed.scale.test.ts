/** How soon a store's orders are charged, by the simulated clock, and that its customers do not wait for that. */
import { expect, test } from '@jest/globals';
import { fullSize, isFullSize } from '../../full-size.ts';
import { simulateDay } from './simulate-day.ts';
import type { Visit } from './visitors.ts';

const TIMEOUT_MS = 3_600_000;
/** In `npm test`: the search of the orders, and the start of the run. */
const START_MINUTES = 0.5;

function summarizeVisits(visits: readonly Visit[]) {
  const longestMs = Math.max(...visits.map(({ ms }) => ms));
  return { longestMs, refusalCount: Math.max(...visits.map(({ refusalCount }) => refusalCount)) };
}

test.each([
  { orders: 10_000, pointsPerSecond: 100, minutes: 45 },
  { orders: 10_000, pointsPerSecond: 2_000, minutes: 10 },
  { orders: 100_000, pointsPerSecond: 2_000, minutes: 60 },
])(
  'charges $orders orders within $minutes minutes at $pointsPerSecond points a second, and no customer waits longer',
  async ({ orders, pointsPerSecond, minutes }) => {
    const orderCount = fullSize(orders);
    const store = { orderCount, pointsPerSecond };
    const maxMinutes = isFullSize ? minutes : minutes / 100 + START_MINUTES;
    const billed = await simulateDay({ ...store, isBilled: true, minutes: 2 * minutes });
    expect(new Set(billed.attempts.map(({ contractId }) => contractId)).size).toBe(orderCount);
    expect(billed.attempts.length).toBe(orderCount);
    if (isFullSize) console.info(`${orders} orders: ${billed.minutesUntilLastAttempt.toFixed(1)} minutes`);
    expect(billed.minutesUntilLastAttempt).toBeLessThanOrEqual(maxMinutes);
    const unbilled = await simulateDay({ ...store, isBilled: false, minutes: 2 });
    expect(summarizeVisits(billed.visits)).toEqual(summarizeVisits(unbilled.visits));
  },
  TIMEOUT_MS,
);
