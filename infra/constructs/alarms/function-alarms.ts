/** Alarms of the functions as AWS counts them: errors, invocations refused, instances near their limit. */
import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EnvironmentConfig } from '../../config.ts';
import { scheduledWorkEveryMinutes } from '../../timetable.ts';
import type { ServiceFunction } from '../function.ts';
import type { AlarmDefinition } from './create-alarms.ts';

const ONE_MINUTE = Duration.minutes(1);
const NEAR = 0.8;

/** A function that throws, is killed or times out: with our own error bodies, none of it should ever happen. */
export function errorAlarms(functions: readonly ServiceFunction[]): AlarmDefinition[] {
  return functions.map(({ name, target }) => ({
    kind: 'function-errors',
    of: name,
    undoes: name,
    meaning: `The function ${name} crashes or runs out of time or memory.`,
    metric: target.metricErrors({ period: ONE_MINUTE, statistic: 'Sum' }),
    threshold: 1,
    periods: [2, 3],
  }));
}

export function refusedInvocationAlarms(functions: readonly ServiceFunction[]): AlarmDefinition[] {
  return functions.map(({ name, lambda }) => ({
    kind: 'function-throttled',
    of: name,
    meaning: `AWS refuses invocations of ${name}: all its instances are busy.`,
    metric: lambda.metricThrottles({ period: ONE_MINUTE, statistic: 'Sum' }),
    threshold: 1,
    periods: [2, 5],
  }));
}

/** Of each function with instances of its own, and of the account. */
export function concurrencyAlarms(
  functions: readonly ServiceFunction[],
  config: EnvironmentConfig,
): AlarmDefinition[] {
  const reserved = functions.flatMap(({ name, lambda }): AlarmDefinition[] => {
    const limit = config.reservedConcurrency[name];
    if (limit === undefined) return [];
    return [nearLimit(name, lambda.metric('ConcurrentExecutions'), limit)];
  });
  const account = new Metric({ namespace: 'AWS/Lambda', metricName: 'ConcurrentExecutions' });
  return [...reserved, nearLimit('the account', account, config.accountConcurrency)];
}

function nearLimit(of: string, metric: Metric, limit: number): AlarmDefinition {
  return {
    kind: 'concurrency-near-limit',
    of,
    meaning: `${100 * NEAR} % or more of the ${limit} instances of ${of} are in use.`,
    metric: metric.with({ period: ONE_MINUTE, statistic: 'Maximum' }),
    threshold: Math.ceil(NEAR * limit),
    periods: [3, 5],
  };
}

/** Silence rings: a schedule that is gone sends nothing at all. */
export function scheduleAlarm({ lambda }: ServiceFunction): AlarmDefinition {
  return {
    kind: 'scheduled-work-missing',
    meaning: 'The scheduled work has not run at its time.',
    metric: lambda.metricInvocations({
      period: Duration.minutes(2 * scheduledWorkEveryMinutes),
      statistic: 'Sum',
    }),
    threshold: 1,
    below: true,
    periods: [1, 1],
    silenceRings: true,
  };
}
