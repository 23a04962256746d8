/**
 * The list of a contract's orders beside the platform's cycles: the n-th order that comes is the n-th cycle that is not
 * skipped. The list has its own calendar and shares no code with the service.
 */
import { expect } from '@jest/globals';
import { isoDayIn } from '../../../lib/domain/time-zone.ts';
import type { BillingCycle } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS } from '../../../sandbox/platform/state/instant.ts';
import {
  change,
  comingDay,
  dayAfter,
  daysBetween,
  type Interval,
  listFrom,
  type OrderList,
  positionOf,
} from '../../lib/subscriptions/postpone/order-list.ts';
import type { Setup } from './history-commands.ts';

/** A month's end or a change of clocks brings an order at most 48 hours off its day. */
const TOLERANCE_DAYS = 2;

type Cycle = Pick<BillingCycle, 'index' | 'endMs' | 'expectedMs' | 'skipped'>;

type Restart = {
  /** From the first cycle in which the next order can come. */
  readonly cycles: readonly BillingCycle[];
  readonly before: readonly Cycle[];
  /** The index of the cycle of the next order. The cycles before it are skipped. */
  readonly next: number;
  /** The index of the cycle before of the order that is the next one. */
  readonly nextBefore: number | undefined;
};

type EditContext = {
  /** The skipped cycles without an order. */
  readonly gaps: ReadonlySet<number>;
  /** Whether the edits follow from a date that was chosen for the next order. */
  readonly isDateChosen?: boolean;
};

/** `first`: the index of the cycle of the first order. */
export function followOrders({ createdMs, timeZone, interval: own }: Setup, first: number) {
  // The platform counts intervals in UTC.
  const all = listFrom(new Date(createdMs).toISOString().slice(0, 10), own);
  let [list, base, interval]: [OrderList, number, Interval] = [all.slice(first - 1), first, own];
  /** Orders until then were compared. */
  let comparedMs = 0;
  /** The dates to which people moved single orders, perhaps on the same day. */
  const moves = new Set<number>();

  const dayOf = (ms: number) => isoDayIn(timeZone, ms);
  const comingOf = <One extends Cycle>(cycles: readonly One[]) =>
    cycles.filter(({ index, skipped }) => index >= base && !skipped);
  const positionAt = (cycles: readonly Cycle[], index: number) =>
    positionOf(list, comingOf(cycles).filter((one) => one.index < index).length);

  /** Skips, restores or moves one order. `cycles`: before the edit. */
  function edit(cycles: readonly Cycle[], after: Cycle, { gaps, isDateChosen = false }: EditContext): void {
    const before = cycles.find(({ index }) => index === after.index);
    const position = positionAt(cycles, after.index);
    const listed = list[position];
    if (before === undefined || listed === undefined) throw new Error('no such order');
    if (!before.skipped && after.skipped)
      list = change(list, position, { isSkipped: true, isPassedOver: isDateChosen });
    else if (before.skipped && !after.skipped) restore(cycles, after, gaps);
    else {
      moves.add(after.expectedMs);
      // An order that has no date yet is later than its day: it comes at the end of its cycle, and is moved from there.
      const end = dayOf(before.endMs);
      const isLate = before.expectedMs === before.endMs && daysBetween(listed.day, end) > TOLERANCE_DAYS;
      const day = isLate ? end : listed.day;
      list = change(list, position, { day, daysEarlier: daysBetween(dayOf(after.expectedMs), day) });
    }
  }

  function restore(cycles: readonly Cycle[], { index, expectedMs }: Cycle, gaps: ReadonlySet<number>): void {
    const end = positionAt(cycles, index);
    const day = dayOf(expectedMs);
    if (gaps.has(index)) releaseSentOrder(cycles, day);
    // The skipped orders between two that come are in the order of their cycles.
    const isOrder = (one: Cycle) => gaps.has(index) || !gaps.has(one.index);
    const later = cycles.filter((one) => one.index > index && isOrder(one));
    const skippedAfter = later.findIndex(({ skipped }) => !skipped);
    let position = end - 1 - Math.max(skippedAfter, 0);
    if (!list.slice(Math.max(position, 0), end).every(({ isSkipped }) => isSkipped)) position = end;
    if (position < 0) position = end;
    for (let at = end - 1; position === end && list[at]?.isSkipped; at -= 1) position = at;
    if (position !== end) {
      const daysEarlier = daysBetween(day, list[position]?.day ?? day);
      list = change(list, position, { isSkipped: false, daysEarlier });
    } else list = [...list.slice(0, end), { day, daysEarlier: 0, isSkipped: false }, ...list.slice(end)];
  }

  /** An order that was sent now is the one of its own cycle once another client has restored an order on its day. */
  function releaseSentOrder(cycles: readonly Cycle[], day: string): void {
    const isSent = ({ day: own, daysEarlier }: OrderList[number]) =>
      daysEarlier > 0 && Math.abs(daysBetween(own, day)) <= TOLERANCE_DAYS;
    const position = list.findIndex((order) => !order.isSkipped && isSent(order));
    const sent = list[position];
    const cycle = comingOf(cycles)[list.slice(0, position).filter(({ isSkipped }) => !isSkipped).length];
    if (sent === undefined || cycle === undefined) return;
    const own = dayOf(cycle.endMs);
    list = change(list, position, { day: own, daysEarlier: daysBetween(comingDay(sent), own) });
  }

  /** Three days more, because the 28th may be the 31st of another month. */
  const intervalAfter = (day: string) =>
    dayAfter(dayAfter(day, interval, 1), { interval: 'DAY', intervalCount: 1 }, 3);

  function compareDates(cycles: readonly Cycle[], laidUntilMs: number): void {
    const coming = list.filter(({ isSkipped }) => !isSkipped);
    const unlisted: unknown[] = [];
    for (const [order, { index, expectedMs }] of comingOf(cycles).entries()) {
      const listed = coming[order];
      if (listed === undefined) break;
      if (expectedMs <= comparedMs) continue;
      const day = dayOf(expectedMs);
      const days = [comingDay(listed), listed.day].sort();
      const latest = expectedMs > laidUntilMs ? intervalAfter(listed.day) : (days[1] ?? '');
      const [early, late] = [daysBetween(day, days[0] ?? ''), daysBetween(latest, day)];
      if (early > TOLERANCE_DAYS || late > TOLERANCE_DAYS) unlisted.push({ index, day, listed });
    }
    expect(unlisted).toEqual([]);
  }

  return {
    dayOf,
    get list() {
      return list;
    },
    /** Replaces the list. The orders that were due until now were compared before. */
    replace(next: OrderList, nowMs: number): void {
      [list, comparedMs] = [next, nowMs];
    },
    positionAt,
    get interval() {
      return interval;
    },
    /** The order comes before the skipped ones that precede it, or in place of the order at `to`. */
    sendNow(
      position: number,
      { to, replaces }: { to: number; replaces: 'skipped' | 'unpaid' | 'none' },
      expectedMs: number,
    ) {
      const order = list[position];
      if (order === undefined) throw new Error('no such order');
      const sent = { ...order, daysEarlier: daysBetween(dayOf(expectedMs), order.day) };
      const isReplaced = (at: number) =>
        at === to && replaces !== 'none' && list[at]?.isSkipped === (replaces === 'skipped');
      const others = list.filter((_order, at) => at !== position && !isReplaced(at));
      list = [...others.slice(0, to), sent, ...others.slice(to)];
    },
    /** Applies the differences between two states of the cycles, one order after another. */
    follow(before: readonly Cycle[], after: readonly Cycle[], context: EditContext): void {
      let cycles = before;
      for (const now of changedCycles(before, after)) {
        if (now.index < base) continue;
        edit(cycles, now, context);
        cycles = cycles.map((one) => (one.index === now.index ? now : one));
      }
    },
    /** Takes the platform's dates over, after a change whose dates only the platform knows. */
    takeOver(cycles: readonly BillingCycle[], nextInterval: Interval, gaps: ReadonlySet<number>): void {
      [base, interval] = [cycles[0]?.index ?? 0, nextInterval];
      const withOrder = cycles.filter(({ index, skipped }) => !(skipped && gaps.has(index)));
      list = withOrder.map(({ expectedMs, endMs, skipped: isSkipped }) => {
        const day = dayOf(endMs);
        return { day, daysEarlier: daysBetween(dayOf(expectedMs), day), isSkipped };
      });
    },
    /** The orders follow the first of the cycles by a new interval. Orders that people moved may keep their dates. */
    restart({ cycles, before, next, nextBefore }: Restart, nextInterval: Interval): void {
      const isMoved = ({ index, expectedMs }: Cycle) =>
        moves.has(expectedMs) || list[positionAt(before, index)]?.daysEarlier !== 0;
      const moved = comingOf(before)
        .filter((cycle) => cycle.index !== nextBefore && isMoved(cycle))
        .map(({ expectedMs }) => expectedMs);
      [base, interval] = [cycles[0]?.index ?? 0, nextInterval];
      const first = dayOf(cycles.find(({ index }) => index === next)?.expectedMs ?? 0);
      list = cycles.map(({ index, expectedMs, endMs, skipped: isSkipped }) => {
        // The orders before a chosen date are skipped, and can be restored.
        const day = index < next ? dayOf(endMs) : dayAfter(first, interval, index - next);
        const mayBeMoved = index > next && moved.includes(expectedMs);
        return { day, daysEarlier: mayBeMoved ? daysBetween(dayOf(expectedMs), day) : 0, isSkipped };
      });
    },
    /**
     * Checks the dates of all orders that were to come at the last call. Orders after `laidUntilMs` may be late by an
     * interval.
     */
    compare(cycles: readonly Cycle[], nowMs: number, laidUntilMs = Number.POSITIVE_INFINITY): void {
      compareDates(cycles, laidUntilMs);
      // The orders before a postponement are not compared again with the dates after it.
      comparedMs = Math.max(comparedMs, nowMs - TOLERANCE_DAYS * DAY_MS);
    },
    /** Checks the dates that a list shows for the orders. */
    compareVisibleDates(cycles: readonly Cycle[]): void {
      compareDates(cycles, Number.POSITIVE_INFINITY);
    },
  };
}

/** Returns the cycles that are skipped, restored or due on another date now. */
export function changedCycles<One extends Cycle>(
  before: readonly Cycle[],
  after: readonly One[],
): readonly One[] {
  return after.filter(({ index, expectedMs, skipped }) => {
    const was = before.find((one) => one.index === index);
    if (was === undefined) return false;
    return was.skipped !== skipped || (!skipped && was.expectedMs !== expectedMs);
  });
}
