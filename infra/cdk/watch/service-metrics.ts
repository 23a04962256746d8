/** The service's own metrics, as lib/observability/metrics.ts writes them, for alarms and dashboard. */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { RequestOutcome } from '../../../lib/http/log-request.ts';
import type { ScheduledFunctionName } from '../../definition/function-definitions.ts';
import { INTERVAL_MINUTES } from '../../definition/timetable.ts';

/** `route`: a path of infra/definition/routes.ts, or `$default`. */
type RequestFilter = {
  readonly route?: string;
  readonly outcome?: RequestOutcome;
};
type BillingSum =
  | 'billingRunsStarted'
  | 'billingRunsDone'
  | 'ordersCharged'
  | 'ordersDeclined'
  | 'ordersReported';
export type ServiceMetrics = {
  /** Durations in milliseconds; with the statistic `SampleCount`, the number of requests. */
  requests(filter: RequestFilter, statistic?: string): Metric;
  /** The samples that the objectives use: 1 for a request that failed or was slow, otherwise 0. */
  evaluated(functionName: string, metricName: 'failed' | 'slow' | 'ownMs', statistic: string): Metric;
  /** Returns the metric that counts the log lines whose field `alarm` has this value. */
  alarms(alarm: string): Metric;
  /** The number of changes with this timeline action that customers made. */
  customerChanges(action: string): Metric;
  /** Written by each run of the scheduled work. */
  openIntents(): Metric;
  /** Sums of the runs of billing: how many began and are done, and the orders of those that are done. */
  billing(sumName: BillingSum): Metric;
  /** The percentage of each store's requests that were throttled. */
  throttledShares(): MathExpression;
};

const FIVE_MINUTES = Duration.minutes(5);
const MIN_MINUTES_BETWEEN_RUNS = 5;

/** Returns a period so long that each contains a run of the function, even a late run. */
export function choosePeriodBetweenRuns(name: ScheduledFunctionName): Duration {
  return Duration.minutes(Math.max(2 * INTERVAL_MINUTES[name], MIN_MINUTES_BETWEEN_RUNS));
}

/** Creates the metrics of one environment; `namespace` is its secrets prefix. */
export function createServiceMetrics(namespace: string): ServiceMetrics {
  const createMetric = (metricName: string, dimensionsMap: Record<string, string>, statistic: string) =>
    new Metric({ namespace, metricName, dimensionsMap, statistic, period: FIVE_MINUTES });
  return {
    requests: (filter, statistic = 'SampleCount') => createMetric('durationMs', { ...filter }, statistic),
    evaluated: (service, metricName, statistic) => createMetric(metricName, { service }, statistic),
    alarms: (alarm) => createMetric('alarms', { alarm }, 'Sum'),
    customerChanges: (action) => createMetric('actions', { action }, 'Sum'),
    billing: (sumName) => createMetric(sumName, {}, 'Sum'),
    openIntents: () =>
      createMetric('intentsOpenOverAnHour', {}, 'Maximum').with({
        period: choosePeriodBetweenRuns('scheduled-work'),
      }),
    throttledShares: () =>
      new MathExpression({
        // Metrics Insights returns one time series for each store; the alarm evaluates each separately.
        expression: `SELECT AVG(throttled) FROM SCHEMA("${namespace}", store) GROUP BY store ORDER BY AVG() DESC`,
        usingMetrics: {},
        period: FIVE_MINUTES,
        label: 'throttled share',
      }),
  };
}

/** Returns the percentage of `part` in `whole`, or 0 while `part` is below `minimum`. */
export function createPercentageOf(part: Metric, whole: Metric, minimum: number): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(part, 0) >= ${minimum}, 100 * FILL(part, 0) / whole, 0)`,
    usingMetrics: { part, whole },
    period: part.period,
    label: '%',
  });
}
