/**
 * The schedules of the functions that run on the timetable: one for each function, or one for each part of the stores.
 */
import { Duration } from 'aws-cdk-lib';
import { EventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';
import { STORE_SHARDS } from '../../../lib/storage/scheduled-tasks.ts';
import type { NamedEnvironment } from '../../definition/config.ts';
import { FUNCTION_DEFINITIONS, type ScheduledFunctionName } from '../../definition/function-definitions.ts';
import { INTERVAL_MINUTES } from '../../definition/timetable.ts';
import type { ServiceFunction } from './function.ts';

type ScheduledFunction = Pick<ServiceFunction, 'alias' | 'target'> & { readonly name: ScheduledFunctionName };

/**
 * Runs a function on the timetable. Each run does all the work that is due, so the next run replaces a run that failed
 * or could not start. Without these limits Lambda would retry a failed run twice, concurrently with the next runs, and
 * would queue throttled runs for up to six hours and then start them together.
 */
export function createSchedule(
  scope: Construct,
  environment: NamedEnvironment,
  { name, alias, target }: ScheduledFunction,
): void {
  const interval = Duration.minutes(INTERVAL_MINUTES[name]);
  const invokeConfig = new EventInvokeConfig(alias, 'EventInvokeConfig', {
    ...{ function: alias.lambda, qualifier: alias.aliasName },
    ...{ retryAttempts: 0, maxEventAge: interval },
  });
  // The qualifier is only a name, which creates no dependency on the alias.
  invokeConfig.node.addDependency(alias);
  const servicePrefix = `subscriptions-${environment.name}`;
  for (const { suffix, input } of listScheduledRuns(name, environment)) {
    new Schedule(scope, name === 'scheduled-work' ? `Schedule${suffix}` : `Schedule ${name}`, {
      scheduleName: `${servicePrefix}-${name}${suffix}`,
      description: `${FUNCTION_DEFINITIONS[name].description} (${servicePrefix})`,
      schedule: ScheduleExpression.rate(interval),
      // The scheduler retries a call that Lambda did not accept. It does not know the result of the run.
      target: new LambdaInvoke(target, { retryAttempts: 2, maxEventAge: interval, ...input }),
    });
  }
}

/** In production each part of the stores has its own run of the scheduled work; elsewhere one run covers all stores. */
function listScheduledRuns(name: ScheduledFunctionName, { config: { production } }: NamedEnvironment) {
  if (name !== 'scheduled-work' || !production) return [{ suffix: '', input: {} }];
  return STORE_SHARDS.map((part) => ({
    suffix: `-${part}`,
    input: { input: ScheduleTargetInput.fromObject({ part }) },
  }));
}
