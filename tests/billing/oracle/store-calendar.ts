/** The settings of a store over time, and the runs that follow from them: one for each day from the first one on. */
import { type BillingSettings, DEFAULT_SETTINGS, type StoreDescription } from './description.ts';
import { addDays, DAY_MS, dayAt, instantAt, startOfDay } from './zone-time.ts';

/** How long a run may take. */
export const RUN_LENGTH_MS = 60 * 60_000;
/** How long after its hour the last order of a run may be charged: the run begins within half an hour. */
export const RUN_WINDOW_MS = 30 * 60_000 + RUN_LENGTH_MS;
const FIRST_DAYS = 35;
const RECONCILIATION_HOUR = 2;
/** The days of two searches, of a week each. */
const SEARCHED_MS = 14 * DAY_MS;

export type Run = {
  readonly day: string;
  /** When the run begins at the earliest. */
  readonly atMs: number;
  /** The run finds orders that are due from then … */
  readonly searchFromMs: number;
  /** … of which those from then are judged by its day, and older ones are only reported … */
  readonly recentFromMs: number;
  /** … until then. */
  readonly searchUntilMs: number;
  /** When the day begins. */
  readonly dayFromMs: number;
  /** No order before this instant is the service's. */
  readonly startsMs: number;
  /** Whether the store is in its first 35 days, in which others may have been paid for an order. */
  readonly isFirstDays: boolean;
  /** Whether no preview can have been made in the night before. */
  readonly isWithoutPreview: boolean;
};

export type StoreCalendar = {
  readonly runs: readonly Run[];
  settingsAt(ms: number): BillingSettings;
  zoneAt(ms: number): string;
  /** Returns the first instant from `ms` on at which charges may begin; infinite when the store stays stopped. */
  freeFrom(ms: number): number;
};

type Period = { readonly fromMs: number; readonly untilMs: number } & {
  readonly settings: BillingSettings;
  readonly timeZone: string;
  readonly isStopped: boolean;
};

export function createStoreCalendar(store: StoreDescription, untilMs: number): StoreCalendar {
  const periods = listPeriods(store);
  const periodAt = (ms: number) => periods.findLast(({ fromMs }) => fromMs <= ms) ?? periods[0];
  return {
    runs: listRuns(periods, untilMs),
    settingsAt: (ms) => periodAt(ms)?.settings ?? DEFAULT_SETTINGS,
    zoneAt: (ms) => periodAt(ms)?.timeZone ?? store.timeZone,
    freeFrom(ms) {
      const at = periods.findIndex((period) => period.untilMs > ms && !period.isStopped);
      return Math.max(ms, periods[at]?.fromMs ?? Number.POSITIVE_INFINITY);
    },
  };
}

function listPeriods({ timeZone, changes }: StoreDescription): readonly Period[] {
  const periods: Period[] = [];
  let period = {
    ...{ fromMs: Number.NEGATIVE_INFINITY, settings: DEFAULT_SETTINGS, timeZone, isStopped: false },
  };
  for (const change of changes) {
    if (change.kind === 'confirm') continue;
    periods.push({ ...period, untilMs: change.atMs });
    period = { ...period, fromMs: change.atMs };
    if (change.kind === 'settings') period.settings = { ...period.settings, ...change.settings };
    else if (change.kind === 'zone') period.timeZone = change.timeZone;
    else period.isStopped = change.kind === 'stop';
  }
  return [...periods, { ...period, untilMs: Number.POSITIVE_INFINITY }];
}

/** A day has one run, also where its hour is missing or comes twice, or where hour or zone change. */
function listRuns(periods: readonly Period[], observedUntilMs: number): readonly Run[] {
  const runs: Run[] = [];
  let enabledMs = Number.NEGATIVE_INFINITY;
  for (const [at, period] of periods.entries()) {
    const { settings, timeZone, fromMs } = period;
    const untilMs = Math.min(period.untilMs, observedUntilMs);
    if (!settings.enabled || untilMs <= fromMs) continue;
    if (periods[at - 1]?.settings.enabled !== true) enabledMs = fromMs;
    const today = dayAt(fromMs, timeZone);
    // A zone that changes may leave out the run of the day before: it begins while that of today is ahead.
    const isTodayAhead = instantAt(today, settings.hour, timeZone) > fromMs;
    const earliest = isTodayAhead ? addDays(today, -1) : today;
    const firstDay = [settings.startsOn, earliest].toSorted()[1] ?? earliest;
    for (let day = firstDay; startOfDay(day, timeZone) < untilMs; day = addDays(day, 1)) {
      const hourMs = instantAt(day, settings.hour, timeZone);
      // An hour that had passed when the settings changed: the day still has its run.
      const atMs = Math.max(hourMs, fromMs);
      const isDone = runs.some((run) => run.day >= day);
      if (atMs < untilMs && !isDone) runs.push(createRun(day, atMs, { period, enabledMs }));
    }
  }
  return runs;
}

function createRun(
  day: string,
  atMs: number,
  { period: { settings, timeZone }, enabledMs }: { readonly period: Period; readonly enabledMs: number },
): Run {
  const searchUntilMs = Math.min(startOfDay(addDays(day, 1), timeZone) - 1, atMs + DAY_MS);
  return {
    ...{ day, atMs, searchUntilMs },
    searchFromMs: searchUntilMs - SEARCHED_MS,
    recentFromMs: searchUntilMs - SEARCHED_MS / 2,
    dayFromMs: startOfDay(day, timeZone),
    startsMs: startOfDay(settings.startsOn, timeZone),
    isFirstDays: isFirstDay(day, settings),
    isWithoutPreview: !hasPreview({ day, atMs, enabledMs, timeZone }),
  };
}

/** Whether the day is one of the store's first 35 days. */
export function isFirstDay(day: string, { startsOn }: Pick<BillingSettings, 'startsOn'>): boolean {
  return day < addDays(startsOn, FIRST_DAYS);
}

type RunToPreview = {
  readonly day: string;
  readonly atMs: number;
  readonly enabledMs: number;
  readonly timeZone: string;
};

/** A night begins at 2 o'clock: that of the day before has counted the day, or that of the day itself, if it is not later. */
function hasPreview({ day, atMs, enabledMs, timeZone }: RunToPreview): boolean {
  const starts = [addDays(day, -1), day].map((date) => instantAt(date, RECONCILIATION_HOUR, timeZone));
  return starts.some((startMs) => enabledMs <= startMs && startMs <= atMs);
}
