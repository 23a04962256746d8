/** Logs the start and the end of a run, with the metrics of the dashboard. */
import type { Logger } from '../../observability/logger.ts';
import { billingEndMetrics, billingStartMetrics } from '../../observability/metrics.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { NewBillingRun } from '../records/runs.ts';

type RunLogger = Pick<Logger, 'info'>;

/** Logs that a run was created. */
export function logRunStarted(logger: RunLogger, { shopId, date, expectedCount }: NewBillingRun): void {
  const startFields = { shopId, date, expectedCount, billingRunsStarted: 1 };
  logger.info('billing_run.started', startFields, [billingStartMetrics]);
}

/** Logs that all charges of a run are closed or have a next try. */
export function logRunDone(logger: RunLogger, run: BillingRun): void {
  const { shopId, date, startedAtMs, doneAtMs = startedAtMs, countByState = {} } = run;
  const { CHARGED = 0, RETRYING = 0, ACTION_REQUIRED = 0, REPORTED = 0 } = countByState;
  const metrics = {
    billingRunsDone: 1,
    ordersCharged: CHARGED,
    ordersDeclined: RETRYING + ACTION_REQUIRED,
    ordersReported: REPORTED,
  };
  const completedFields = { shopId, date, durationMs: doneAtMs - startedAtMs, ...countByState, ...metrics };
  logger.info('billing_run.completed', completedFields, [billingEndMetrics]);
}
