/** Creates the alarms of the lists in this folder; each notifies the topic of its severity. */
import {
  Alarm,
  type AlarmBase,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { FunctionName } from '../../definition/function-definitions.ts';
import type { AlarmSeverity, AlarmTopics } from './alarm-topics.ts';

export type AlarmDefinition = {
  /** Names the entry of docs/runbook.md that says what to do. */
  readonly kind: string;
  readonly severity: AlarmSeverity;
  /** The route, function or index, if there is an alarm for each. */
  readonly subject?: string;
  /** The description of the event, for the person who receives the alarm. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** The alarm rings at this value or above; with `ringsBelow`, under this value. */
  readonly threshold: number;
  readonly ringsBelow?: boolean;
  /** How many data points, out of how many, must be beyond the threshold. */
  readonly periods: readonly [beyond: number, of: number];
  /** Whether missing data rings; without it, missing data is fine. */
  readonly missingDataRings?: boolean;
  /** The function whose deploy this alarm rolls back while a new version takes over. */
  readonly rolledBackFunction?: FunctionName;
};
/** An alarm, and the function whose deploy it rolls back. */
export type CreatedAlarm = { readonly alarm: Alarm; readonly rolledBackFunction: FunctionName | undefined };
export type AlarmsInput = {
  readonly environmentName: string;
  readonly topics: AlarmTopics;
  readonly definitions: readonly AlarmDefinition[];
};

/** Creates the alarms, in the order of their definitions. */
export function createAlarms(
  scope: Construct,
  { environmentName, topics, definitions }: AlarmsInput,
): CreatedAlarm[] {
  const alarmsScope = new Construct(scope, 'Alarms');
  return definitions.map((definition) => {
    const { kind, subject, meaning, metric, threshold, ringsBelow, periods, missingDataRings } = definition;
    const alarmName = subject === undefined ? kind : `${kind} ${subject}`;
    const [datapointsToAlarm, evaluationPeriods] = periods;
    const alarm = new Alarm(alarmsScope, alarmName.replaceAll('/', ' '), {
      alarmName: `subscriptions-${environmentName} ${alarmName}`,
      alarmDescription: `${meaning} What to do: docs/runbook.md#${kind}`,
      metric,
      threshold,
      comparisonOperator:
        ringsBelow === true
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData:
        missingDataRings === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    notifyTopicOfAlarm(alarm, topics[definition.severity]);
    return { alarm, rolledBackFunction: definition.rolledBackFunction };
  });
}

/** Notifies a topic when an alarm starts and stops ringing. */
export function notifyTopicOfAlarm(alarm: AlarmBase, topic: ITopic): void {
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}
