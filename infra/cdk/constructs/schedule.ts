/** The timetable of the work that nobody waits for. */
import { Duration } from 'aws-cdk-lib';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';
import { scheduledWorkEveryMinutes } from '../../definition/timetable.ts';
import type { ServiceFunction } from './function.ts';

/** Runs a function on the timetable. A run that cannot start is given up for the next one. */
export function createSchedule(
  scope: Construct,
  { name }: NamedEnvironment,
  { target }: ServiceFunction,
): Schedule {
  return new Schedule(scope, 'Schedule', {
    scheduleName: `subscriptions-${name}-scheduled-work`,
    description: `Resumes timed pauses and settles open intents of subscriptions-${name}`,
    schedule: ScheduleExpression.rate(Duration.minutes(scheduledWorkEveryMinutes)),
    target: new LambdaInvoke(target, {
      retryAttempts: 2,
      maxEventAge: Duration.minutes(scheduledWorkEveryMinutes),
    }),
  });
}
