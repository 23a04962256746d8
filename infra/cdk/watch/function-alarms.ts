/** Alarms of AWS's own function metrics: errors, throttled invocations, and concurrency near its limit. */
import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { type FunctionName, isScheduledFunction } from '../../definition/function-definitions.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { AlarmDefinition } from './create-alarms.ts';
import { choosePeriodBetweenRuns } from './service-metrics.ts';

const ONE_MINUTE = Duration.minutes(1);
const NEAR_LIMIT_SHARE = 0.8;
const NEAR_LIMIT_EVALUATION_PERIODS: AlarmDefinition['periods'] = [3, 5];

/**
 * Returns several one-minute periods for functions with requests. A scheduled function has one value in several
 * minutes, so one period must suffice.
 */
function chooseEvaluationPeriods(name: FunctionName, periods: AlarmDefinition['periods']) {
  return isScheduledFunction(name)
    ? { period: choosePeriodBetweenRuns(name), periods: [1, 1] as const }
    : { period: ONE_MINUTE, periods };
}

/**
 * Alarms for functions that throw, crash or time out. The functions respond to all expected errors themselves, so none
 * of these should ever happen.
 */
export function defineErrorAlarms(functions: readonly ServiceFunction[]): AlarmDefinition[] {
  return functions.map(({ name, target }) => {
    const { period, periods } = chooseEvaluationPeriods(name, [2, 3]);
    return {
      kind: 'function-errors',
      severity: 'ticket',
      subject: name,
      rolledBackFunction: name,
      meaning: `The function ${name} crashes or runs out of time or memory.`,
      metric: target.metricErrors({ period, statistic: 'Sum' }),
      threshold: 1,
      periods,
    };
  });
}

export function defineThrottledInvocationAlarms(functions: readonly ServiceFunction[]): AlarmDefinition[] {
  return functions.map(({ name, lambda }) => {
    const { period, periods } = chooseEvaluationPeriods(name, [2, 5]);
    return {
      kind: 'function-throttled',
      severity: 'ticket',
      subject: name,
      meaning: `AWS refuses invocations of ${name}: all its instances are busy.`,
      metric: lambda.metricThrottles({ period, statistic: 'Sum' }),
      threshold: 1,
      periods,
    };
  });
}

/** The alarms of each function with instances of its own, and of the account. */
export function defineConcurrencyAlarms(
  functions: readonly ServiceFunction[],
  config: EnvironmentConfig,
): AlarmDefinition[] {
  const reservedAlarms = functions.flatMap(({ name, lambda }): AlarmDefinition[] => {
    const limit = config.reservedConcurrency[name];
    if (limit === undefined) return [];
    const { period, periods } = chooseEvaluationPeriods(name, NEAR_LIMIT_EVALUATION_PERIODS);
    return [
      { ...defineNearLimitAlarm(name, lambda.metric('ConcurrentExecutions', { period }), limit), periods },
    ];
  });
  const account = new Metric({
    ...{ namespace: 'AWS/Lambda', metricName: 'ConcurrentExecutions', period: ONE_MINUTE },
  });
  return [...reservedAlarms, defineNearLimitAlarm('the account', account, config.accountConcurrency)];
}

function defineNearLimitAlarm(functionName: string, metric: Metric, limit: number): AlarmDefinition {
  return {
    kind: 'concurrency-near-limit',
    severity: 'ticket',
    subject: functionName,
    meaning: `${100 * NEAR_LIMIT_SHARE} % or more of the ${limit} instances of ${functionName} are in use.`,
    metric: metric.with({ statistic: 'Maximum' }),
    threshold: Math.ceil(NEAR_LIMIT_SHARE * limit),
    periods: NEAR_LIMIT_EVALUATION_PERIODS,
  };
}

/** Alarms for missing runs. Missing data triggers them, because a deleted schedule sends no data. */
export function defineScheduleAlarms(functions: readonly ServiceFunction[]): AlarmDefinition[] {
  return functions.flatMap(({ name, lambda }): AlarmDefinition[] => {
    if (!isScheduledFunction(name)) return [];
    return [
      {
        kind: 'scheduled-work-missing',
        severity: 'page',
        subject: name,
        meaning: `The function ${name} has not run at its time.`,
        metric: lambda.metricInvocations({ period: choosePeriodBetweenRuns(name), statistic: 'Sum' }),
        threshold: 1,
        ringsBelow: true,
        periods: [1, 1],
        missingDataRings: true,
      },
    ];
  });
}
