/** Which edits of single orders count while the interval changes, and on which cycles. */
import { describe, expect, test } from '@jest/globals';
import type { BillingCycle } from '../../../../lib/subscriptions/cycles/billing-cycle.ts';
import { mergeConcurrentEdits } from '../../../../lib/subscriptions/interval/merge-concurrent-edits.ts';
import type { EventRecord } from '../../../../lib/timeline/event-record.ts';

const [NEW, OLD, MOVED] = ['2026-12-09T08:00:00Z', '2026-12-02T08:00:00Z', '2026-12-01T08:00:00Z'];
/** As they are now: order 8 falls on another day than it did. */
const cycles = [{ cycleIndex: 8, cycleEndAt: NEW }] as BillingCycle[];

const STARTED_AT_MS = Date.parse('2026-11-21T12:00:00Z');

const entry = (action: string, expectedDate?: string, billingDate?: string, createdAtMs = STARTED_AT_MS) =>
  ({
    action,
    createdAtMs,
    details: { billingCycleIndex: 8, expectedDate, billingDate },
    changes: [],
  }) as unknown as EventRecord;
const skipped = entry('billing_cycle_skipped', OLD);
const edit = { cycleIndex: 8, originalDate: OLD };

test.each([
  ['a skip of the old order', [skipped], [{ ...edit, date: OLD, skipped: true, moved: false }], []],
  [
    'a move of the old order',
    [entry('billing_cycle_rescheduled', OLD, MOVED)],
    [{ ...edit, date: MOVED, skipped: false, moved: true }],
    [],
  ],
  ['a skip that was taken back', [skipped, entry('billing_cycle_unskipped', OLD)], [], []],
  ['a skip of the new order', [entry('billing_cycle_skipped', NEW)], [], [8]],
  [
    'a move of the new order, then its skip',
    [entry('billing_cycle_rescheduled', NEW, MOVED), entry('billing_cycle_skipped', MOVED)],
    [],
    [8],
  ],
  [
    'a move of an order on the same day, begun before the change, then a skip of what it was moved to',
    [
      entry('billing_cycle_rescheduled', NEW, MOVED, STARTED_AT_MS - 1),
      entry('billing_cycle_skipped', MOVED),
    ],
    [{ cycleIndex: 8, originalDate: NEW, date: MOVED, skipped: true, moved: true }],
    [],
  ],
  [
    'an edit before another change of the interval',
    [skipped, entry('subscription_interval_updated')],
    [],
    [],
  ],
  ['something else', [entry('subscription_paused', OLD), entry('billing_cycle_skipped')], [], []],
])('%s', (_name, entries, before, since) => {
  const found = mergeConcurrentEdits({ edits: [], entries, beganAtMs: STARTED_AT_MS }, cycles);
  expect([found.editsBefore, [...found.concurrentlyEditedIndexes]]).toEqual([before, since]);
});

/** Orders are moved, then paid, then the interval changes within the same half minute; or all of it at once. */
describe('an edit of an order that is paid by now was not dropped', () => {
  const moved = { cycleIndex: 8, originalDate: OLD, date: MOVED, skipped: false, moved: true };
  const move = entry('billing_cycle_rescheduled', OLD, MOVED, STARTED_AT_MS - 1);

  test.each([
    ['that was moved shortly before', [], [move]],
    ['whose move lay ahead', [moved], []],
    ['whose move lay ahead and is told, too', [moved], [move]],
    ['whose skip was told', [], [skipped]],
  ])('%s', (_name, edits, entries) => {
    const merge = (status: string) =>
      mergeConcurrentEdits(
        { edits, entries, beganAtMs: STARTED_AT_MS },
        cycles.map((cycle) => ({ ...cycle, status })),
      ).editsBefore;
    expect(merge('UNBILLED')).toHaveLength(1);
    expect(merge('BILLED')).toEqual([]);
  });
});
