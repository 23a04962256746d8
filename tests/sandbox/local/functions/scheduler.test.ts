/** The scheduled work by the movable clock. Nothing waits for real time here. */
import { afterEach, expect, test } from '@jest/globals';
import { createMovableClock } from '../../../../sandbox/clock/movable-clock.ts';
import { type Scheduler, startScheduler } from '../../../../sandbox/local/functions/scheduler.ts';

let scheduler: Scheduler | undefined;
afterEach(() => scheduler?.close());

/** A minute after a tick, far from the next one. */
const start = Date.UTC(2027, 0, 31, 8, 1);

async function scheduled(invoke: (time: string) => unknown = () => undefined) {
  const clock = createMovableClock();
  await clock.set(start);
  const runs: string[] = [];
  scheduler = startScheduler({
    clock,
    name: 'scheduled-work',
    everyMinutes: 15,
    invoke: async (event) => {
      const { time } = event as { time: string };
      runs.push(time);
      await invoke(time);
    },
  });
  return { clock, runs };
}

test('a run that fails does not end the timetable', async () => {
  const { clock, runs } = await scheduled(() => Promise.reject(new Error('not today')));
  await clock.advance(15 * 60);
  await clock.advance(15 * 60);
  expect(runs).toHaveLength(2);
});

test('a move within a quarter of an hour runs nothing', async () => {
  const { clock, runs } = await scheduled();
  await clock.advance(13 * 60);
  expect(runs).toEqual([]);
});

test('a move over a tick is done when its run has ended', async () => {
  let ended = false;
  const { clock, runs } = await scheduled(async () => {
    await new Promise(setImmediate);
    ended = true;
  });
  await clock.advance(14 * 60);
  expect(ended).toBe(true);
  expect(runs).toEqual(['2027-01-31T08:15:00Z']);
});

test('a move over many ticks runs once, for the last of them', async () => {
  const { clock, runs } = await scheduled();
  await clock.advance(24 * 3600);
  expect(runs).toEqual(['2027-02-01T08:00:00Z']);
});

test('a move back runs nothing', async () => {
  const { clock, runs } = await scheduled();
  await clock.advance(-3600);
  expect(runs).toEqual([]);
});

test('two runs never overlap', async () => {
  let running = 0;
  let maximum = 0;
  const { clock, runs } = await scheduled(async () => {
    maximum = Math.max(maximum, ++running);
    await new Promise(setImmediate);
    running--;
  });
  await Promise.all([clock.advance(3600), clock.advance(3600)]);
  expect(runs).toHaveLength(2);
  expect(maximum).toBe(1);
});

test("the event is EventBridge Scheduler's", async () => {
  let event: unknown;
  const clock = createMovableClock();
  await clock.set(start);
  scheduler = startScheduler({
    clock,
    name: 'scheduled-work',
    everyMinutes: 15,
    invoke: async (received) => {
      event = received;
    },
  });
  await clock.advance(900);
  expect(event).toEqual({
    version: '0',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: '000000000000',
    time: '2027-01-31T08:15:00Z',
    region: 'us-east-1',
    resources: [expect.stringMatching(/^arn:aws:scheduler:/)],
    detail: '{}',
  });
});
