import type { ScheduledFunctionName } from './function-definitions.ts';

/** The interval of each scheduled function, in minutes. The schedule's construct and the local scheduler share it. */
export const INTERVAL_MINUTES: Readonly<Record<ScheduledFunctionName, number>> = {
  'scheduled-work': 15,
  'store-events': 1,
  'webhook-deliveries': 1,
  billing: 1,
};
