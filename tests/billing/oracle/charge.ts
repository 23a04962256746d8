/** The charge that the service has for an order, and when something is done about it next. */
import type { DeclineClass } from './decline-classes.ts';
import type { BillingSettings } from './description.ts';
import type { ChargeReason, ChargeState, ExpectedTry, TimeWindow } from './expectation.ts';
import type { Attempt } from './platform-model.ts';
import { RUN_LENGTH_MS, RUN_WINDOW_MS } from './store-calendar.ts';
import { addDays, DAY_MS, dayAt, HOUR_MS, instantAt } from './zone-time.ts';

const SOON_MS = 15 * 60_000;
const MAX_TRIES = 10;
const TRIES_MS = 30 * DAY_MS;

/** A task: the next try, or the final action. */
export type Task = {
  readonly dueMs: number;
  /** With the run of the day, or at once. */
  readonly kind: 'HOUR' | 'NOW';
  /** Set for the final action: why no more tries follow. */
  readonly finalReason?: 'NEVER_RETRIED' | 'TRIES_OVER';
};

export type Charge = {
  readonly index: number;
  day: string;
  foundMs: number;
  expectedMs: number;
  /** Found when it was more than a week late. */
  isOld: boolean;
  state: ChargeState;
  reason: ChargeReason | null;
  chargedBy: Attempt['by'] | null;
  /** The total with which the last attempt was sent. */
  sentMinor: number | null;
  tries: ExpectedTry[];
  /** The failed attempts that are among the tries. */
  readonly counted: Set<Attempt>;
  /** Whether an attempt was sent, though the platform may have refused it. */
  isSent: boolean;
  task: Task | null;
  /** The failed tries that the schedule counts, and when the last of them ended; null before the first one. */
  schedule: { readonly count: number; readonly fromMs: number } | null;
  /** Whether the customer has caused the next try, or the one under way. */
  isExtraTry: boolean;
  /** It waits for the end of an attempt for an older order. */
  isWaitingForOlder: boolean;
  declineClass: DeclineClass | null;
  /** Whether no try succeeds before the store has changed the amount: then the customer cannot request one. */
  isAmountRefused: boolean;
  retryRequestedMs: number;
  addressTriedMs: number;
  reviewCount: number;
  lastRefusal: string | null;
};

type Found = Pick<Charge, 'day' | 'expectedMs' | 'foundMs' | 'index' | 'isOld'>;

export function createCharge(found: Found): Charge {
  return {
    ...found,
    ...{ state: 'DUE', reason: null, chargedBy: null, sentMinor: null, tries: [], counted: new Set() },
    ...{
      isSent: false,
      task: null,
      schedule: null,
      isExtraTry: false,
      isWaitingForOlder: false,
      declineClass: null,
      isAmountRefused: false,
    },
    ...{ retryRequestedMs: Number.NEGATIVE_INFINITY, addressTriedMs: Number.NEGATIVE_INFINITY },
    ...{ reviewCount: 0, lastRefusal: null },
  };
}

export function isOpenCharge({ state }: Charge): boolean {
  return ['ACTION_REQUIRED', 'DUE', 'RETRYING', 'WAITING'].includes(state);
}

export function closeCharge(charge: Charge, state: ChargeState, reason: ChargeReason | null): void {
  Object.assign(charge, { state, reason, task: null, isWaitingForOlder: false });
}

/** Counts a failed attempt of another server as a try. */
export function addTryOfOthers(charge: Charge, attempt: Attempt): void {
  const { startMs: earliestMs, endMs: latestMs, outcome, by } = attempt;
  charge.counted.add(attempt);
  countInSchedule(charge, attempt);
  charge.tries.push({ earliestMs, latestMs, by, outcome });
}

/** Returns whether no attempt for the order is known. */
export function isUntried({ isSent, tries }: Charge): boolean {
  return !isSent && tries.length === 0;
}

/** Returns when a task may be done that could not begin before `freeMs`. */
export function taskWindow({ dueMs, kind }: Task, freeMs: number): TimeWindow {
  const earliestMs = Math.max(dueMs, freeMs);
  const lengthMs = earliestMs > dueMs ? RUN_LENGTH_MS : kind === 'HOUR' ? RUN_WINDOW_MS : SOON_MS;
  return { earliestMs, latestMs: earliestMs + lengthMs };
}

export function hasUsedTries({ tries }: Charge, nowMs: number): boolean {
  return tries.filter(({ latestMs }) => latestMs > nowMs - TRIES_MS).length >= MAX_TRIES;
}

export type Moment = { readonly atMs: number; readonly timeZone: string; readonly settings: BillingSettings };

/**
 * Returns the task after a failed try. The n-th number of the schedule says after how many days the n-th try that it counts
 * is followed by another. A try that the customer has caused changes nothing in it. Where only the customer can
 * help, the final action follows after all the days that are left.
 */
export function planAfterDecline(
  { schedule }: Charge,
  declineClass: DeclineClass,
  moment: Moment & { readonly endMs: number },
): Task {
  const { settings, endMs } = moment;
  if (declineClass === 'never') return { dueMs: endMs, kind: 'NOW', finalReason: 'NEVER_RETRIED' };
  const { count, fromMs } = schedule ?? { count: 1, fromMs: endMs };
  const dueMs: number[] = [];
  let days = 0;
  for (const each of retrySettings(declineClass, settings).retryAfterDays.slice(count - 1)) {
    days += each;
    const planMs = hourAfter({ ...moment, atMs: fromMs }, days);
    if (planMs > endMs) dueMs.push(planMs);
  }
  const [next, last] = [dueMs.at(0), dueMs.at(-1)];
  if (next === undefined || last === undefined)
    return { dueMs: endMs, kind: 'NOW', finalReason: 'TRIES_OVER' };
  if (declineClass !== 'customer') return { dueMs: next, kind: 'HOUR' };
  return { dueMs: last, kind: 'HOUR', finalReason: 'TRIES_OVER' };
}

/** Has the declined charge tried now. */
export function tryNow(charge: Charge, atMs: number): void {
  charge.isExtraTry = true;
  charge.task = { dueMs: atMs, kind: 'NOW' };
}

/** Has the declined charge tried because of a new address: at most once an hour. */
export function tryAfterAddress(charge: Charge, atMs: number): void {
  const { addressTriedMs, isExtraTry, task } = charge;
  const tryMs = addressTriedMs > atMs ? addressTriedMs : Math.max(atMs, addressTriedMs + HOUR_MS);
  if (isExtraTry && task?.kind === 'NOW' && task.dueMs <= tryMs) return;
  charge.addressTriedMs = tryMs;
  tryNow(charge, tryMs);
}

/** Counts a failed try in the schedule, unless the customer has caused it. */
export function countInSchedule(charge: Charge, { by, endMs }: Attempt): void {
  const isExtra = charge.isExtraTry && by === 'SERVICE';
  if (!isExtra) charge.schedule = { count: (charge.schedule?.count ?? 0) + 1, fromMs: endMs };
  charge.isExtraTry = false;
}

export function retrySettings(declineClass: DeclineClass | null, settings: BillingSettings) {
  return declineClass === 'stock' || declineClass === 'merchant' ? settings.outOfStock : settings.declined;
}

/** Returns the store's hour of the day that is so many days later. */
export function hourAfter({ atMs, timeZone, settings }: Moment, days: number): number {
  return instantAt(addDays(dayAt(atMs, timeZone), days), settings.hour, timeZone);
}
