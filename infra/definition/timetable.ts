import type { ScheduledFunctionName } from './function-definitions.ts';

/** How often the work is done that nobody waits for, in minutes: read by the schedule's construct and by the local scheduler. */
export const everyMinutes: Readonly<Record<ScheduledFunctionName, number>> = {
  'scheduled-work': 15,
  'store-events': 1,
  'webhook-deliveries': 1,
};
