/**
 * What merchants' servers do, second by second: many begin at the same one, and a minute's mean would hide it. Each goes
 * through its list, and has as many requests under way as it is told.
 */
import { measured } from '../costs/measured.ts';
import { busyMs } from '../costs/request-costs.ts';
import type { Month } from '../load/assumptions.ts';

/** One store's server: when it begins in the first day's UTC, and how much it has to do each day. */
export type ServerPlan = {
  readonly syncAtSecond: number;
  readonly pages: number;
  /** The hour at which all charge, and how far after it this one begins. */
  readonly billingAtSecond: number;
  readonly billingDelaySeconds: number;
  readonly dueByDay: Uint32Array;
};
/** How many servers charge, and how many read pages, in each second of the month. */
export type ServerSeconds = { readonly charging: Int32Array; readonly paging: Int32Array };
/** `isSpread`: each begins at its own second. */
export type Habits = { readonly isSpread: boolean; readonly atOnce: number };

const SECONDS_A_DAY = 86_400;

/** Charges a second of one server, its search for due orders included. */
export function chargesPerSecond({ duePageSize, serverPauseSeconds }: Month, atOnce: number): number {
  const { charge, dueOrders } = measured;
  const pauses = serverPauseSeconds * (1 + dueOrders.requests / duePageSize);
  return atOnce / ((busyMs(charge) + busyMs(dueOrders) / duePageSize) / 1000 + pauses);
}

/** The month of all servers. */
export function simulateServers(month: Month, plans: readonly ServerPlan[], habits: Habits): ServerSeconds {
  const length = month.days * SECONDS_A_DAY;
  const seconds = { charging: new Int32Array(length), paging: new Int32Array(length) };
  const rate = chargesPerSecond(month, habits.atOnce);
  for (const plan of plans) {
    const delay = habits.isSpread ? plan.billingDelaySeconds : 0;
    for (let day = 0; day < month.days; day++) {
      const midnight = day * SECONDS_A_DAY;
      const pageSeconds = plan.pages / month.syncPagesPerSecond;
      work(seconds.paging, midnight + plan.syncAtSecond, pageSeconds);
      work(seconds.charging, midnight + plan.billingAtSecond + delay, (plan.dueByDay[day] ?? 0) / rate);
    }
  }
  return seconds;
}

/** What lies outside the month belongs to the one before or after, which are the same. */
function work(counts: Int32Array, fromSecond: number, seconds: number): void {
  const { length } = counts;
  for (let second = 0; second < seconds; second++) {
    const at = (((Math.floor(fromSecond) + second) % length) + length) % length;
    counts[at] = (counts[at] ?? 0) + 1;
  }
}
