/** Makes the alarms of the lists beside this file; each tells the topic of its severity. */
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
import type { AlarmTopics, Severity } from './alarm-topics.ts';

export type AlarmDefinition = {
  /** Names the entry of docs/runbook.md that says what to do. */
  readonly kind: string;
  readonly severity: Severity;
  /** The route, function or index, if there is an alarm for each. */
  readonly of?: string;
  /** What has happened, for whoever is woken by it. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** The alarm rings at this value or above; with `below`, under it. */
  readonly threshold: number;
  readonly below?: boolean;
  /** Data points that must be beyond the threshold, of as many. */
  readonly periods: readonly [beyond: number, of: number];
  /** Silence is trouble too; without it, silence is fine. */
  readonly silenceRings?: boolean;
  /** While a new version of this function takes over, the alarm undoes it. */
  readonly undoes?: FunctionName;
};
/** An alarm, and the function whose deploy it undoes, if it does. */
export type MadeAlarm = { readonly alarm: Alarm; readonly undoes: FunctionName | undefined };
export type AlarmsInput = {
  readonly environmentName: string;
  readonly topics: AlarmTopics;
  readonly definitions: readonly AlarmDefinition[];
};

/** The alarms, in the order of their definitions. */
export function createAlarms(
  scope: Construct,
  { environmentName, topics, definitions }: AlarmsInput,
): MadeAlarm[] {
  const own = new Construct(scope, 'Alarms');
  return definitions.map((definition) => {
    const { kind, of, meaning, metric, threshold, below, periods, silenceRings } = definition;
    const name = of === undefined ? kind : `${kind} ${of}`;
    const [datapointsToAlarm, evaluationPeriods] = periods;
    const alarm = new Alarm(own, name.replaceAll('/', ' '), {
      alarmName: `subscriptions-${environmentName} ${name}`,
      alarmDescription: `${meaning} What to do: docs/runbook.md#${kind}`,
      metric,
      threshold,
      comparisonOperator:
        below === true
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData: silenceRings === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    notifyTopic(alarm, topics[definition.severity]);
    return { alarm, undoes: definition.undoes };
  });
}

/** Tells a topic when an alarm rings, and when it ends. */
export function notifyTopic(alarm: AlarmBase, topic: ITopic): void {
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}
