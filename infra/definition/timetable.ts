/** When the work that nobody waits for is done: read by the schedule's construct and by the local scheduler. */
export const scheduledWorkEveryMinutes = 15;
