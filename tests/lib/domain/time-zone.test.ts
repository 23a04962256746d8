import { expect, test } from '@jest/globals';
import { isoDayIn, parseTimeZone, type TimeZone } from '../../../lib/domain/time-zone.ts';

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
