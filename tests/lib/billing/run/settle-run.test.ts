/** When the charges of a run are counted again. */
import { expect, test } from '@jest/globals';
import type { BillingRun } from '../../../../lib/billing/records/run-record.ts';
import { nextCountAtMs } from '../../../../lib/billing/run/settle-run.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const startedAtMs = Date.parse('2026-12-01T10:00:00Z');

test.each<[string, Partial<BillingRun>, number, boolean, number]>([
  ['five minutes later while it charges', { status: 'CHARGING' }, 3 * HOUR_MS, false, 5 * MINUTE_MS],
  ['five minutes later when it was just stopped', { status: 'CHARGING' }, MINUTE_MS, true, 5 * MINUTE_MS],
  ['an hour later while it is stopped for hours', { status: 'CHARGING' }, 3 * HOUR_MS, true, HOUR_MS],
  ['an hour later while it is on hold for hours', { status: 'ON_HOLD' }, 3 * HOUR_MS, false, HOUR_MS],
  ['a day later while it is on hold for days', { status: 'ON_HOLD' }, 2 * DAY_MS, false, DAY_MS],
  ['an hour later while it settles for hours', { status: 'SETTLING' }, 3 * HOUR_MS, false, HOUR_MS],
  [
    'five minutes later when it settles after a confirmation some days later',
    { status: 'SETTLING', confirmedAtMs: startedAtMs + 2 * DAY_MS },
    2 * DAY_MS + 10 * MINUTE_MS,
    false,
    5 * MINUTE_MS,
  ],
])('a run is counted %s', (_time, fields, ageMs, isPaused, expectedMs) => {
  const countedAtMs = startedAtMs + ageMs;
  const run = { startedAtMs, countedAtMs, ...fields } as BillingRun;
  expect(nextCountAtMs(run, { isPaused }) - countedAtMs).toBe(expectedMs);
});
