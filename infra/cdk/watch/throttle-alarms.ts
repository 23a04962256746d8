/**
 * Alarms of requests that API Gateway throttles with 429. It does so before any function runs, so the functions log
 * nothing. The access log records these requests but may miss some; the stage's metric counts all 4xx without their
 * status. Neither alarm counts the health address: no client depends on it, and any caller could keep the alarm
 * ringing.
 */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { HEALTH_PATH } from '../../definition/routes.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { ServiceApi } from '../constructs/http-api.ts';
import type { AlarmDefinition } from './create-alarms.ts';

const ONE_MINUTE = Duration.minutes(1);
const UNLOGGED_PERCENT = 2;
const MIN_UNLOGGED_REQUESTS = 20;

export type ThrottleAlarmsInput = {
  readonly api: Pick<ServiceApi, 'stage' | 'accessLog'>;
  /** The functions that requests reach. */
  readonly functions: readonly ServiceFunction[];
  readonly namespace: string;
};

export function defineThrottleAlarms({ api, functions, namespace }: ThrottleAlarmsInput): AlarmDefinition[] {
  return [
    {
      kind: 'api-throttles',
      severity: 'ticket',
      subject: 'by its log',
      meaning:
        'API Gateway turned requests away with 429: a throttle of a route, or the quota of the account.',
      metric: createGatewayThrottledMetric(api, { namespace, metricName: 'turnedAway', comparison: '!=' }),
      threshold: 1,
      periods: [1, 1],
    },
    {
      kind: 'api-throttles',
      severity: 'ticket',
      subject: 'by its count',
      meaning: `API Gateway answered ${UNLOGGED_PERCENT} % or more of all requests itself: no function was called for them.`,
      metric: createUnloggedRequestsMetric(api, { functions, namespace }),
      threshold: UNLOGGED_PERCENT,
      periods: [2, 3],
    },
  ];
}

type LogMetricFilter = {
  readonly namespace: string;
  readonly metricName: 'turnedAway' | 'turnedAwayHealth';
  /** Selects the route with the health address, for any method, or all other routes. */
  readonly comparison: '=' | '!=';
};

function createGatewayThrottledMetric(
  { accessLog }: ThrottleAlarmsInput['api'],
  filterInput: LogMetricFilter,
): Metric {
  const { namespace: metricNamespace, metricName, comparison } = filterInput;
  const metricFilter = accessLog.addMetricFilter(metricName, {
    metricNamespace,
    metricName,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '429'),
      FilterPattern.stringValue('$.route', comparison, `*${HEALTH_PATH}`),
    ),
    metricValue: '1',
  });
  return metricFilter.metric({ statistic: 'Sum', period: ONE_MINUTE });
}

/**
 * Returns the percentage of requests that the stage counted, but for which no function was called. Throttled requests to the
 * health address are subtracted as far as the access log has them: if the log misses them, the alarm rings. Metrics for
 * each route would be exact, but would cost extra.
 */
function createUnloggedRequestsMetric(
  api: ThrottleAlarmsInput['api'],
  { functions, namespace }: Pick<ThrottleAlarmsInput, 'functions' | 'namespace'>,
): MathExpression {
  const invocationMetrics = functions.map(({ name, lambda }): [string, Metric] => [
    `called_${name.replaceAll('-', '_')}`,
    lambda.metricInvocations({ statistic: 'Sum', period: ONE_MINUTE }),
  ]);
  const requestCount = api.stage.metric('Count', { statistic: 'Sum', period: ONE_MINUTE });
  const healthMetric = createGatewayThrottledMetric(api, {
    namespace,
    metricName: 'turnedAwayHealth',
    comparison: '=',
  });
  const requestsExpression = 'FILL(count, 0) - FILL(health, 0)';
  const unloggedExpression = [
    requestsExpression,
    ...invocationMetrics.map(([name]) => `FILL(${name}, 0)`),
  ].join(' - ');
  return new MathExpression({
    expression: `IF(${unloggedExpression} >= ${MIN_UNLOGGED_REQUESTS}, 100 * (${unloggedExpression}) / (${requestsExpression}), 0)`,
    usingMetrics: { count: requestCount, health: healthMetric, ...Object.fromEntries(invocationMetrics) },
    period: ONE_MINUTE,
    label: '%',
  });
}
