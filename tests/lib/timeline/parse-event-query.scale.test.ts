/** Times in the `query` of `events`, of any size. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatEventNumber, LOWEST_EVENT_NUMBER } from '../../../lib/timeline/event-record.ts';
import { parseEventQuery } from '../../../lib/timeline/parse-event-query.ts';
import { propertyRuns } from '../../full-size.ts';

/** The last millisecond that an entry's number has room for: in 2286. */
const LAST_MS = 9_999_999_999_999;
const requests = fc.oneof(
  fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
  fc.date({ min: new Date(LAST_MS - 5), max: new Date(LAST_MS + 5), noInvalidDate: true }),
);
const created = fc.oneof(
  fc.integer({ min: 0, max: LAST_MS }),
  fc.integer({ min: LAST_MS - 5, max: LAST_MS }),
);

const holds: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '': (one, other) => one === other,
};

test('an entry is found if its time compares so', () => {
  fc.assert(
    fc.property(requests, created, fc.constantFrom(...Object.keys(holds)), (date, createdAtMs, operator) => {
      const { low, high } = parseEventQuery(`created_at:${operator}"${date.toISOString()}"`);
      expect([low.length, high.length]).toEqual([LOWEST_EVENT_NUMBER.length, LOWEST_EVENT_NUMBER.length]);
      const number = formatEventNumber({ createdAtMs, sequence: 0, contract: undefined });
      const isFound = low <= number && number <= high;
      expect(isFound).toBe(holds[operator]?.(createdAtMs, date.getTime()));
    }),
    propertyRuns(50_000),
  );
});

test.each([
  ['created_at:<2300-01-01', true],
  ['created_at:<=9999-12-31', true],
  ['created_at:>=2300-01-01', false],
  ['created_at:>2300-01-01T00:00:00Z', false],
  ['created_at:2300-01-01', false],
])('%s', (query, isFound) => {
  const { low, high } = parseEventQuery(query);
  const createdAtMs = Date.parse('2026-11-21');
  const number = formatEventNumber({ createdAtMs, sequence: 0, contract: undefined });
  expect(low <= number && number <= high).toBe(isFound);
});
