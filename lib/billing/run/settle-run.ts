/**
 * Counts the charges of runs. The last step of a run counts them until each is closed or has a next try; after that they
 * are counted each day, because orders are paid, or end, later.
 */
import type { Logger } from '../../observability/logger.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { BillingRuns } from '../records/runs.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { type CountDeps, countRun } from './count-run.ts';
import { logRunDone } from './log-run.ts';
import { isRunLate, logLateRun } from './start-run.ts';

export type SettleRunDeps = CountDeps & {
  readonly runs: Pick<BillingRuns, 'replace'>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
};
type RunToSettle = { readonly run: BillingRun; readonly mayCharge: boolean };

const MINUTE_MS = 60_000;
const COUNT_INTERVAL_MS = 5 * MINUTE_MS;
/** From an hour after the run's start on: an attempt without an outcome can get one for a week. */
const SLOW_COUNT_INTERVAL_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A run that is done is counted for this long, because a retry schedule takes up to 30 days. */
const MAX_COUNTED_RUN_AGE_MS = 35 * DAY_MS;

/**
 * Counts the charges of the run if a count is due, and ends the run when all are settled. A run that is late in this step is
 * logged once: its charges mostly wait for the platform, and operators need no alarm for that each hour.
 * @returns the run as it was written, or unchanged
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function settleRun(
  deps: SettleRunDeps,
  turn: Pick<BillingTurn, 'settings'>,
  { run, mayCharge }: RunToSettle,
): Promise<BillingRun> {
  const nowMs = deps.now();
  if (nextCountAtMs(run, { isPaused: !mayCharge }) > nowMs) return run;
  const { isSettled, ...runCount } = await countRun(deps, run);
  const isRunSettling = run.status === 'SETTLING';
  const isNewlyLate =
    isRunSettling &&
    !isSettled &&
    mayCharge &&
    run.lateReportedAtMs === undefined &&
    isRunLate(turn, run, nowMs);
  const doneFields = isRunSettling && isSettled ? ({ status: 'DONE', doneAtMs: nowMs } as const) : {};
  const lateFields = isNewlyLate ? { lateReportedAtMs: nowMs } : {};
  // Log before the run is written: then a crash in between causes a second line, not a missing one.
  if (isNewlyLate) logLateRun(deps.logger, run);
  const countedRun = await deps.runs.replace(run, { ...run, ...runCount, ...doneFields, ...lateFields });
  if (countedRun === 'refused') return run;
  if (isRunSettling && isSettled) logRunDone(deps.logger, countedRun);
  return countedRun;
}

/**
 * Returns when the charges are counted next: every five minutes, and from an hour after the run's begin or confirmation every
 * hour while it waits: for attempts, for a confirmation, or for the end of a stop. When it is done they are counted each day,
 * for 35 days, unless all its orders are charged. A run that waits for days is counted each day, too.
 */
export function nextCountAtMs(
  { status, countedAtMs, countByState = {}, startedAtMs, confirmedAtMs = startedAtMs }: BillingRun,
  { isPaused }: { readonly isPaused: boolean },
): number {
  const isChargingPaused = status === 'ON_HOLD' || isPaused;
  if (status === 'CHARGING' && !isChargingPaused) return (countedAtMs ?? startedAtMs) + COUNT_INTERVAL_MS;
  if (countedAtMs === undefined) return 0;
  const ageMs = countedAtMs - Math.max(startedAtMs, confirmedAtMs);
  if (status === 'DONE') {
    const areAllCharged = Object.keys(countByState).every((state) => state === 'CHARGED');
    return ageMs > MAX_COUNTED_RUN_AGE_MS || areAllCharged ? Number.POSITIVE_INFINITY : countedAtMs + DAY_MS;
  }
  if (status !== 'SETTLING' && ageMs > DAY_MS) return countedAtMs + DAY_MS;
  return countedAtMs + (ageMs > SLOW_COUNT_INTERVAL_MS ? SLOW_COUNT_INTERVAL_MS : COUNT_INTERVAL_MS);
}
