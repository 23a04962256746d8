/** The last step of a run: its charges are counted until each is closed or has a next try. */
import type { Logger } from '../../observability/logger.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { BillingRuns } from '../records/runs.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { type CountDeps, countRun } from './count-run.ts';
import { logRunDone } from './log-run.ts';
import { isDoneLate, logDoneLate } from './start-run.ts';

type SettleRunDeps = CountDeps & {
  readonly runs: Pick<BillingRuns, 'replace'>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
};
type RunToSettle = { readonly run: BillingRun; readonly mayCharge: boolean };

const MINUTE_MS = 60_000;
const COUNT_INTERVAL_MS = 5 * MINUTE_MS;
/** Later, an attempt that has no outcome can still get one: for a week. */
const SLOW_COUNT_INTERVAL_MS = 60 * MINUTE_MS;

/**
 * Counts the charges of the run, and ends it when all are settled. A run that is late is logged once: most of its charges
 * wait for the platform, which the scheduled work asks anyway, and nothing can be done about them each hour.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function settleRun(
  deps: SettleRunDeps,
  turn: Pick<BillingTurn, 'settings'>,
  { run, mayCharge }: RunToSettle,
): Promise<void> {
  const nowMs = deps.now();
  if (nextCountAtMs(run) > nowMs) return;
  const { isSettled, ...count } = await countRun(deps, run);
  const isNewlyLate =
    !isSettled && mayCharge && run.lateReportedAtMs === undefined && isDoneLate(turn, run, nowMs);
  const done = isSettled ? ({ status: 'DONE', doneAtMs: nowMs } as const) : {};
  const late = isNewlyLate ? { lateReportedAtMs: nowMs } : {};
  // Before the run is written: after a crash it is logged again, but never left out.
  if (isNewlyLate) logDoneLate(deps.logger, run);
  const counted = await deps.runs.replace(run, { ...run, ...count, ...done, ...late });
  if (counted !== 'refused' && counted.status === 'DONE') logRunDone(deps.logger, counted);
}

/** Returns when the charges are counted next: every five minutes, and from an hour after the run's begin every hour. */
export function nextCountAtMs({ countedAtMs, startedAtMs }: BillingRun): number {
  if (countedAtMs === undefined) return 0;
  const isSlow = countedAtMs - startedAtMs > SLOW_COUNT_INTERVAL_MS;
  return countedAtMs + (isSlow ? SLOW_COUNT_INTERVAL_MS : COUNT_INTERVAL_MS);
}
