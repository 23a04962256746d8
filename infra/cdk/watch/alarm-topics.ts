/**
 * The topics of the alarms, one for each severity. The environment chooses the recipients: addresses in
 * infra/definition/config.ts, or a pager.
 */
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';

/** `page`: act now, at night too. `ticket`: act on the next working day. */
export type AlarmSeverity = 'page' | 'ticket';
export type AlarmTopics = Readonly<Record<AlarmSeverity, Topic>>;

/** Creates both topics. Only alarms of this account may publish, and only over TLS. */
export function createAlarmTopics(scope: Construct, environment: NamedEnvironment): AlarmTopics {
  const createSeverityTopic = (severity: AlarmSeverity) => createTopic(scope, environment, severity);
  return { page: createSeverityTopic('page'), ticket: createSeverityTopic('ticket') };
}

function createTopic(scope: Construct, { name, config }: NamedEnvironment, severity: AlarmSeverity): Topic {
  const topic = new Topic(scope, severity === 'page' ? 'PageTopic' : 'TicketTopic', {
    topicName: `subscriptions-${name}-${severity}`,
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
  for (const address of config.alarmEmails[severity]) topic.addSubscription(new EmailSubscription(address));
  return topic;
}
