/**
 * Alarms of requests that API Gateway turns away with 429. It does so before any function runs, so no line of ours tells of
 * it. Its access log does, and may leave some out; the stage counts all, without their status.
 */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { ServiceFunction } from '../constructs/function.ts';
import type { ServiceApi } from '../constructs/http-api.ts';
import type { AlarmDefinition } from './create-alarms.ts';

const ONE_MINUTE = Duration.minutes(1);
const UNSEEN_PERCENT = 2;
const LEAST_UNSEEN = 20;

export type ThrottleAlarmsInput = {
  readonly api: Pick<ServiceApi, 'stage' | 'accessLog'>;
  /** The functions that requests reach. */
  readonly functions: readonly ServiceFunction[];
  readonly namespace: string;
};

export function throttleAlarms({ api, functions, namespace }: ThrottleAlarmsInput): AlarmDefinition[] {
  return [
    {
      kind: 'api-throttles',
      severity: 'ticket',
      of: 'by its log',
      meaning:
        'API Gateway turned requests away with 429: a throttle of a route, or the quota of the account.',
      metric: countedInLog(api, namespace),
      threshold: 1,
      periods: [1, 1],
    },
    {
      kind: 'api-throttles',
      severity: 'ticket',
      of: 'by its count',
      meaning: `API Gateway answered ${UNSEEN_PERCENT} % or more of all requests itself: no function was called for them.`,
      metric: unseen(api, functions),
      threshold: UNSEEN_PERCENT,
      periods: [2, 3],
    },
  ];
}

function countedInLog({ accessLog }: ThrottleAlarmsInput['api'], namespace: string): Metric {
  const filter = accessLog.addMetricFilter('TurnedAway', {
    metricNamespace: namespace,
    metricName: 'turnedAway',
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    metricValue: '1',
  });
  return filter.metric({ statistic: 'Sum', period: ONE_MINUTE });
}

function unseen(
  { stage }: ThrottleAlarmsInput['api'],
  functions: readonly ServiceFunction[],
): MathExpression {
  const called = functions.map(({ name, lambda }): [string, Metric] => [
    `called_${name.replaceAll('-', '_')}`,
    lambda.metricInvocations({ statistic: 'Sum', period: ONE_MINUTE }),
  ]);
  const count = stage.metric('Count', { statistic: 'Sum', period: ONE_MINUTE });
  const rest = ['FILL(count, 0)', ...called.map(([name]) => `FILL(${name}, 0)`)].join(' - ');
  return new MathExpression({
    expression: `IF(${rest} >= ${LEAST_UNSEEN}, 100 * (${rest}) / count, 0)`,
    usingMetrics: { count, ...Object.fromEntries(called) },
    period: ONE_MINUTE,
    label: '%',
  });
}
