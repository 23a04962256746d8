/** Short histories of orders, by name, that random ones have found. */
import { expect, test } from '@jest/globals';
import { DAY_MS } from '../../../sandbox/platform/state/instant.ts';
import type { Command, Setup } from './history-commands.ts';
import { createHistory } from './order-history.ts';

const HOUR_MS = 3_600_000;
const WEEKLY: Setup = {
  createdMs: Date.parse('2026-01-01T00:00:00Z'),
  ageMs: HOUR_MS + 1_234,
  interval: { interval: 'WEEK', intervalCount: 1 },
  timeZone: 'America/New_York' as Setup['timeZone'],
  rescheduling: 'AFTER_CURRENT_CYCLE',
  ways: { cycleBounds: 'instant', skippedDates: 'kept', editReach: 'year' },
};
const MONTHLY: Setup = { ...WEEKLY, interval: { interval: 'MONTH', intervalCount: 1 } };

const postpone = (at: number | 'cycle end' = 0): Command => ({ name: 'postpone', at, daysBeyond: 0 });
const wait = (days: number, isWorking = true): Command => ({ name: 'wait', ms: days * DAY_MS, isWorking });

const HISTORIES: Readonly<Record<string, readonly [Setup, readonly Command[]]>> = {
  'a skip of a chosen date, which a postponement moved, is no client’s': [
    MONTHLY,
    [
      { name: 'interval on', interval: { interval: 'MONTH', intervalCount: 1 }, order: 4, at: 0 },
      { name: 'other app', edit: 'restore', order: 0, at: 0 },
      postpone(),
      { name: 'interval', interval: { interval: 'WEEK', intervalCount: 1 } },
    ],
  ],
  'an order that was postponed by a whole interval in two steps cannot be restored on its former day': [
    MONTHLY,
    [postpone(0.3), postpone('cycle end'), { name: 'restore', order: 0 }, postpone(0.3), { name: 'revert' }],
  ],
  'an order that was sent now and is postponed to a day before its own is moved alone': [
    { ...MONTHLY, rescheduling: 'FROM_CURRENT_CYCLE' },
    [
      postpone(),
      { name: 'interval', interval: { interval: 'MONTH', intervalCount: 2 } },
      { name: 'skip', order: 0 },
      { name: 'send now' },
      postpone(0.23),
    ],
  ],
  'an order that was sent now for a later one leaves an order between them, which is restored, on its date': [
    MONTHLY,
    [
      { name: 'resume on', order: 2, at: 0 },
      { name: 'send now' },
      { name: 'restore', order: 0 },
      postpone(0.57),
    ],
  ],
  'a new interval loses no skip when a sent order has come in place of the skipped one': [
    MONTHLY,
    [
      { name: 'resume on', order: 1, at: 0 },
      postpone(0.48),
      { name: 'send now' },
      postpone(0.03),
      { name: 'interval', interval: { interval: 'MONTH', intervalCount: 2 } },
    ],
  ],
  'no skip takes the place of the next order when a paid cycle covers its date': [
    { ...MONTHLY, ageMs: 51 * DAY_MS - HOUR_MS + 1_234, rescheduling: 'FROM_CURRENT_CYCLE' },
    [
      postpone(),
      { name: 'other app', edit: 'skip', order: 3, at: 0 },
      wait(40),
      { name: 'skip', order: 1 },
      { name: 'interval', interval: { interval: 'MONTH', intervalCount: 2 } },
    ],
  ],
  'an order that another app restores on the day of a sent order is an order of its own': [
    MONTHLY,
    [
      postpone(0.65),
      { name: 'send now' },
      { name: 'other app', edit: 'restore', order: 0, at: 0 },
      postpone(0.64),
    ],
  ],
  'orders that came late before a second postponement may stay late': [
    WEEKLY,
    [wait(200), postpone(), wait(200, false), postpone()],
  ],
  'an order that is restored before a chosen date is followed by skipped ones': [
    MONTHLY,
    [
      postpone(),
      { name: 'interval on', interval: { interval: 'MONTH', intervalCount: 2 }, order: 6, at: 0.42 },
      { name: 'restore', order: 2 },
      postpone(0.01),
    ],
  ],
  'an order that another app restores before a chosen date cannot leave its cycle': [
    MONTHLY,
    [
      postpone(),
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 1 }, order: 2, at: 0.17 },
      { name: 'other app', edit: 'restore', order: 2, at: 0 },
      postpone(),
    ],
  ],
  'a moved order that gets another date with a new interval comes once': [
    { ...WEEKLY, interval: { interval: 'DAY', intervalCount: 5 } },
    [
      { name: 'resume on', order: 1, at: 0.05 },
      postpone(0.67),
      { name: 'move', order: 0, at: 0.45 },
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 1 }, order: 0, at: 0 },
    ],
  ],
  'a new interval dates twelve orders, also after skipped ones': [
    { ...WEEKLY, interval: { interval: 'WEEK', intervalCount: 3 } },
    [
      postpone(),
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 1 }, order: 1, at: 0.73 },
      { name: 'move', order: 6, at: 0.17 },
      postpone(),
    ],
  ],
  'an order that is sent now comes in place of one that was sent 40 days before and not paid': [
    { ...MONTHLY, interval: { interval: 'MONTH', intervalCount: 6 } },
    [{ name: 'send now' }, wait(40), { name: 'send now' }],
  ],
  'a postponement after an order that was sent now in the cycle of a postponed one is reverted': [
    { ...MONTHLY, timeZone: 'Europe/Berlin' as Setup['timeZone'] },
    [postpone('cycle end'), { name: 'send now' }, wait(1 / 1_440), postpone(), { name: 'revert' }],
  ],
  'a cycle whose order was sent now stays without an order after a postponement was reverted': [
    { ...MONTHLY, timeZone: 'Asia/Kathmandu' as Setup['timeZone'] },
    [
      { name: 'resume on', order: 1, at: 0 },
      postpone(1),
      { name: 'send now' },
      { name: 'revert' },
      postpone(0.54),
    ],
  ],
  'no date of before stays when an order is restored before the postponed ones': [
    { ...WEEKLY, interval: { interval: 'DAY', intervalCount: 12 }, rescheduling: 'FROM_CURRENT_CYCLE' },
    [
      postpone(),
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 1 }, order: 0, at: 0.76 },
      { name: 'restore', order: 1 },
      postpone(),
      { name: 'interval', interval: { interval: 'MONTH', intervalCount: 1 } },
    ],
  ],
  'an order that was postponed by a whole interval keeps its date with a new interval': [
    { ...MONTHLY, timeZone: 'Asia/Kathmandu' as Setup['timeZone'] },
    [postpone(1), { name: 'interval', interval: { interval: 'WEEK', intervalCount: 2 } }],
  ],
  'a postponement by a whole interval cannot be reverted after a new interval': [
    { ...MONTHLY, timeZone: 'Asia/Kathmandu' as Setup['timeZone'] },
    [
      postpone(1),
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 1 }, order: 0, at: 0 },
      { name: 'revert' },
    ],
  ],
  'the order after one that was postponed and sent now is postponed, and brought back': [
    { ...WEEKLY, interval: { interval: 'DAY', intervalCount: 5 } },
    [postpone(), { name: 'send now' }, wait(1 / 1_440), postpone('cycle end'), { name: 'revert' }],
  ],
  'a second postponement by a whole interval is not reverted after its order was sent': [
    { ...MONTHLY, createdMs: Date.parse('2026-01-31T04:00:00Z') },
    [postpone('cycle end'), postpone('cycle end'), { name: 'send now' }, { name: 'revert' }],
  ],
  'a refused new interval with a date leaves the moved orders of a paused subscription': [
    MONTHLY,
    [
      { name: 'resume on', order: 0, at: 0.49 },
      { name: 'pause', days: 0 },
      { name: 'move', order: 5, at: 0 },
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 2 }, order: 5, at: 0 },
      wait(1 / 1_440),
    ],
  ],
  'a postponement is not offered for a revert after its order was sent twice': [
    MONTHLY,
    [postpone(0.97), { name: 'send now' }, postpone(), { name: 'send now' }, { name: 'revert' }],
  ],
  'the orders after one that was postponed by a whole interval to the end of a shorter month keep that day': [
    {
      ...MONTHLY,
      ...{
        createdMs: 1_851_292_800_000,
        ageMs: 15_588_001_234,
        timeZone: 'Asia/Kathmandu' as Setup['timeZone'],
      },
      interval: { interval: 'MONTH', intervalCount: 6 },
    },
    [wait(0.6), postpone('cycle end')],
  ],
  'an order whose cycle begins more than a year ahead gets no date yet': [
    {
      ...MONTHLY,
      ...{ createdMs: Date.parse('2027-06-30T00:00:00Z'), ageMs: 0 },
      timeZone: 'Europe/Berlin' as Setup['timeZone'],
    },
    [postpone()],
  ],
  'a second new interval restores no skip of cycles that had no order, also after another app restored one': [
    {
      ...WEEKLY,
      ...{ createdMs: Date.parse('2026-01-31T07:00:00Z'), ageMs: 25 * DAY_MS },
      ...{ interval: { interval: 'MONTH', intervalCount: 6 }, rescheduling: 'FROM_CURRENT_CYCLE' },
    },
    [
      postpone(),
      { name: 'skip', order: 0 },
      { name: 'interval', interval: { interval: 'WEEK', intervalCount: 2 } },
      { name: 'other app', edit: 'restore', order: 0, at: 0 },
      { name: 'interval', interval: { interval: 'MONTH', intervalCount: 2 } },
    ],
  ],
  'an order that was skipped for a chosen date is restored, and not one of a postponement': [
    { ...WEEKLY, interval: { interval: 'DAY', intervalCount: 5 } },
    [
      { name: 'resume on', order: 1, at: 0 },
      postpone(0.5),
      { name: 'skip', order: 0 },
      { name: 'restore', order: 0 },
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 1 }, order: 0, at: 0 },
    ],
  ],
  'an order that is restored just before a new interval is not moved by it': [
    {
      ...WEEKLY,
      interval: { interval: 'DAY', intervalCount: 8 },
      ways: { ...WEEKLY.ways, skippedDates: 'dropped' },
    },
    [
      { name: 'resume on', order: 4, at: 0 },
      postpone(0.5),
      { name: 'skip', order: 0 },
      { name: 'skip', order: 2 },
      { name: 'restore', order: 6 },
      { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 1 }, order: 0, at: 0 },
    ],
  ],
  'a second new interval skips no order in place of a cycle that had none': [
    { ...MONTHLY, interval: { interval: 'MONTH', intervalCount: 6 } },
    [
      postpone(0.12),
      { name: 'interval', interval: { interval: 'WEEK', intervalCount: 1 } },
      { name: 'interval', interval: { interval: 'WEEK', intervalCount: 2 } },
    ],
  ],
  'an order that came late before a postponement may stay late after it': [
    { ...MONTHLY, createdMs: Date.parse('2026-03-01T00:00:00Z'), ageMs: 6_562_801_234 },
    [
      { name: 'interval', interval: { interval: 'WEEK', intervalCount: 1 } },
      wait(1 / 24),
      postpone(),
      wait(548, false),
      postpone(),
      wait(1 / 1_440),
    ],
  ],
  'an order without a date is moved from the day on which it comes, and keeps that distance': [
    { ...WEEKLY, interval: { interval: 'WEEK', intervalCount: 3 } },
    [
      postpone(0.03),
      wait(548, false),
      { name: 'other app', edit: 'move', order: 5, at: 0.19 },
      postpone(0.48),
    ],
  ],
  'the next order comes as early as possible if a paid cycle covers its date': [
    { ...WEEKLY, ageMs: 58 * HOUR_MS + 1_234, rescheduling: 'FROM_CURRENT_CYCLE' },
    [
      wait(0.6),
      postpone(),
      wait(40),
      { name: 'interval', interval: { interval: 'MONTH', intervalCount: 1 } },
    ],
  ],
};

test.each(Object.entries(HISTORIES))('%s', async (_name, [setup, commands]) => {
  const history = createHistory(setup);
  for (const command of commands) await history.run(command);
  const entries = await history.world.entries();
  expect(entries.filter(({ outcome }) => outcome !== 'DONE')).toEqual([]);
});

test('an order after forty skipped ones is postponed, brought back, and keeps its date with a new interval', async () => {
  const history = createHistory(WEEKLY);
  const commands: readonly Command[] = [
    { name: 'resume on', order: 40, at: 0.5 },
    postpone(0.5),
    { name: 'revert' },
    postpone(0.5),
    { name: 'interval', interval: { interval: 'WEEK', intervalCount: 2 } },
  ];
  for (const command of commands) await history.run(command);
  const names = ['resume on', 'revert', 'interval'].map((name) => [`${name} accepted`, 1]);
  expect(history.counts).toEqual({ ...Object.fromEntries(names), 'postpone accepted': 2 });
  expect(await history.world.postponedDates()).toMatchObject({
    laid: { interval: 'WEEK', intervalCount: 2 },
  });
});
