/**
 * The oracle: who is charged, at which price, when, and what each decline leads to. It is worked out from the platform's
 * facts and the design of billing alone, and imports nothing of the service.
 */
import { ACCOUNT_CODES } from './decline-classes.ts';
import type { Description, StoreDescription } from './description.ts';
import {
  type ContractOutcome,
  expectContract,
  type Hold,
  runWindow,
  type ScheduledRun,
  type StoreSchedule,
} from './expect-contract.ts';
import type { Expectation, HoldReason } from './expectation.ts';
import { createStoreCalendar, type Run, type StoreCalendar } from './store-calendar.ts';

const DEFAULT_PACE_MS = 10 * 60_000;
const ACCOUNT_REFUSALS = 10;
/** A hold changes what later runs find: so many times the runs are worked out again. */
const MAX_PASSES = 8;

/**
 * Returns the expectation of a description. The service may act at any time of a window: `paceMs` says how long after
 * the earliest time, so two paces show which results depend on that. `followUpDelayMs`: an attempt that has not ended after
 * a week is given up, and a contract expires after its last order, so much later, which may be after a run of the same
 * minute.
 */
export function expectCharges(
  description: Description,
  paceMs = DEFAULT_PACE_MS,
  followUpDelayMs = 0,
): Expectation {
  const { store, contracts, untilMs } = description;
  const calendar = createStoreCalendar(store, untilMs);
  let holdReasons = new Map<string, HoldReason>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const schedule = scheduleRuns(store, { calendar, paceMs, followUpDelayMs, holdReasons });
    const outcomes = contracts.map((contract) => expectContract(contract, description, schedule));
    const next = findHolds(outcomes, store, calendar);
    const isSame = JSON.stringify([...next]) === JSON.stringify([...holdReasons]);
    if (isSame) return describe(outcomes, calendar, holdReasons);
    holdReasons = next;
  }
  throw new Error(`The holds of ${MAX_PASSES} passes differ.`);
}

type HoldReasons = ReadonlyMap<string, HoldReason>;

function describe(outcomes: readonly ContractOutcome[], calendar: StoreCalendar, holdReasons: HoldReasons) {
  const counts = countFound(outcomes);
  return {
    contracts: outcomes.map(({ expectation }) => expectation),
    runs: calendar.runs.map((run) => ({
      ...runWindow(run),
      day: run.day,
      foundCount: counts.get(run.day) ?? 0,
      holdReason: holdReasons.get(run.day) ?? null,
    })),
  };
}

function countFound(outcomes: readonly ContractOutcome[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const day of outcomes.flatMap(({ foundDays }) => foundDays))
    counts.set(day, (counts.get(day) ?? 0) + 1);
  return counts;
}

type ScheduleOptions = {
  readonly calendar: StoreCalendar;
  readonly paceMs: number;
  readonly followUpDelayMs: number;
  readonly holdReasons: HoldReasons;
};

function scheduleRuns(store: StoreDescription, options: ScheduleOptions): StoreSchedule {
  const { calendar, paceMs, followUpDelayMs, holdReasons } = options;
  const runs = calendar.runs.map((run): ScheduledRun => {
    const confirmedMs = holdReasons.has(run.day) ? findConfirmation(store, run) : run.atMs;
    return { ...run, chargeFromMs: calendar.freeFrom(Math.max(run.atMs, confirmedMs)) };
  });
  const holds = runs.flatMap((run, at): Hold[] => {
    if (!holdReasons.has(run.day)) return [];
    const next = runs.slice(at + 1).find(({ day }) => !holdReasons.has(day));
    return [
      { fromMs: run.atMs, untilMs: Math.min(run.chargeFromMs, next?.atMs ?? Number.POSITIVE_INFINITY) },
    ];
  });
  return { calendar, runs, holds, paceMs, followUpDelayMs };
}

function findConfirmation({ changes }: StoreDescription, run: Run): number {
  const confirmation = changes.find(
    (change) => change.kind === 'confirm' && change.day === run.day && change.atMs >= run.atMs,
  );
  return confirmation?.atMs ?? Number.POSITIVE_INFINITY;
}

function findHolds(
  outcomes: readonly ContractOutcome[],
  { previewCounts = {} }: StoreDescription,
  { runs }: StoreCalendar,
): Map<string, HoldReason> {
  const counts = countFound(outcomes);
  const refusedMs = findAccountRefusals(outcomes);
  const reasons = new Map<string, HoldReason>();
  for (const [at, { day, atMs, isWithoutPreview }] of runs.entries()) {
    const foundCount = counts.get(day) ?? 0;
    const previousMs = runs[at - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
    const reason = isWithoutPreview
      ? 'PREVIEW_MISSING'
      : isMoreThanExpected(foundCount, previewCounts[day] ?? foundCount)
        ? 'MORE_THAN_EXPECTED'
        : refusedMs.some((ms) => previousMs <= ms && ms < atMs)
          ? 'MERCHANT_ACCOUNT_REFUSES'
          : undefined;
    if (reason !== undefined) reasons.set(day, reason);
  }
  return reasons;
}

/** More than half as many again as the preview had, and at least a hundred more. */
export function isMoreThanExpected(foundCount: number, previewCount: number): boolean {
  return foundCount > 1.5 * previewCount && foundCount >= previewCount + 100;
}

/** Returns the times at which ten ended attempts in a row were refused by the merchant's account. */
function findAccountRefusals(outcomes: readonly ContractOutcome[]): readonly number[] {
  const ended = outcomes.flatMap(({ attempts }) => attempts.filter(({ isOpen }) => !isOpen));
  let count = 0;
  return ended
    .toSorted((one, other) => one.endMs - other.endMs)
    .flatMap(({ outcome, endMs }) => {
      count = ACCOUNT_CODES.has(outcome) ? count + 1 : 0;
      return count === ACCOUNT_REFUSALS ? [endMs] : [];
    });
}
