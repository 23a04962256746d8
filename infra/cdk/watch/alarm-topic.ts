/**
 * The topic that every alarm goes to. The environment chooses who is woken: addresses in infra/definition/config.ts, or
 * a pager.
 */
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';

/** The topic. Only alarms of this account may publish, and over TLS alone. */
export function createAlarmTopic(scope: Construct, { name, config }: NamedEnvironment): Topic {
  const topic = new Topic(scope, 'AlarmTopic', {
    topicName: `subscriptions-${name}-alarms`,
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsPublish',
      actions: ['sns:Publish'],
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  for (const address of config.alarmEmails) topic.addSubscription(new EmailSubscription(address));
  return topic;
}
