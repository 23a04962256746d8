/** Starts the run of a store's day, and logs for operators when it is late, or when billing is stopped on that day. */
import type { Logger } from '../../observability/logger.ts';
import { type createBillingPreviews, isValidPreview } from '../preview/previews.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { BillingRuns } from '../records/runs.ts';
import type { BillingStatus } from '../settings/decide-billing-status.ts';
import { latestRunDate, runStartAtMs } from '../settings/run-times.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { logRunStarted } from './log-run.ts';

type Deps = {
  readonly runs: Pick<BillingRuns, 'create' | 'find'>;
  readonly previews: Pick<ReturnType<typeof createBillingPreviews>, 'find'>;
  readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>;
  readonly now: () => number;
};
type StoreState = Pick<BillingTurn, 'settings' | 'store'>;

const LATE_START_AFTER_MS = 3_600_000;
const LATE_RUN_AFTER_MS = 6 * 3_600_000;

/**
 * Starts the run of the day if its time has come. A day has one run.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function startRun(deps: Deps, turn: StoreState, status: BillingStatus): Promise<void> {
  const { runs, previews, logger, now } = deps;
  const { store, settings } = turn;
  const { shopId } = store;
  const date = latestRunDate(settings, store, now());
  if (date === undefined || (await runs.find(shopId, date)) !== undefined) return;
  // Log before the run is created: if a fault keeps it from being created, each try logs that.
  const beginsAtMs = Math.max(runStartAtMs(settings, store, date), settings.updatedAtMs ?? 0);
  if (status === 'ON' && now() - beginsAtMs > LATE_START_AFTER_MS) {
    const beginsText = new Date(beginsAtMs).toISOString();
    logger.error('billing_run.begins_late', { alarm: 'billing_run_late', shopId, date, begins: beginsText });
  }
  const preview = await previews.find(shopId, date);
  const previewFields = isValidPreview(preview, settings) ? { expectedCount: preview.orderCount } : {};
  const run = {
    shopId,
    date,
    status: 'FINDING',
    foundCount: 0,
    startedAtMs: now(),
    ...previewFields,
  } as const;
  if ((await runs.create(run)) === 'refused') return;
  logRunStarted(logger, run);
  if (status === 'STOPPED_BY_STORE' || status === 'STOPPED_BY_OPERATOR')
    logger.warn('billing.stopped', { alarm: 'billing_stopped', shopId, date, status });
}

/**
 * Logs, at each call, the runs that still find or charge orders six hours after they began. A late run whose attempts are
 * all sent is logged once, when its charges are counted (`settleRun`).
 */
export function reportLateRuns(
  { logger, now }: Pick<Deps, 'logger' | 'now'>,
  turn: Pick<StoreState, 'settings'>,
  openRuns: readonly BillingRun[],
): void {
  for (const run of openRuns)
    if (run.status !== 'SETTLING' && isRunLate(turn, run, now())) logLateRun(logger, run);
}

/**
 * Whether a run is not done six hours after it began. A run on hold is never late: it waits for a person. Any change of the
 * settings, such as a stop or a resume, restarts the six hours.
 */
export function isRunLate(
  { settings }: Pick<StoreState, 'settings'>,
  { status, startedAtMs, confirmedAtMs = 0 }: BillingRun,
  nowMs: number,
): boolean {
  const sinceMs = Math.max(startedAtMs, confirmedAtMs, settings.updatedAtMs ?? 0);
  return status !== 'ON_HOLD' && nowMs - sinceMs > LATE_RUN_AFTER_MS;
}

/** Logs that a run is not done in time. The alarm pages an operator. */
export function logLateRun(
  logger: Pick<Logger, 'error'>,
  { shopId, date, status }: Pick<BillingRun, 'date' | 'shopId' | 'status'>,
): void {
  logger.error('billing_run.late', { alarm: 'billing_run_late', shopId, date, status });
}
