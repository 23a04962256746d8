import { expect, test } from '@jest/globals';
import { findStatusAt } from '../../../../lib/billing/records/read-events-since.ts';
import type { EventRecord } from '../../../../lib/timeline/event-record.ts';

const DUE_MS = Date.parse('2026-12-09T10:00:00Z');

/** An entry of a change of the status, so many hours after the order was due. */
const statusChange = (hours: number, before: string | null, after: string) =>
  ({
    createdAtMs: DUE_MS + hours * 3_600_000,
    changes: [{ field: 'status', before, after }],
  }) as unknown as EventRecord;

test.each([
  ['was paused since', [statusChange(1, 'ACTIVE', 'PAUSED')], 'ACTIVE'],
  ['was resumed since', [statusChange(1, 'PAUSED', 'ACTIVE')], 'PAUSED'],
  ['has not changed since', [statusChange(-1, 'PAUSED', 'ACTIVE')], undefined],
  ['was first read after its order was due', [statusChange(1, null, 'ACTIVE')], 'ACTIVE'],
  [
    'was first read in a pause after its order was due',
    [statusChange(2, 'PAUSED', 'ACTIVE'), statusChange(1, null, 'PAUSED')],
    'PAUSED',
  ],
])('a contract that %s has the status that it had when the order was due', (_case, events, status) => {
  expect(findStatusAt(events, DUE_MS)).toBe(status);
});
