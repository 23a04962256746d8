/** One store's month, minute by minute: who opens the app, and what the store's own server does. */
import { hourWeights, type Month } from '../load/assumptions.ts';
import type { SimulatedStore } from './make-stores.ts';
import type { Random } from './random.ts';
import { chargesPerSecond, type ServerPlan } from './simulate-servers.ts';

/** Counts by minute of the month. */
export type StoreMinutes = {
  readonly openings: Uint32Array;
  readonly signIns: Uint32Array;
  readonly changes: Uint32Array;
  readonly pages: Float32Array;
  readonly charges: Float32Array;
  /** Pauses that end. */
  readonly resumes: Uint32Array;
};

export const MINUTES_A_DAY = 1440;

/** Empty counts, to be filled again and again. */
export function emptyMinutes({ days }: Month): StoreMinutes {
  const length = days * MINUTES_A_DAY;
  return {
    openings: new Uint32Array(length),
    signIns: new Uint32Array(length),
    changes: new Uint32Array(length),
    pages: new Float32Array(length),
    charges: new Float32Array(length),
    resumes: new Uint32Array(length),
  };
}

type Run = { month: Month; store: SimulatedStore; random: Random; minutes: StoreMinutes };

/** Fills `minutes` with the store's month; what they held is gone. Gives what its server has to do. */
export function simulateStore(run: Run): ServerPlan {
  for (const counts of Object.values(run.minutes)) counts.fill(0);
  const dueByDay = new Uint32Array(run.month.days);
  for (let customer = 0; customer < run.store.customers; customer++) playCustomer(run, dueByDay);
  return playServer(run, dueByDay);
}

function playCustomer({ month, store, random, minutes }: Run, dueByDay: Uint32Array): void {
  const orders = random.poisson(month.ordersPerCustomer);
  for (let order = 0; order < orders; order++) {
    const day = dueDay(month, random);
    dueByDay[day] = (dueByDay[day] ?? 0) + 1;
    if (!random.chance(month.noticeOpens)) continue;
    const sentAt = month.noticeHour * 60 + random.uniform() * month.noticeMinutes;
    const at =
      (day - month.noticeDaysBefore) * MINUTES_A_DAY + sentAt + random.exponential(month.noticeDelayMinutes);
    open({ month, store, random, minutes }, at, month.noticeChanges);
  }
  const others = random.poisson(month.otherOpenings);
  for (let opening = 0; opening < others; opening++) {
    const day = Math.floor(random.uniform() * month.days);
    open({ month, store, random, minutes }, day * MINUTES_A_DAY + minuteOfDay(random), month.otherChanges);
  }
  if (random.chance(month.pausedUntilFirst)) count(minutes.resumes, minuteOf(store, 0), 1);
}

/** Day 0 is the first of the month. */
function dueDay({ dueOnFirst, dueOnFifteenth, days }: Month, random: Random): number {
  const at = random.uniform();
  if (at < dueOnFirst) return 0;
  if (at < dueOnFirst + dueOnFifteenth) return Math.min(14, days - 1);
  return Math.floor(random.uniform() * days);
}

const hourLimits = hourWeights.map((_, hour) => hourWeights.slice(0, hour + 1).reduce((a, b) => a + b, 0));
const allHours = hourLimits.at(-1) ?? 1;

function minuteOfDay(random: Random): number {
  const at = random.uniform() * allHours;
  const hour = hourLimits.findIndex((limit) => at < limit);
  return hour * 60 + random.uniform() * 60;
}

function open({ month, store, random, minutes }: Run, localMinute: number, changes: number): void {
  const minute = minuteOf(store, localMinute);
  count(minutes.openings, minute, 1);
  if (random.chance(month.signInPerOpening)) count(minutes.signIns, minute, 1);
  if (random.chance(changes)) count(minutes.changes, minute, 1);
}

/** The server reads every subscription each night, and charges what is due; one request after another. */
function playServer({ month, store, random, minutes }: Run, dueByDay: Uint32Array): ServerPlan {
  const begins = month.syncHour * 60 + random.uniform() * month.syncSpreadMinutes;
  const billing = month.billingHour * 60;
  const delay = random.uniform() * month.billingSpreadMinutes;
  const pages = Math.ceil(store.customers / month.syncPageSize);
  const charges = 60 * chargesPerSecond(month, month.serverAtOnce);
  for (let day = 0; day < month.days; day++) {
    const night = minuteOf(store, day * MINUTES_A_DAY + begins);
    spread(minutes.pages, night, { total: pages, perMinute: 60 * month.syncPagesPerSecond });
    const morning = minuteOf(store, day * MINUTES_A_DAY + billing + delay);
    spread(minutes.charges, morning, { total: dueByDay[day] ?? 0, perMinute: charges });
  }
  return {
    syncAtSecond: 60 * (begins - store.clockOffsetMinutes),
    pages,
    billingAtSecond: 60 * (billing - store.clockOffsetMinutes),
    billingDelaySeconds: 60 * delay,
    dueByDay,
  };
}

function spread(counts: Float32Array, from: number, work: { total: number; perMinute: number }): void {
  let left = work.total;
  for (let minute = from; left > 0; minute++) {
    count(counts, minute, Math.min(left, work.perMinute));
    left -= work.perMinute;
  }
}

/** The minute of the month, UTC, of a minute at the store. */
function minuteOf({ clockOffsetMinutes }: SimulatedStore, localMinute: number): number {
  return Math.floor(localMinute - clockOffsetMinutes);
}

/** What lies outside the month belongs to the one before or after, which are the same. */
function count(counts: Uint32Array | Float32Array, minute: number, times: number): void {
  const { length } = counts;
  const at = ((minute % length) + length) % length;
  counts[at] = (counts[at] ?? 0) + times;
}
