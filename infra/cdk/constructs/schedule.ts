/** The timetable of the work that nobody waits for: a schedule for each function of it. */
import { Duration } from 'aws-cdk-lib';
import { EventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';
import { functionDefinitions, type ScheduledFunctionName } from '../../definition/function-definitions.ts';
import { everyMinutes } from '../../definition/timetable.ts';
import type { ServiceFunction } from './function.ts';

type ScheduledFunction = Pick<ServiceFunction, 'alias' | 'target'> & { readonly name: ScheduledFunctionName };

/**
 * Runs a function on the timetable. Each run does all the work that is due, so a run that fails or cannot start is
 * replaced by the next one. Without these limits Lambda would repeat a failed run twice, beside the next ones, and would
 * start runs that found no free instance for up to six hours, all of them together.
 */
export function createSchedule(
  scope: Construct,
  { name: environmentName }: NamedEnvironment,
  { name, alias, target }: ScheduledFunction,
): Schedule {
  const every = Duration.minutes(everyMinutes[name]);
  const invocation = new EventInvokeConfig(alias, 'EventInvokeConfig', {
    ...{ function: alias.lambda, qualifier: alias.aliasName },
    ...{ retryAttempts: 0, maxEventAge: every },
  });
  // The qualifier is a name, which alone would not wait for the alias.
  invocation.node.addDependency(alias);
  return new Schedule(scope, name === 'scheduled-work' ? 'Schedule' : `Schedule ${name}`, {
    scheduleName: `subscriptions-${environmentName}-${name}`,
    description: `${functionDefinitions[name].description} (subscriptions-${environmentName})`,
    schedule: ScheduleExpression.rate(every),
    // The scheduler's own retries repeat a call that Lambda did not accept; they know nothing of the run.
    target: new LambdaInvoke(target, { retryAttempts: 2, maxEventAge: every }),
  });
}
