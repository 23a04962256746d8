/**
 * The busiest minutes of the month: means of the assumptions, times stated factors. Customers come most when a day's notices
 * are sent, servers most when they have begun to charge; both at the stores whose clocks show the same hour.
 */
import { type Month, platformPlans } from './assumptions.ts';
import { type MeasuredWork, measured } from './measured.ts';
import { busyMs } from './request-costs.ts';

/** Requests come by chance: the most of a second, with four standard deviations of a Poisson process. */
export function secondOf(mean: number): number {
  return mean + 4 * Math.sqrt(mean);
}

/** Which stores have the same clock is chance, and drawn once: two standard deviations. */
function withUnluckyClocks(mean: number): number {
  return mean + 2 * Math.sqrt(mean);
}

type Store = { readonly customers: number; readonly pointsPerSecond: number };

/** The stores, the largest first, by Zipf's law. */
export function storesOf({ stores, customers, sizeExponent }: Month): Store[] {
  const weights = Array.from({ length: stores }, (_, index) => (index + 1) ** -sizeExponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => {
    const size = Math.max(1, Math.round((customers * weight) / total));
    const plan = platformPlans.find(({ upToCustomers }) => size <= upToCustomers);
    return { customers: size, pointsPerSecond: plan?.pointsPerSecond ?? 0 };
  });
}

/** The part of a month's orders that is due on an ordinary day, and on the first. */
export function dueOn(month: Month): { readonly ordinary: number; readonly first: number } {
  const ordinary = (1 - month.dueOnFirst - month.dueOnFifteenth) / month.days;
  return { ordinary, first: month.dueOnFirst + ordinary };
}

/** Of a day's notices that are opened, the part in the busiest minute: they are sent evenly, and opened exponentially later. */
export function busiestMinuteOfNotices({ noticeMinutes, noticeDelayMinutes }: Month): number {
  return (1 - Math.exp(-noticeMinutes / noticeDelayMinutes)) / noticeMinutes;
}

export type CustomersMinute = {
  readonly openings: number;
  readonly signIns: number;
  readonly queries: number;
  readonly changes: number;
};

/** What so many customers do in a minute, of whose stores a part sends the first day's notices then. */
export function customersMinute(month: Month, customers: number, noticed: number): CustomersMinute {
  const due = customers * noticed * month.ordersPerCustomer * dueOn(month).first;
  const byNotice = due * month.noticeOpens * busiestMinuteOfNotices(month);
  const others = (customers * month.otherOpenings * month.busiestHour) / month.days / 60;
  const openings = byNotice + others;
  return {
    openings,
    signIns: openings * month.signInPerOpening,
    queries: openings * month.queriesPerOpening,
    changes: byNotice * month.noticeChanges + others * month.otherChanges,
  };
}

/** Whether each server begins at a second of its own, and how many charges it has under way. */
export type LoadProfile = { readonly isSpread: boolean; readonly concurrency: number };
export type ServersSecond = {
  readonly servers: number;
  readonly charges: number;
  /** With the searches for due orders. */
  readonly requests: number;
  /** Charges under way. */
  readonly underWay: number;
};

/** Charges a second of one server, its search for due orders included. */
export function chargesPerSecond({ duePageSize, serverPauseSeconds }: Month, concurrency: number): number {
  const { charge, dueOrders } = measured;
  const pauses = serverPauseSeconds * (1 + dueOrders.requests / duePageSize);
  return concurrency / ((busyMs(charge) + busyMs(dueOrders) / duePageSize) / 1000 + pauses);
}

/** What servers do when most charge: a server does for as long as it takes, of the time over which all begin. */
export function serversSecond(month: Month, { isSpread, concurrency }: LoadProfile): ServersSecond {
  const rate = chargesPerSecond(month, concurrency);
  const due = month.ordersPerCustomer * dueOn(month).first;
  const spreadSeconds = 60 * month.billingSpreadMinutes;
  const parts = storesOf(month).map(({ customers }) => Math.min(1, (customers * due) / rate / spreadSeconds));
  const mean = month.sameClock * (isSpread ? parts.reduce((sum, part) => sum + part, 0) : month.stores);
  const servers = Math.min(month.stores, isSpread ? withUnluckyClocks(mean) : mean);
  const charges = servers * rate;
  const requests = charges * (1 + measured.dueOrders.requests / month.duePageSize);
  return { servers, charges, requests, underWay: servers * concurrency };
}

/** A charge that is told in the scheduled work: its processor time, and its part of what is waited for together. */
export function recordingSeconds({ scheduledStores }: Month): number {
  const { recordedCharge } = measured;
  const waiting = busyMs({ ...recordedCharge, cpuMs: 0 }) / scheduledStores;
  return (busyMs({ ...recordedCharge, platformRequests: 0 }) + waiting) / 1000;
}

/** A write is waited for as long as DynamoDB takes. */
const WRITE_SECONDS = 0.005;

/** How long a worker takes for one after another, in seconds, on a part of a processor. */
export function stepSeconds(work: MeasuredWork, speed: number): number {
  return busyMs({ ...work, cpuMs: 0 }) / 1000 + work.writeUnits * WRITE_SECONDS + work.cpuMs / 1000 / speed;
}
