/** The alarms of the edge. CloudWatch notifies only topics of its own region, so the edge has its own topics. */
import { Duration, type Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { NamedEnvironment } from '../../definition/config.ts';
import { type AlarmTopics, createAlarmTopics } from '../watch/alarm-topics.ts';
import { type AlarmDefinition, createAlarms } from '../watch/create-alarms.ts';

const FAILED_PERCENT = 5;
/** Failed requests in a minute. The alarm pages, and a few requests at night must not trigger it. */
const MIN_FAILED_REQUESTS = 5;
const MIN_BLOCKED_REQUESTS = 1000;
const ONE_MINUTE = Duration.minutes(1);

export type EdgeWatchInput = {
  readonly environment: NamedEnvironment;
  readonly firewallName: string;
  readonly distribution: Distribution;
};

export function watchEdge(stack: Stack, input: EdgeWatchInput): AlarmTopics {
  // The names must differ from the service's topics, which may be in the same region.
  const { name, config } = input.environment;
  const topics = createAlarmTopics(stack, { name: `${name}-edge`, config });
  createAlarms(stack, {
    environmentName: input.environment.name,
    topics,
    definitions: [defineFailingEdgeAlarm(input), defineBlockingFirewallAlarm(input)],
  });
  return topics;
}

function defineFailingEdgeAlarm({ distribution }: EdgeWatchInput): AlarmDefinition {
  const countMetric = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/CloudFront',
      metricName,
      dimensionsMap: { DistributionId: distribution.distributionId, Region: 'Global' },
      statistic,
      period: ONE_MINUTE,
    });
  return {
    kind: 'edge-fails',
    severity: 'page',
    meaning: `${FAILED_PERCENT} % or more of the edge's answers are 5xx: the API's, or its own because it does not reach it.`,
    metric: new MathExpression({
      expression: `IF(FILL(requests, 0) * FILL(failed, 0) / 100 >= ${MIN_FAILED_REQUESTS}, failed, 0)`,
      usingMetrics: {
        requests: countMetric('Requests', 'Sum'),
        failed: countMetric('5xxErrorRate', 'Average'),
      },
      period: ONE_MINUTE,
      label: '%',
    }),
    threshold: FAILED_PERCENT,
    periods: [3, 5],
  };
}

function defineBlockingFirewallAlarm({ firewallName }: EdgeWatchInput): AlarmDefinition {
  return {
    kind: 'edge-blocks',
    severity: 'ticket',
    meaning: `The firewall refused ${MIN_BLOCKED_REQUESTS} requests or more in five minutes: a flood, or limits that are too narrow.`,
    metric: new Metric({
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensionsMap: { WebACL: firewallName, Rule: 'ALL' },
      statistic: 'Sum',
      period: Duration.minutes(5),
    }),
    threshold: MIN_BLOCKED_REQUESTS,
    periods: [1, 1],
  };
}
