/**
 * Emulates EventBridge Scheduler: runs a function on its timetable, by the movable clock. It runs at the multiples of
 * its interval. Moving the clock over several of them causes one run, with the time of the last one, which does the
 * work of all of them. Two runs of a function never overlap.
 */
import { randomUUID } from 'node:crypto';
import type { MovableClock } from '../../clock/movable-clock.ts';

export type SchedulerOptions = {
  readonly clock: MovableClock;
  /** The name of the function to run. */
  readonly name: string;
  readonly everyMinutes: number;
  /** Runs the function and logs its errors. */
  readonly invoke: (event: object) => Promise<unknown>;
};
export type Scheduler = { close(): void };

const MINUTE_MS = 60_000;
/** The maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Starts the schedule. Moving the clock over a multiple of the interval resolves when the resulting run has ended. */
export function startScheduler({ clock, name, everyMinutes, invoke }: SchedulerOptions): Scheduler {
  const intervalMs = everyMinutes * MINUTE_MS;
  const lastTickAt = (ms: number) => Math.floor(ms / intervalMs) * intervalMs;
  let timer: NodeJS.Timeout | undefined;
  let runInProgress: Promise<unknown> = Promise.resolve();
  let isSchedulerClosed = false;
  const runOnce = (tickMs: number) => {
    runInProgress = runInProgress
      .then(() => (isSchedulerClosed ? undefined : invoke(createScheduledEvent(name, tickMs))))
      .catch(() => undefined);
    return runInProgress;
  };
  const waitForTick = () => {
    clearTimeout(timer);
    if (isSchedulerClosed) return;
    const nextTickMs = lastTickAt(clock.now()) + intervalMs;
    timer = setTimeout(
      () => {
        if (clock.now() >= nextTickMs) void runOnce(nextTickMs);
        waitForTick();
      },
      Math.min(nextTickMs - clock.now(), MAX_TIMER_MS),
    );
  };
  clock.onMove(async ({ fromMs, toMs }) => {
    waitForTick();
    if (lastTickAt(toMs) > lastTickAt(fromMs)) await runOnce(lastTickAt(toMs));
  });
  waitForTick();
  return {
    close() {
      isSchedulerClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the event that EventBridge Scheduler sends for a schedule without its own input. */
function createScheduledEvent(name: string, tickMs: number): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: '000000000000',
    time: new Date(tickMs).toISOString().replace('.000Z', 'Z'),
    region: 'us-east-1',
    resources: [`arn:aws:scheduler:us-east-1:000000000000:schedule/default/subscriptions-local-${name}`],
    detail: '{}',
  };
}
