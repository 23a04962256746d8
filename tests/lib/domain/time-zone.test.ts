import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import {
  isIsoDay,
  isoDayIn,
  localTimeIn,
  localTimeToEpochMs,
  parseTimeZone,
  type TimeZone,
} from '../../../lib/domain/time-zone.ts';

test.each(['UTC', 'America/New_York', 'Pacific/Kiritimati', 'America/St_Johns', 'Etc/GMT+5'])(
  '%s is a zone',
  (name) => {
    expect(parseTimeZone(name)).toBe(name);
  },
);

test.each([
  undefined,
  null,
  42,
  {},
  '',
  'Mars/Olympus_Mons',
  '+02:00',
  'America/New_York\n',
  ' UTC',
  '__proto__',
  'x'.repeat(10_000),
])('%p is none', (name) => {
  expect(parseTimeZone(name)).toBeUndefined();
});

test.each([
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
  ['America/St_Johns', '2026-12-20T03:29:59Z', '2026-12-19'],
  ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01'],
])('in %s %s falls on %s', (name, at, iso) => {
  expect(isoDayIn(name as TimeZone, Date.parse(at))).toBe(iso);
});

test.each([
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-12-31', true],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-04-31', false],
  ['2026-04-00', false],
  ['2026-4-01', false],
  ['2026-12-31T00:00:00Z', false],
  ['', false],
])('returns for %p whether it is a day: %p', (text, isExpected) => {
  expect(isIsoDay(text)).toBe(isExpected);
});

const at = (day: string, time: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return { day, secondOfDay: hours * 3600 + minutes * 60 + seconds };
};

test.each([
  ['America/New_York', '2026-07-01', '09:30:00', '2026-07-01T13:30:00Z'],
  ['America/New_York', '2026-12-16', '00:00:00', '2026-12-16T05:00:00Z'],
  ['Europe/Berlin', '2026-12-31', '23:59:59', '2026-12-31T22:59:59Z'],
  ['Asia/Kathmandu', '2026-12-16', '05:45:00', '2026-12-16T00:00:00Z'],
  ['Pacific/Kiritimati', '2027-01-01', '00:00:00', '2026-12-31T10:00:00Z'],
  ['UTC', '2026-12-16', '12:00:00', '2026-12-16T12:00:00Z'],
])('in %s the clocks show %s %s at %s', (zone, day, time, iso) => {
  expect(localTimeToEpochMs(zone as TimeZone, at(day, time))).toBe(Date.parse(iso));
  expect(localTimeIn(zone as TimeZone, Date.parse(iso))).toEqual(at(day, time));
});

test.each([
  ['America/New_York', '2026-03-08', '02:30:00', '2026-03-08T07:00:00Z'],
  ['Europe/Berlin', '2026-03-29', '02:00:00', '2026-03-29T01:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15:00', '2026-10-03T15:30:00Z'],
  // Samoa had no 30 December 2011.
  ['Pacific/Apia', '2011-12-30', '12:00:00', '2011-12-30T10:00:00Z'],
])('in %s the skipped %s %s is the next time, at %s', (zone, day, time, iso) => {
  expect(localTimeToEpochMs(zone as TimeZone, at(day, time))).toBe(Date.parse(iso));
});

test.each([
  ['America/New_York', '2026-11-01', '01:30:00', '2026-11-01T05:30:00Z'],
  ['Europe/Berlin', '2026-10-25', '02:00:00', '2026-10-25T00:00:00Z'],
])('in %s the repeated %s %s is the first one, at %s', (zone, day, time, iso) => {
  expect(localTimeToEpochMs(zone as TimeZone, at(day, time))).toBe(Date.parse(iso));
});

test('the clocks show a local time at its instant, at every quarter of an hour of two years', () => {
  // Collected, because thirty thousand expectations take longer than the conversions.
  const wrong: string[] = [];
  for (const zone of ['America/New_York', 'Europe/Berlin', 'Asia/Kathmandu'] as TimeZone[]) {
    const from = Date.parse('2026-01-01T00:00:00Z');
    for (let step = 0; step < 2 * 365 * 96; step += 7) {
      const instant = from + step * 900_000;
      const again = localTimeToEpochMs(zone, localTimeIn(zone, instant));
      // Only in a repeated hour the first instant differs.
      const isRight =
        [0, 3_600_000].includes(instant - again) &&
        isDeepStrictEqual(localTimeIn(zone, again), localTimeIn(zone, instant));
      if (!isRight) wrong.push(`${zone} ${instant} ${again}`);
    }
  }
  expect(wrong).toEqual([]);
});
