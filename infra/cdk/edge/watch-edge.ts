/** The alarms of the edge. CloudWatch tells topics of its own region alone, so the edge has one. */
import { Duration, type Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { NamedEnvironment } from '../../definition/config.ts';
import { createAlarmTopic } from '../watch/alarm-topic.ts';
import { type AlarmDefinition, createAlarms } from '../watch/create-alarms.ts';

const FAILED_PERCENT = 5;
const BLOCKED = 1000;

export type EdgeWatchInput = {
  readonly environment: NamedEnvironment;
  readonly firewallName: string;
  readonly distribution: Distribution;
};

export function watchEdge(stack: Stack, input: EdgeWatchInput): Topic {
  // The service may be in the same region.
  const { name, config } = input.environment;
  const topic = createAlarmTopic(stack, { name: `${name}-edge`, config });
  createAlarms(stack, {
    environmentName: input.environment.name,
    topic,
    definitions: [failing(input), blocking(input)],
  });
  return topic;
}

function failing({ distribution }: EdgeWatchInput): AlarmDefinition {
  return {
    kind: 'edge-fails',
    meaning: `${FAILED_PERCENT} % or more of the edge's answers are 5xx: the API's, or its own because it does not reach it.`,
    metric: new Metric({
      namespace: 'AWS/CloudFront',
      metricName: '5xxErrorRate',
      dimensionsMap: { DistributionId: distribution.distributionId, Region: 'Global' },
      statistic: 'Average',
      period: Duration.minutes(1),
    }),
    threshold: FAILED_PERCENT,
    periods: [3, 5],
  };
}

function blocking({ firewallName }: EdgeWatchInput): AlarmDefinition {
  return {
    kind: 'edge-blocks',
    meaning: `The firewall refused ${BLOCKED} requests or more in five minutes: a flood, or limits that are too narrow.`,
    metric: new Metric({
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensionsMap: { WebACL: firewallName, Rule: 'ALL' },
      statistic: 'Sum',
      period: Duration.minutes(5),
    }),
    threshold: BLOCKED,
    periods: [1, 1],
  };
}
