/** The stores of a simulated month: how large each is, where its clock stands, and what the platform gives it. */
import { clockOffsets, type Month, platformPlans } from '../load/assumptions.ts';
import type { Random } from './random.ts';

export type SimulatedStore = {
  /** 1 is the largest. */
  readonly rank: number;
  readonly customers: number;
  readonly clockOffsetMinutes: number;
  readonly pointsPerSecond: number;
};

/** Sizes by Zipf's law; together as many customers as asked for, but for rounding. */
export function makeStores({ stores, customers, sizeExponent }: Month, random: Random): SimulatedStore[] {
  const weights = Array.from({ length: stores }, (_, index) => (index + 1) ** -sizeExponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, index) => {
    const size = Math.max(1, Math.round((customers * weight) / total));
    const plan = platformPlans.find(({ upToCustomers }) => size <= upToCustomers);
    return {
      rank: index + 1,
      customers: size,
      clockOffsetMinutes: 60 * pickOffset(random.uniform()),
      pointsPerSecond: plan?.pointsPerSecond ?? 0,
    };
  });
}

function pickOffset(at: number): number {
  let sum = 0;
  for (const { hours, share } of clockOffsets) {
    sum += share;
    if (at < sum) return hours;
  }
  return clockOffsets[0]?.hours ?? 0;
}
