/**
 * Alarms of the objectives (docs/objectives.md). They ring when a month's error budget is consumed so fast that someone
 * must act. Each needs two windows: the long window shows that the loss is significant, the short window that it
 * continues (the Site Reliability Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate Alerts"). Below a minimum count no
 * alarm rings: a percentage of a few requests at night means nothing.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import {
  AVAILABILITY_TARGET_PERCENT,
  QUICK_REQUEST_MAX_OWN_MS,
  QUICK_REQUESTS_TARGET_PERCENT,
} from '../../../lib/observability/objectives.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { AlarmSeverity, AlarmTopics } from './alarm-topics.ts';
import { notifyTopicOfAlarm } from './create-alarms.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** The burn rate, as a multiple of the rate that consumes the budget in exactly one month, and its two windows. */
type BurnRate = {
  readonly name: string;
  readonly times: number;
  readonly windows: readonly { readonly minutes: number; readonly minimum: number }[];
};
/** 2 % of a month's budget in an hour; 5 % in six. */
const FAST_BURN: BurnRate = {
  name: 'fast',
  times: 14.4,
  windows: [
    { minutes: 60, minimum: 10 },
    { minutes: 5, minimum: 3 },
  ],
};
const SLOW_BURN: BurnRate = {
  name: 'slow',
  times: 6,
  windows: [
    { minutes: 360, minimum: 30 },
    { minutes: 30, minimum: 5 },
  ],
};

type BurnDefinition = {
  readonly kind: string;
  readonly severity: AlarmSeverity;
  readonly burn: BurnRate;
  readonly budgetPercent: number;
  readonly meaning: string;
  /** The percentage of requests that consumed budget; 0 below `minimum`. */
  readonly createSpentPercentage: (period: Duration, minimum: number) => MathExpression;
};

export type BurnAlarmsInput = {
  readonly environmentName: string;
  readonly topics: AlarmTopics;
  readonly metrics: ServiceMetrics;
  /** The functions that requests reach. */
  readonly functions: readonly ServiceFunction[];
};

/** Creates the composite alarms, one for each function and burn. The alarms inside notify no topic. */
export function createBurnAlarms(scope: Construct, input: BurnAlarmsInput): CompositeAlarm[] {
  const burnsScope = new Construct(scope, 'Burns');
  return input.functions.flatMap((serviceFunction) =>
    defineBurnAlarms(input.metrics, serviceFunction).map((definition) =>
      createBurnAlarm(burnsScope, input, { definition, subject: serviceFunction.name }),
    ),
  );
}

function defineBurnAlarms(metrics: ServiceMetrics, serviceFunction: ServiceFunction): BurnDefinition[] {
  const availabilityObjective = {
    kind: 'availability-burns',
    severity: 'page',
    budgetPercent: roundPercent(100 - AVAILABILITY_TARGET_PERCENT),
    meaning: `too many requests of ${serviceFunction.name} fail by a fault of ours, or never reach it`,
    createSpentPercentage: (period: Duration, minimum: number) =>
      createFailedPercentage(metrics, serviceFunction, { period, minimum }),
  } as const;
  const latencyObjective = {
    kind: 'own-time-burns',
    severity: 'ticket',
    burn: SLOW_BURN,
    budgetPercent: 100 - QUICK_REQUESTS_TARGET_PERCENT,
    meaning: `too many requests of ${serviceFunction.name} take more than ${QUICK_REQUEST_MAX_OWN_MS} ms of our own time`,
    createSpentPercentage: (period: Duration, minimum: number) =>
      createSlowPercentage(metrics, serviceFunction, { period, minimum }),
  } as const;
  return [
    { ...availabilityObjective, burn: FAST_BURN },
    { ...availabilityObjective, burn: SLOW_BURN },
    latencyObjective,
  ];
}

type BurnWindow = { readonly period: Duration; readonly minimum: number };

/** A function that crashes or is throttled writes no log line, so AWS's metrics count these requests. */
function createFailedPercentage(
  metrics: ServiceMetrics,
  serviceFunction: ServiceFunction,
  window: BurnWindow,
): MathExpression {
  const { period } = window;
  const lostExpression = '(FILL(crashed, 0) + FILL(turnedAway, 0))';
  return createPercentageExpression(window, {
    spentExpression: `(FILL(spent, 0) + ${lostExpression})`,
    evaluatedExpression: `(FILL(evaluated, 0) + ${lostExpression})`,
    metrics: {
      spent: metrics.evaluated(serviceFunction.name, 'failed', 'Sum').with({ period }),
      evaluated: metrics.evaluated(serviceFunction.name, 'failed', 'SampleCount').with({ period }),
      crashed: serviceFunction.alias.metricErrors({ period, statistic: 'Sum' }),
      turnedAway: serviceFunction.alias.metricThrottles({ period, statistic: 'Sum' }),
    },
  });
}

function createSlowPercentage(
  metrics: ServiceMetrics,
  { name }: ServiceFunction,
  window: BurnWindow,
): MathExpression {
  const { period } = window;
  return createPercentageExpression(window, {
    spentExpression: 'FILL(spent, 0)',
    evaluatedExpression: 'FILL(evaluated, 0)',
    metrics: {
      spent: metrics.evaluated(name, 'slow', 'Sum').with({ period }),
      evaluated: metrics.evaluated(name, 'slow', 'SampleCount').with({ period }),
    },
  });
}

type PercentageInput = {
  readonly spentExpression: string;
  readonly evaluatedExpression: string;
  readonly metrics: Readonly<Record<string, Metric>>;
};

function createPercentageExpression(
  { period, minimum }: BurnWindow,
  { spentExpression, evaluatedExpression, metrics }: PercentageInput,
): MathExpression {
  return new MathExpression({
    expression: `IF(${spentExpression} >= ${minimum}, 100 * ${spentExpression} / ${evaluatedExpression}, 0)`,
    usingMetrics: { ...metrics },
    period,
    label: '%',
  });
}

type BurnToCreate = { readonly definition: BurnDefinition; readonly subject: string };

function createBurnAlarm(
  scope: Construct,
  { environmentName, topics }: BurnAlarmsInput,
  { definition, subject }: BurnToCreate,
): CompositeAlarm {
  const { kind, burn, severity, budgetPercent, meaning, createSpentPercentage } = definition;
  const name = `${kind} ${subject} ${burn.name}`;
  const alarmName = `subscriptions-${environmentName} ${name}`;
  const thresholdPercent = roundPercent(burn.times * budgetPercent);
  const burnDescription = `The month's budget is spent ${burn.times} times as fast as it may: ${meaning}.`;
  const alarmDescription = `${burnDescription} What to do: docs/runbook.md#${kind}`;
  const windowAlarms = burn.windows.map(({ minutes, minimum }) => {
    const windowText = `${minutes} min`;
    return new Alarm(scope, `${name} ${windowText}`, {
      alarmName: `${alarmName}, ${windowText}`,
      alarmDescription,
      metric: createSpentPercentage(Duration.minutes(minutes), minimum),
      threshold: thresholdPercent,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  });
  const alarmRules = windowAlarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM));
  const burnAlarm = new CompositeAlarm(scope, name, {
    compositeAlarmName: alarmName,
    alarmDescription,
    alarmRule: AlarmRule.allOf(...alarmRules),
  });
  notifyTopicOfAlarm(burnAlarm, topics[severity]);
  return burnAlarm;
}

/** Rounds a percentage to the three digits that people write. */
function roundPercent(percent: number): number {
  return Math.round(percent * 1000) / 1000;
}
