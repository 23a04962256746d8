/** Postponed orders of random contracts of the emulated platform, compared with a plain list of days. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoDayIn, type TimeZone, UTC } from '../../../../lib/domain/time-zone.ts';
import { orderDueAtMs } from '../../../../lib/subscriptions/cycles/billing-cycle.ts';
import {
  type AssignedDates,
  regularOrderDateMs,
} from '../../../../lib/subscriptions/order-dates/order-dates.ts';
import {
  extensionDueAtMs,
  planDateExtension,
} from '../../../../lib/subscriptions/postpone/plan-date-extension.ts';
import type { CycleToDate } from '../../../../lib/subscriptions/postpone/plan-order-dates.ts';
import { planPostponement } from '../../../../lib/subscriptions/postpone/plan-postponement.ts';
import { propertyRuns } from '../../../full-size.ts';
import { newModel } from '../contract-model.ts';
import {
  change,
  comingDay,
  dayAfter,
  daysBetween,
  type Interval,
  listFrom,
  type OrderList,
  positionOf,
  postpone,
} from './order-list.ts';

const DAY_MS = 86_400_000;
const ONE_DAY: Interval = { interval: 'DAY', intervalCount: 1 };
const READ_CYCLES = 14;

type Step =
  | { readonly kind: 'postpone'; readonly at: number }
  | { readonly kind: 'skip'; readonly order: number }
  | { readonly kind: 'move'; readonly order: number; readonly at: number }
  | { readonly kind: 'advance'; readonly days: number };

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

/** Steps of a customer. Orders are counted from the next one, 0. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('postpone' as const), at: fraction }) },
  fc.record({ kind: fc.constant('skip' as const), order: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('move' as const), order: fc.integer({ min: 0, max: 8 }), at: fraction }),
  fc.record({ kind: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 120 }) }),
);

const contracts = fc.record({
  createdMs: fc
    .integer({
      min: Date.parse('2026-01-01T00:00:00Z') / 3_600_000,
      max: Date.parse('2028-12-31T00:00:00Z') / 3_600_000,
    })
    .map((hours) => hours * 3_600_000),
  // Many contracts begin at the end of a month.
  isAtMonthEnd: fc.boolean(),
  ageDays: fc.integer({ min: 0, max: 400 }),
  interval: fc.oneof(
    fc.record({
      interval: fc.constantFrom('MONTH' as const, 'MONTH' as const, 'WEEK' as const),
      intervalCount: fc.integer({ min: 1, max: 6 }),
    }),
    fc.record({ interval: fc.constant('DAY' as const), intervalCount: fc.integer({ min: 5, max: 45 }) }),
    fc.constant({ interval: 'YEAR' as const, intervalCount: 1 }),
  ),
  timeZone: fc.constantFrom(
    'America/New_York',
    'Europe/Berlin',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
  ) as fc.Arbitrary<TimeZone>,
});

type Contract = typeof contracts extends fc.Arbitrary<infer Value> ? Value : never;

/** A contract at the platform and in the oracle's list, with the dates that were laid. */
function newHarness(given: Contract, isExtended: boolean) {
  const { interval, timeZone } = given;
  const created = new Date(given.createdMs);
  const createdMs = given.isAtMonthEnd
    ? Date.UTC(created.getUTCFullYear(), created.getUTCMonth() + 1, 0, created.getUTCHours())
    : given.createdMs;
  const before = { ...interval, anchors: [] };
  const model = newModel({
    ...{ createdMs, ageDays: 0, before, timeZone, maxCycles: null, edits: [] },
    unpublished: { editReach: 'year' },
  });
  model.advanceTo(createdMs + given.ageDays * DAY_MS);
  let laid: AssignedDates | undefined;
  // The platform counts intervals in UTC.
  let list: OrderList = listFrom(isoDayIn(UTC, createdMs), interval);

  const cycles = (count: number): CycleToDate[] =>
    model
      .cycles(count)
      .slice(0, count)
      .map((cycle) => ({ ...cycle, editedContract: null }));
  const isComing = ({ skipped, status }: CycleToDate) => !skipped && status !== 'BILLED';
  const coming = (count: number) => cycles(count).filter(isComing);
  const position = (order: number) => positionOf(list, model.orders.length + order);

  function extend(): void {
    if (laid === undefined || !isExtended) return;
    const extension = planDateExtension({
      cycles: cycles(READ_CYCLES),
      assignedDates: laid,
      timeZone,
      nowMs: model.nowMs,
    });
    if (extension.kind === 'ended') throw new Error('the dates ended');
    for (const { cycleIndex, after } of extension.edits) model.edit({ cycleIndex, billingDate: after.date });
    laid = extension.assignedDates;
  }

  function advance(days: number): void {
    const untilMs = model.nowMs + days * DAY_MS;
    while (laid !== undefined && isExtended) {
      const [first] = coming(READ_CYCLES);
      const dueMs = Math.max(extensionDueAtMs(laid, first?.cycleIndex ?? 0, timeZone), model.nowMs);
      if (dueMs > untilMs) break;
      model.advanceTo(dueMs + 1000);
      const through = laid.laidThrough;
      extend();
      if (laid.laidThrough === through) break;
    }
    model.advanceTo(Math.max(untilMs, model.nowMs));
  }

  function postponeNext(at: number): void {
    for (let count = READ_CYCLES; ; count += READ_CYCLES) {
      const all = cycles(count);
      const from = all.findIndex(isComing);
      if (from < 0) return;
      const next = all[from];
      if (next === undefined || Date.parse(next.billingAttemptExpectedDate) <= model.nowMs) return;
      const request = { cycles: all.slice(from), areAllCycles: false, former: laid, timeZone };
      const to = chosenDay(at);
      if (daysBetween(isoDayIn(timeZone, model.nowMs), to) > 363) return;
      const plan = planPostponement({
        ...request,
        ...{ cyclesWithoutOrder: [], frequency: interval, to, nowMs: model.nowMs },
      });
      if (plan.kind === 'more cycles' && count < 100) continue;
      if (plan.kind === 'moved') {
        model.edit(plan.edit);
        // The platform's day of an order can differ from the list's by a change of clocks.
        list = change(list, position(0), { daysEarlier: daysBetween(to, list[position(0)]?.day ?? to) });
        return;
      }
      if (plan.kind === 'out of bounds') {
        // Only around the bounds: the list knows no times of day and no ends of cycles. An order gets its date up to a day
        // after the one before it.
        const isWithoutDate = laid !== undefined && next.cycleIndex > laid.laidThrough;
        expect(isWithoutDate || isNearBound(to, plan) || isPerhapsSentNow(all.slice(from))).toBe(true);
        return;
      }
      if (plan.kind !== 'dates assigned') {
        // Skips near the end of the reach cannot move on.
        expect(plan).toMatchObject({ code: 'HAS_FUTURE_EDITS' });
        return;
      }
      if (plan.skipped !== undefined) model.edit({ cycleIndex: plan.skipped.cycleIndex, skip: true });
      for (const edit of plan.edits) model.edit(edit);
      laid = plan.assignedDates;
      list = postpone(list, position(0), { ...interval, to });
      return;
    }
  }

  /** The next order was moved earlier, and the next cycle is skipped. */
  function isPerhapsSentNow([next, following]: readonly CycleToDate[]): boolean {
    if (next === undefined || following === undefined) return false;
    return following.skipped && orderDueAtMs(next) < regularOrderDateMs(next, laid, timeZone);
  }

  function isNearBound(
    to: string,
    { earliestMs, latestMs }: { earliestMs: number; latestMs: number },
  ): boolean {
    const [earliest, latest] = [isoDayIn(timeZone, earliestMs), isoDayIn(timeZone, latestMs)];
    return Math.min(Math.abs(daysBetween(earliest, to)), Math.abs(daysBetween(latest, to))) <= 2;
  }

  /** A day between the order's own and the one of the order that follows it. */
  function chosenDay(at: number): string {
    const [order, following] = [list[position(0)], list[position(0) + 1]];
    if (order === undefined || following === undefined) throw new Error('the list is too short');
    const days = daysBetween(comingDay(order), following.day);
    return dayAfter(comingDay(order), ONE_DAY, 1 + Math.floor(at * Math.max(days - 1, 0)));
  }

  function changeOne(order: number, edit: (cycle: CycleToDate) => Partial<OrderList[number]>): void {
    const cycle = coming(30)[order];
    if (cycle === undefined || Date.parse(cycle.cycleStartAt) > model.nowMs + 365 * DAY_MS) return;
    list = change(list, position(order), edit(cycle));
  }

  function run(one: Step): void {
    if (one.kind === 'advance') advance(one.days);
    else if (one.kind === 'postpone') postponeNext(one.at);
    else if (one.kind === 'skip') {
      changeOne(one.order, ({ cycleIndex }) => {
        model.edit({ cycleIndex, skip: true });
        return { isSkipped: true };
      });
    } else move(one.order, one.at);
  }

  /** Moves an order to an earlier day of its cycle. */
  function move(order: number, at: number): void {
    // Leaves one order with its date, because the next extension cannot distinguish a single moved order from another app's change.
    if (laid !== undefined && (order > 3 || interval.interval === 'YEAR')) return;
    changeOne(order, ({ cycleIndex, cycleStartAt, billingAttemptExpectedDate }) => {
      const [startMs, dueMs] = [Date.parse(cycleStartAt), Date.parse(billingAttemptExpectedDate)];
      const earliestMs = Math.max(startMs, model.nowMs);
      const days = Math.floor((at * (dueMs - earliestMs)) / DAY_MS);
      const { daysEarlier = 0 } = list[position(order)] ?? {};
      if (days < 1) return {};
      const billingDate = new Date(dueMs - days * DAY_MS).toISOString().replace('.000Z', 'Z');
      model.edit({ cycleIndex, billingDate });
      return { daysEarlier: daysEarlier + days };
    });
  }

  return {
    run,
    advance,
    get laid() {
      return laid;
    },
    get list() {
      return list;
    },
    model,
    coming,
  };
}

type Harness = ReturnType<typeof newHarness>;

/** The days of all orders that were billed or come, and those of the list at their positions. */
function compared({ model, list, coming, laid }: Harness, timeZone: TimeZone) {
  const upcoming = coming(20).filter(
    ({ cycleIndex }) => laid === undefined || cycleIndex <= laid.laidThrough,
  );
  const actual = [...model.orders, ...upcoming.map((cycle) => Date.parse(cycle.billingAttemptExpectedDate))];
  return actual.map((atMs, order) => {
    const listed = list[positionOf(list, order)];
    if (listed === undefined) throw new Error('the list is too short');
    return { day: isoDayIn(timeZone, atMs), listed };
  });
}

describe('orders of a postponed contract', () => {
  const FEWER = propertyRuns(2_000);

  test(`without extensions are never earlier than the list, and at most one fewer, for ${FEWER.numRuns} random contracts`, () => {
    fc.assert(
      fc.property(contracts, fraction, (given, at) => {
        const harness = newHarness(given, false);
        harness.run({ kind: 'postpone', at });
        harness.advance(550);
        const { list, model } = harness;
        const today = isoDayIn(given.timeZone, model.nowMs);
        const orders = compared({ ...harness, coming: () => [] }, given.timeZone);
        expect(orders.filter(({ day, listed }) => daysBetween(listed.day, day) < -2)).toEqual([]);
        // Two days around today may be on either side.
        const due = list.filter(({ day }) => daysBetween(day, today) > 2).length;
        expect(orders.length).toBeGreaterThanOrEqual(due - 1);
        expect(new Set(orders.map(({ day }) => day)).size).toBe(orders.length);
      }),
      FEWER,
    );
  });

  const RUNS = propertyRuns(3_000);

  test(`come on the days of the list, within 48 hours, for ${RUNS.numRuns} random contracts`, () => {
    fc.assert(
      fc.property(contracts, fc.array(step, { minLength: 1, maxLength: 8 }), (given, steps) => {
        const harness = newHarness(given, true);
        for (const one of [...steps, { kind: 'advance', days: 200 } as const]) {
          harness.run(one);
          for (const { day, listed } of compared(harness, given.timeZone)) {
            // An order that was moved by itself comes at its distance, or as near to it as its cycle allows.
            const [first, last] = [comingDay(listed), listed.day];
            const distance = day < first ? daysBetween(day, first) : day > last ? daysBetween(last, day) : 0;
            expect({ day, listed, distance: distance <= 2 }).toEqual({ day, listed, distance: true });
          }
        }
      }),
      RUNS,
    );
  });
});
