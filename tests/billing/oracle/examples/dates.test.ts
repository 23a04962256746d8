/** When an order is charged: hand-worked examples of days, hours and zones. */
import { expect, test } from '@jest/globals';
import type { Policy } from '../description.ts';
import { expectCharges } from '../expect-charges.ts';
import { at, describeExample, type Given, showExample } from './examples.ts';

const created = (instant: string, policy: Partial<Policy> = {}) => ({
  contract: {
    createdMs: at(instant),
    policy: { interval: 'MONTH', intervalCount: 1, anchors: [], ...policy } as const,
  },
});

const EXAMPLES: readonly (readonly [string, Given, readonly string[]])[] = [
  ['charges an order at the hour of its day', {}, ['1 CHARGED 20.00: 01-05 10:00 PAYS']],
  [
    'charges an order of the evening in the morning of its day',
    created('2026-12-05T23:30Z'),
    ['1 CHARGED 20.00: 01-05 10:00 PAYS'],
  ],
  [
    'goes from the 31st to the last day of a short month, and back',
    { ...created('2026-12-31T06:00Z'), until: '2027-04-01T00:00Z' },
    [
      '1 CHARGED 20.00: 01-31 10:00 PAYS',
      '2 CHARGED 20.00: 02-28 10:00 PAYS',
      '3 CHARGED 20.00: 03-31 10:00 PAYS',
    ],
  ],
  [
    'charges a yearly order of a leap day on 28 February',
    { ...created('2024-02-29T06:00Z', { interval: 'YEAR' }), until: '2028-03-01T00:00Z' },
    ['3 CHARGED 20.00: 02-28 10:00 PAYS', '4 CHARGED 20.00: 02-29 10:00 PAYS'],
  ],
  [
    'counts the days of the store’s zone, ahead of UTC',
    // 23:00 UTC is 10:00 of the next day in Sydney, where the hour of that day is 23:00 UTC of the day before.
    { ...created('2026-12-05T23:10Z'), zone: 'Australia/Sydney' },
    ['1 CHARGED 20.00: 01-05 23:00 PAYS'],
  ],
  [
    'counts the days of the store’s zone, behind UTC',
    // 4:00 UTC is 20:00 of the day before in Los Angeles.
    { ...created('2026-12-05T04:10Z'), zone: 'America/Los_Angeles' },
    ['1 CHARGED 20.00: 01-04 18:00 PAYS'],
  ],
  [
    'charges when the clocks are put forward over the hour',
    {
      ...created('2027-02-28T12:00Z', { interval: 'WEEK', intervalCount: 2 }),
      ...{ zone: 'America/New_York', settings: { hour: 2 }, until: '2027-03-16T00:00Z' },
    },
    // 14 March 2027, 2:00 does not exist: 3:00 summer time is 7:00 UTC.
    ['1 CHARGED 20.00: 03-14 07:00 PAYS'],
  ],
  [
    'charges in the first of two equal hours, and once',
    {
      ...created('2027-10-24T12:00Z', { interval: 'WEEK', intervalCount: 2 }),
      ...{ zone: 'America/New_York', settings: { hour: 1 }, until: '2027-11-09T00:00Z' },
    },
    // 7 November 2027, 1:00 summer time is 5:00 UTC; 1:00 standard time is 6:00 UTC.
    ['1 CHARGED 20.00: 11-07 05:00 PAYS'],
  ],
  [
    'charges on the next day what is due more than 24 hours after the run of a long day',
    {
      // 7 November 2027 has 25 hours, and its run begins at 4:00 UTC.
      ...created('2027-10-25T05:30Z', { interval: 'WEEK', intervalCount: 2 }),
      ...{ zone: 'America/New_York', settings: { hour: 0 }, until: '2027-11-10T00:00Z' },
      events: [{ kind: 'move', atMs: at('2027-11-01T00:00Z'), index: 1, toMs: at('2027-11-08T04:30Z') }],
    },
    ['1 CHARGED 20.00: 11-08 05:00 PAYS'],
  ],
  [
    'gives a day one run when the hour is put back after the run',
    {
      ...created('2026-12-05T08:20Z', { interval: 'DAY', intervalCount: 15 }),
      changes: [{ kind: 'settings', atMs: at('2027-01-04T12:00Z'), settings: { hour: 15 } }],
    },
    ['2 CHARGED 20.00: 01-04 10:00 PAYS', '3 CHARGED 20.00: 01-19 15:00 PAYS'],
  ],
  [
    'charges at once when the hour is put before the present time and the day had no run',
    {
      settings: { hour: 18 },
      changes: [{ kind: 'settings', atMs: at('2027-01-05T12:00Z'), settings: { hour: 9 } }],
    },
    ['1 CHARGED 20.00: 01-05 12:00 PAYS'],
  ],
  [
    'goes by the new zone from the next run on',
    {
      ...created('2026-12-05T08:20Z', { interval: 'DAY', intervalCount: 31 }),
      changes: [{ kind: 'zone', atMs: at('2027-01-04T20:00Z'), timeZone: 'America/New_York' }],
    },
    ['1 CHARGED 20.00: 01-05 15:00 PAYS'],
  ],
  [
    'finds on the next day an order whose day was lost by a change of the zone',
    {
      // At 23:00 UTC of the 4th it is the 5th, 13:00 in Kiritimati: its run takes place at once.
      ...created('2026-12-05T01:20Z'),
      changes: [{ kind: 'zone', atMs: at('2027-01-04T23:00Z'), timeZone: 'Pacific/Kiritimati' }],
    },
    ['1 CHARGED 20.00: 01-04 23:00 PAYS'],
  ],
  [
    'never charges an order from before the first day',
    { settings: { startsOn: '2027-01-06' } },
    ['1 NONE BEFORE_START'],
  ],
  [
    'charges the first order of the first day',
    { ...created('2026-12-05T00:00Z'), settings: { startsOn: '2027-01-05' } },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS'],
  ],
  [
    'charges a moved order on its new day',
    {
      events: [{ kind: 'move', atMs: at('2027-01-01T00:00Z'), index: 1, toMs: at('2027-01-03T12:00Z') }],
    },
    ['1 CHARGED 20.00: 01-03 10:00 PAYS'],
  ],
  [
    'charges an order at the end of an anchored cycle',
    {
      // 5 December 2026 is a Saturday; every second Monday begins with the 14th.
      ...created('2026-12-05T08:20Z', {
        ...{ interval: 'WEEK', intervalCount: 2, anchors: [{ type: 'WEEKDAY', day: 1, month: null }] },
      }),
      until: '2027-01-13T00:00Z',
    },
    ['2 NONE BEFORE_START', '3 CHARGED 20.00: 01-11 10:00 PAYS'],
  ],
  [
    'reports an order whose cycle is empty, and charges those beside it',
    {
      ...created('2027-01-05T08:20Z', {
        ...{ interval: 'MONTH', hasEmptyCycle: true },
        anchors: [
          { type: 'MONTHDAY', day: 10, month: null },
          { type: 'MONTHDAY', day: 20, month: null },
        ],
      }),
    },
    ['1 CHARGED 20.00: 01-10 10:00 PAYS', '2 REPORTED EMPTY_CYCLE', '3 CHARGED 20.00: 01-20 10:00 PAYS'],
  ],
];

test.each(EXAMPLES)('%s', (_sentence, given, expected) => {
  expect(showExample(given)).toEqual(expected);
});

test('a run may begin in the half hour after its hour, and takes an hour at most', () => {
  const { contracts, runs } = expectCharges(describeExample({}));
  const [attempt] = contracts[0]?.orders[0]?.tries ?? [];
  const window = { earliestMs: at('2027-01-05T10:00Z'), latestMs: at('2027-01-05T11:30Z') };
  expect(attempt).toMatchObject(window);
  expect(runs.find(({ day }) => day === '2027-01-05')).toEqual({
    ...window,
    ...{ day: '2027-01-05', foundCount: 1, holdReason: null },
  });
});
