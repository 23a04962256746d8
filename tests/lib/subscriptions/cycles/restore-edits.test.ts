/** The effect of a new interval on skips and moves, by example. */
import { describe, expect, test } from '@jest/globals';
import { type TimeZone, UTC } from '../../../../lib/domain/time-zone.ts';
import { message } from '../../../../lib/messages/message.ts';
import type { BillingCycle } from '../../../../lib/subscriptions/cycles/billing-cycle.ts';
import {
  planEditsAfterDeletion,
  planRestoredEdits,
} from '../../../../lib/subscriptions/cycles/plan-restored-edits.ts';
import {
  decodeUpcomingEdits,
  encodeUpcomingEdits,
  findOrderTooClose,
  type UpcomingEdit,
} from '../../../../lib/subscriptions/cycles/upcoming-edits.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

/** Cycles that end at these dates; the first starts a day before the first date. */
function cyclesTo(...ends: string[]): BillingCycle[] {
  return ends.map((end, at) => ({
    cycleIndex: at + 7,
    cycleStartAt: ends[at - 1] ?? '2026-11-20T05:00:00Z',
    cycleEndAt: end,
    billingAttemptExpectedDate: end,
    skipped: false,
    edited: false,
    status: 'UNBILLED',
  }));
}

const skip = (cycleIndex: number, date: string): UpcomingEdit => ({
  cycleIndex,
  date,
  skipped: true,
  moved: false,
  originalDate: date,
});
const move = (cycleIndex: number, date: string, originalDate: string | null = null): UpcomingEdit => ({
  cycleIndex,
  date,
  skipped: false,
  moved: true,
  originalDate,
});

function restore(editsBefore: UpcomingEdit[], cycles: BillingCycle[], timeZone: string = 'America/New_York') {
  return planRestoredEdits({ editsBefore, cycles, timeZone: timeZone as TimeZone, nowMs: NOW_MS });
}

const reasons = ({ droppedEdits }: ReturnType<typeof restore>) =>
  droppedEdits.map(({ cycleIndex, reason, reasonCode }) => [cycleIndex, reasonCode, reason.messageKey]);

describe('what is dropped, and why', () => {
  const fortnights = cyclesTo('2026-12-02T05:00:00Z', '2026-12-16T05:00:00Z');

  test('drops a skip on a day without an order', () => {
    const { droppedEdits, restoringEdits, undoingEdits } = restore(
      [skip(8, '2026-12-09T05:00:00Z')],
      fortnights,
    );
    expect(droppedEdits).toEqual([
      {
        cycleIndex: 8,
        originalDate: '2026-12-09T05:00:00Z',
        skipped: true,
        movedTo: null,
        reasonCode: 'NO_ORDER_THAT_DAY',
        reason: message('editNoOrderThatDay'),
      },
    ]);
    expect([restoringEdits, undoingEdits]).toEqual([[], []]);
  });

  test('drops a move beyond the last order, one whose place is taken, and one whose date has passed', () => {
    const before = [
      move(7, '2026-11-20T05:00:00Z'),
      move(8, '2026-12-08T05:00:00Z', '2026-12-09T05:00:00Z'),
      move(9, '2026-12-12T05:00:00Z'),
      move(12, '2027-03-01T05:00:00Z'),
    ];
    const restored = restore(before, fortnights);
    expect(reasons(restored)).toEqual([
      [7, 'CHANGED_MEANWHILE', 'editDatePassed'],
      [9, 'OUTSIDE_ORDER', 'editPlaceTaken'],
      [12, 'OUTSIDE_ORDER', 'editNoOrderCovers'],
    ]);
    expect(restored.restoringEdits).toMatchObject([{ cycleIndex: 8, billingDate: '2026-12-08T05:00:00Z' }]);
  });

  test('drops a move whose order is skipped, and one whose order is billed', () => {
    const [first, second] = fortnights;
    if (first === undefined || second === undefined) throw new Error('no cycles');
    const cycles = [{ ...first, status: 'BILLED' }, second];
    const before = [
      move(7, '2026-12-01T05:00:00Z'),
      skip(8, '2026-12-16T05:00:00Z'),
      move(9, '2026-12-12T05:00:00Z', '2026-12-19T05:00:00Z'),
    ];
    const restored = restore(before, cycles);
    expect(restored.droppedEdits.map(({ cycleIndex, originalDate }) => [cycleIndex, originalDate])).toEqual([
      [7, null],
      [9, '2026-12-19T05:00:00Z'],
    ]);
    expect(restored.restoringEdits).toMatchObject([{ cycleIndex: 8, skip: true }]);
  });
});

describe('the day is the store’s', () => {
  // 03:00 in UTC is the evening before in New York.
  const cycles = cyclesTo('2026-12-09T03:00:00Z');

  test.each([
    ['America/New_York', '2026-12-08T15:00:00Z', true],
    ['America/New_York', '2026-12-09T06:00:00Z', false],
    ['Europe/Berlin', '2026-12-08T15:00:00Z', false],
    ['Europe/Berlin', '2026-12-09T06:00:00Z', true],
  ])('counts the day in %s, skipped on %s: kept %s', (timeZone, date, isRetained) => {
    const { restoringEdits, droppedEdits } = restore([skip(9, date)], cycles, timeZone);
    expect([restoringEdits.length, droppedEdits.length]).toEqual(isRetained ? [1, 0] : [0, 1]);
  });

  test('a day of 25 hours holds two daily orders: each skip takes the nearest, and no order twice', () => {
    const daily = cyclesTo('2027-11-07T04:30:00Z', '2027-11-08T04:30:00Z');
    const before = [skip(20, '2027-11-08T04:30:00Z'), skip(21, '2027-11-07T04:30:00Z')];
    expect(restore(before.slice(0, 1), daily).restoringEdits).toMatchObject([{ cycleIndex: 8 }]);
    expect(restore(before, daily).restoringEdits).toMatchObject([{ cycleIndex: 7 }, { cycleIndex: 8 }]);
    const third = restore([...before, skip(22, '2027-11-07T20:00:00Z')], daily);
    expect(reasons(third)).toEqual([[22, 'NO_ORDER_THAT_DAY', 'editNoOrderThatDay']]);
  });
});

describe('what the platform left on other cycles is taken back', () => {
  const [one, two, three] = cyclesTo('2026-12-02T05:00:00Z', '2026-12-16T05:00:00Z', '2026-12-30T05:00:00Z');
  if (one === undefined || two === undefined || three === undefined) throw new Error('no cycles');
  const skipped = { skipped: true, edited: true };
  const moved = { billingAttemptExpectedDate: '2026-12-10T05:00:00Z', edited: true };

  test('takes back a skip that moved to another cycle, a move that did, and both', () => {
    expect(
      restore(
        [],
        [
          { ...one, ...skipped },
          { ...two, ...moved },
        ],
      ).undoingEdits,
    ).toEqual([
      { cycleIndex: 7, skip: false },
      { cycleIndex: 8, billingDate: '2026-12-16T05:00:00Z' },
    ]);
    expect(restore([], [{ ...two, ...skipped, ...moved }]).undoingEdits).toEqual([
      { cycleIndex: 8, skip: false, billingDate: '2026-12-16T05:00:00Z' },
    ]);
  });

  test('changes nothing that already is as requested', () => {
    const before = [skip(7, '2026-12-02T05:00:00Z'), move(9, '2026-12-10T05:00:00Z')];
    const restored = restore(before, [{ ...one, ...skipped }, { ...two, ...moved }, three]);
    expect(restored).toEqual({ undoingEdits: [], restoringEdits: [], droppedEdits: [] });
  });

  test('an order that has to be moved is unskipped with it; one to be skipped gets its date back first', () => {
    expect(restore([move(7, '2026-12-10T05:00:00Z')], [{ ...two, ...skipped }]).restoringEdits).toMatchObject(
      [{ cycleIndex: 8, skip: false, billingDate: '2026-12-10T05:00:00Z' }],
    );
    expect(restore([skip(7, '2026-12-16T05:00:00Z')], [{ ...two, ...moved }])).toMatchObject({
      undoingEdits: [{ cycleIndex: 8, billingDate: '2026-12-16T05:00:00Z' }],
      restoringEdits: [{ cycleIndex: 8, skip: true }],
    });
  });

  test('leaves what is past, what is billed, and what was edited since', () => {
    const past = { ...one, ...skipped, billingAttemptExpectedDate: '2026-11-21T11:00:00Z' };
    expect(restore([], [past, { ...two, ...skipped, status: 'BILLED' }]).undoingEdits).toEqual([]);
    const since = { editsBefore: [], cycles: [{ ...three, ...skipped }], timeZone: UTC, nowMs: NOW_MS };
    expect(planRestoredEdits({ ...since, concurrentlyEditedIndexes: new Set([9]) }).undoingEdits).toEqual([]);
    expect(planRestoredEdits(since).undoingEdits).toHaveLength(1);
  });

  test('plans the restored edits, and the others as they are, for when all edits were deleted', () => {
    const passed = { ...one, ...moved, billingAttemptExpectedDate: '2026-11-21T11:00:00Z' };
    const cycles = [passed, { ...two, ...skipped }, { ...three, ...skipped }];
    const before = [skip(20, '2026-12-16T05:00:00Z')];
    const request = { editsBefore: before, cycles, timeZone: UTC, nowMs: NOW_MS };
    expect(planEditsAfterDeletion(request)).toEqual([
      { cycleIndex: 7, billingDate: '2026-11-21T11:00:00Z' },
      { cycleIndex: 8, skip: true, restoredEdit: before[0] },
    ]);
    const since = { ...request, editsBefore: [], concurrentlyEditedIndexes: new Set([8, 9]) };
    expect(planEditsAfterDeletion({ ...since, cycles: [{ ...two, ...skipped, ...moved }, one] })).toEqual([
      { cycleIndex: 8, billingDate: '2026-12-10T05:00:00Z' },
      { cycleIndex: 8, skip: true },
    ]);
  });
});

describe('an order that is too close', () => {
  const at = (iso: string, edit: Partial<BillingCycle> = {}) => ({
    ...(cyclesTo(iso)[0] as BillingCycle),
    ...edit,
  });
  const weekly = { interval: 'WEEK', intervalCount: 1 };
  const daily = { interval: 'DAY', intervalCount: 2 };

  test.each([
    ['48 hours ahead', at('2026-11-23T12:00:00Z'), weekly, true],
    ['a second later', at('2026-11-23T12:00:01Z'), weekly, false],
    ['past', at('2026-11-21T11:59:00Z'), weekly, false],
    ['billed', at('2026-11-22T12:00:00Z', { status: 'BILLED' }), weekly, false],
    ['skipped', at('2026-11-22T12:00:00Z', { skipped: true, edited: true }), weekly, true],
    ['always close', at('2026-11-22T12:00:00Z'), daily, false],
    ['always close, but skipped', at('2026-11-22T12:00:00Z', { skipped: true, edited: true }), daily, true],
    ['every three days', at('2026-11-22T12:00:00Z'), { interval: 'DAY', intervalCount: 3 }, true],
  ])('%s', (_name, cycle, policy, isTooClose) => {
    expect(findOrderTooClose([cycle], { nowMs: NOW_MS, policy }) !== undefined).toBe(isTooClose);
  });
});

test('500 edits are packed into less than 20 KB, and come out as they went in', () => {
  const edits = Array.from({ length: 500 }, (_, index): UpcomingEdit => {
    const date = new Date(NOW_MS + index * 7 * 24 * HOUR_MS).toISOString().replace('.000Z', 'Z');
    const moved = index % 3 > 0;
    const isChosen = index === 7 && { isChosen: true as const };
    return {
      cycleIndex: index,
      date,
      skipped: index % 3 < 2,
      moved,
      originalDate: moved ? null : date,
      ...isChosen,
    };
  });
  const text = encodeUpcomingEdits(edits);
  expect(text.length).toBeLessThan(20_000);
  expect(decodeUpcomingEdits(text)).toEqual(edits);
});
