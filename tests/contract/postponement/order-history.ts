/** Runs the commands of a history, and checks after each of them what the platform and the answers show. */
import { expect } from '@jest/globals';
import { type BillingCycle, listCyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import {
  dayAfter,
  daysBetween,
  type OrderList,
  postpone,
} from '../../lib/subscriptions/postpone/order-list.ts';
import { createCheckedRequests } from './checked-requests.ts';
import { editRequest, REFUSED_DATES, REFUSED_INTERVALS, REFUSED_NOW } from './edit-requests.ts';
import { externalOrderChanges } from './external-order-changes.ts';
import { changedCycles, followOrders } from './followed-orders.ts';
import type { Command, Named, Setup } from './history-commands.ts';
import { createHistoryWorld, type Payload } from './history-world.ts';

const ONE_DAY = { interval: 'DAY', intervalCount: 1 } as const;
const YEAR_MS = 365 * DAY_MS;
const MAX_HISTORY_MS = 4 * YEAR_MS;

type IntervalCheck = {
  /** The days of the skipped orders before. */
  readonly skips: readonly string[];
  /** The last day that had a date before. */
  readonly until: string;
  readonly before: readonly BillingCycle[];
  readonly payload: Payload;
};

/** The state before a postponement that may be reverted. */
type Former = {
  readonly list: OrderList;
  readonly cycles: readonly BillingCycle[];
  readonly gaps: readonly number[];
  isIntact: boolean;
};

export function createHistory(setup: Setup) {
  const world = createHistoryWorld(setup);
  const orders = followOrders(setup, world.first);
  const { running, nextOrder, ahead, instantIn } = world;
  const { counts, accepted } = createCheckedRequests(world);
  const startMs = world.now();
  /** The latest one is the last. */
  let formers: Former[] = [];
  function touchFormers(): void {
    for (const former of formers) former.isIntact = false;
  }
  /** Whether the list still says where the orders are: another app's deletions leave that to the next extension. */
  let isTracked = true;
  /** The cycles whose orders were sent now in another one. */
  const sentCycles = new Set<number>();
  let hasOtherApp = false;
  /** The cycles that postponements skipped: they have no order. */
  const gaps = new Set<number>();
  /** The skipped cycles before the date from which a new interval counts. Another app can restore an order there. */
  let formerCycles: readonly number[] = [];
  const laidUntilMs = async () => {
    const dates = await world.postponedDates();
    return dates && Date.parse(dates.laidUntil);
  };
  function takeOver(): void {
    const [current] = running();
    if (current === undefined) throw new Error('no cycle');
    // Their lists begin with another cycle.
    touchFormers();
    const { index } = current;
    const { interval, intervalCount } = world.contract.content.billingPolicy;
    const cycles = listCyclesBetween(world.contract, index, index + 300);
    orders.takeOver(cycles, { interval, intervalCount }, gaps);
  }

  async function check(): Promise<void> {
    const untilMs = await laidUntilMs();
    if (!isTracked) takeOver();
    isTracked ||= untilMs === undefined;
    if (isTracked) orders.compare(world.cycles(), world.now(), untilMs);
  }

  /** Orders without a date are shown on the day that the next extension gives them, unless that is overdue. */
  async function checkVisibleDates(): Promise<void> {
    const dates = await world.postponedDates();
    if (!isTracked || dates === undefined) return;
    const following = dayAfter(orders.dayOf(Date.parse(dates.laidUntil)), orders.interval, 1);
    if (Date.parse(following) <= world.now() + 2 * DAY_MS) return;
    const visibleDates = await world.visibleDates();
    const visibleCycles = world.cycles().flatMap((cycle) => {
      const date = visibleDates.get(cycle.index);
      if (date === undefined) return [];
      if (!cycle.skipped) expect([cycle.index, date]).toEqual([cycle.index, expect.any(String)]);
      return [{ ...cycle, expectedMs: date === null ? cycle.expectedMs : Date.parse(date) }];
    });
    const firstVisible = visibleCycles[0]?.index ?? 0;
    const passed = world.cycles().filter(({ index }) => index < firstVisible);
    orders.compareVisibleDates([...passed, ...visibleCycles]);
  }

  /** Follows edits of single orders. */
  function follow(before: readonly BillingCycle[], allowed: readonly number[], isDateChosen = false): void {
    const changed = changedCycles(before, world.cycles());
    expect(changed.filter(({ index }) => !allowed.includes(index))).toEqual([]);
    orders.follow(before, world.cycles(), { gaps, isDateChosen });
    if (changed.length > 0) touchFormers();
  }

  async function runPostpone(one: Named<'postpone'>): Promise<void> {
    const next = nextOrder();
    if (next === undefined) return;
    const cycles = world.cycles();
    const untilMs = await laidUntilMs();
    const position = orders.positionAt(cycles, next.index);
    const [order, following] = [orders.list[position], orders.list[position + 1]];
    if (order === undefined || following === undefined) throw new Error('the list is too short');
    const isLate = untilMs !== undefined && next.expectedMs > untilMs;
    const day = orders.dayOf(next.expectedMs);
    const latest = isLate ? dayAfter(following.day, orders.interval, 1) : following.day;
    const cycleEnd = orders.dayOf(next.endMs);
    const fraction = one.at === 'cycle end' ? 1 : one.at;
    const days = 1 + Math.floor(fraction * Math.max(daysBetween(day, latest) - 1, 0));
    const isToEnd = one.at === 'cycle end' && cycleEnd > day;
    const chosen = isToEnd ? cycleEnd : dayAfter(day, ONE_DAY, days);
    const to = one.daysBeyond > 0 ? dayAfter(latest, ONE_DAY, one.daysBeyond) : chosen;
    const cyclesAfter = cycles.filter(({ index }) => index > next.index);
    const isPerhapsSentNow =
      cyclesAfter[0]?.skipped === true &&
      (next.expectedMs < next.endMs || gaps.has(next.index) || formerCycles.includes(next.index));
    const staysInCycle = isPerhapsSentNow || cyclesAfter.some(({ index }) => gaps.has(index));
    const isNearBound = one.daysBeyond > 0 || isLate || staysInCycle || daysBetween(to, latest) <= 2;
    const date = formatIsoInstant(next.expectedMs);
    const result = await accepted(one, () => world.postpone(date, to, false), [
      ...(world.contract.content.status === 'ACTIVE' ? [] : ['CONTRACT_NOT_ACTIVE']),
      ...(isNearBound || !isTracked ? ['OUT_OF_BOUNDS'] : []),
      ...(next.expectedMs <= world.now() + 1 ? ['DATE_IN_PAST'] : []),
      ...(Date.parse(to) > world.now() + 363 * DAY_MS ? ['DATE_TOO_FAR', 'NO_UPCOMING_ORDER'] : []),
      ...(hasFarEdits(position + 1) ? ['HAS_FUTURE_EDITS'] : []),
      ...(isTracked ? [] : ['CYCLES_IRREGULAR', 'HAS_FUTURE_EDITS']),
    ]);
    if (result === undefined) return;
    const list = isLate
      ? orders.list.map((each, at) => (at === position ? { ...each, day } : each))
      : orders.list;
    const stored = (await world.postponements.read(world.ref))?.latest;
    if (stored?.to === to && stored.expectedDate === date)
      formers.push({ list: orders.list, cycles: result.before, gaps: [...gaps], isIntact: true });
    else touchFormers();
    // A skip or a move that is too far ahead to be moved stays on its cycle, whose order is another one now.
    if (hasFarEdits(position + 1)) isTracked = false;
    orders.replace(postpone(list, position, { ...orders.interval, to }), world.now());
    if (world.contract.cycleEdits[next.index]?.skipped) gaps.add(next.index);
    expect(orders.dayOf(nextOrder()?.expectedMs ?? 0)).toBe(to);
  }

  /** Whether an order is skipped or moved by itself, and the order after it gets no date: edits cannot move there. */
  const hasFarEdits = (position: number) =>
    orders.list.slice(position).some(({ day, isSkipped, daysEarlier }, at) => {
      const isFar = Date.parse(dayAfter(day, orders.interval, 2)) > world.now() + YEAR_MS;
      return (isSkipped || daysEarlier !== 0) && (at > 8 || isFar);
    });

  async function runRevert(one: Named<'revert'>): Promise<void> {
    const isOffered = await world.isRevertOffered();
    const result = await accepted(one, () => world.revert(), [
      ...['NOTHING_TO_REVERT', 'CHANGED_SINCE', 'CYCLE_ALREADY_BILLED'],
    ]);
    // Another app's change may not be read yet.
    if (!hasOtherApp) expect(isOffered).toBe(result !== undefined);
    if (result === undefined) return;
    const former = formers.pop();
    if (former === undefined) throw new Error('nothing was postponed');
    // A cycle whose order was sent now stays without one.
    gaps.clear();
    for (const index of [...former.gaps, ...sentCycles]) gaps.add(index);
    if (former.isIntact) {
      expect(changedCycles(former.cycles, world.cycles())).toEqual([]);
      orders.replace(former.list, world.now());
    } else if ((await laidUntilMs()) === undefined) takeOver();
    else isTracked = false;
  }

  async function runInterval(one: Named<'interval'> | Named<'interval on'>): Promise<void> {
    const target = 'order' in one ? ahead()[one.order] : undefined;
    if ('order' in one && target === undefined) return;
    const date = 'at' in one && target ? instantIn(target, one.at) : undefined;
    const [before, untilMs] = [nextOrder(), await laidUntilMs()];
    const wasLaid = untilMs !== undefined;
    const { interval, intervalCount } = world.contract.content.billingPolicy;
    // The cycles before the first order of an interval have no order.
    const formerDays = running()
      .filter(({ index }) => formerCycles.includes(index))
      .map(({ endMs }) => orders.dayOf(endMs));
    const skips = orders.list
      .filter(({ day, isSkipped, isPassedOver }) => isSkipped && !isPassedOver && !formerDays.includes(day))
      .map(({ day }) => day);
    const [current] = running();
    const isPostponed = current?.skipped === true && gaps.has(current.index);
    const result = await accepted(one, () => world.changeInterval(one.interval, date), [
      ...REFUSED_INTERVALS,
      ...(date === undefined || world.contract.content.status === 'ACTIVE' ? [] : ['CONTRACT_NOT_ACTIVE']),
    ]);
    if (result === undefined) return;
    checkOverdueOrders(result.before);
    if (interval === one.interval.interval && intervalCount === one.interval.intervalCount)
      return followDate(result.before);
    formers = [];
    sentCycles.clear();
    const next = nextOrder();
    const isLaid = (await laidUntilMs()) !== undefined;
    const earliestMs = before && world.earliestMs(before);
    const isMoved = before !== undefined && before.expectedMs !== before.endMs;
    const keepsDate = wasLaid || isPostponed || isMoved;
    if (keepsDate && world.contract.content.status === 'ACTIVE' && earliestMs !== undefined)
      expect(next && formatIsoInstant(next.expectedMs)).toBe(date ?? formatIsoInstant(earliestMs));
    // An unpaid order whose date has passed keeps it: the rhythm follows from the next upcoming one.
    const first = ahead()[0];
    if (isLaid && first) {
      const { index } = first;
      await checkDatedOrders(first);
      if (isTracked && untilMs !== undefined)
        checkSkips(first, one.interval, { skips, until: orders.dayOf(untilMs), ...result });
      gaps.clear();
      formerCycles = world
        .cycles()
        .flatMap((each) => (each.skipped && each.index < index ? [each.index] : []));
      const last = world.cycles().findLast((each) => each.index < index && !each.skipped);
      const from = last === undefined ? world.first : last.index + 1;
      const cycles = listCyclesBetween(world.contract, from, index + 300);
      const nextBefore = (target ?? before)?.index;
      orders.restart({ cycles, before: result.before, next: index, nextBefore }, one.interval);
    } else {
      gaps.clear();
      formerCycles = [];
      takeOver();
    }
  }

  /** No order came to one of the last 35 days, on which jobs would still find it. */
  function checkOverdueOrders(before: readonly BillingCycle[]): void {
    const isOverdue = ({ billed, skipped, expectedMs }: BillingCycle) =>
      !billed && !skipped && expectedMs < world.now() && world.now() - 35 * DAY_MS < expectedMs;
    const indexesBefore = before.filter(isOverdue).map(({ index }) => index);
    const overdueIndexes = world
      .cycles()
      .filter(isOverdue)
      .map(({ index }) => index);
    expect(overdueIndexes.filter((index) => !indexesBefore.includes(index))).toEqual([]);
  }

  /** An order after the next one is skipped if an order of that day was, and a skip that finds no such order is named. */
  function checkSkips(
    { index: first, expectedMs }: BillingCycle,
    interval: Setup['interval'],
    { skips, until, before, payload }: IntervalCheck,
  ): void {
    const isNear = (day: string) => (other: string) => Math.abs(daysBetween(day, other)) <= 2;
    const from = orders.dayOf(expectedMs);
    const later = world.cycles().filter(({ index, skipped }) => skipped && index > first);
    const days = later.map(({ index }) => dayAfter(from, interval, index - first));
    const named = (payload.droppedEdits ?? []).flatMap(({ skipped, originalDate }) =>
      skipped && originalDate !== null ? [orders.dayOf(Date.parse(originalDate))] : [],
    );
    // A later order had no date yet, so that its skip was on another day than the list says.
    const isDated = (day: string) => day > dayAfter(from, ONE_DAY, 2) && day <= dayAfter(until, ONE_DAY, -3);
    const isLost = (day: string) => ![...days, ...named].some(isNear(day));
    expect(skips.filter((day) => isDated(day) && isLost(day))).toEqual([]);
    // A cycle can be skipped without an order: its order was restored in an earlier cycle.
    const skippedBefore = ({ startMs, endMs, skipped }: BillingCycle, day: string) =>
      skipped && Date.parse(day) > startMs - 2 * DAY_MS && Date.parse(day) < endMs + 2 * DAY_MS;
    const wasSkipped = (day: string) => before.some((cycle) => skippedBefore(cycle, day));
    expect(days.filter((day) => isDated(day) && !wasSkipped(day))).toEqual([]);
  }

  /** A new interval dates twelve orders, or those of a year. */
  async function checkDatedOrders({ index, expectedMs }: BillingCycle): Promise<void> {
    const laid = (await world.postponedDates())?.laid;
    if (laid === undefined) throw new Error('no order has a date');
    const count = laid.laidThrough + 1 - index;
    const following = dayAfter(orders.dayOf(expectedMs), laid as typeof orders.interval, count);
    const isYear = Date.parse(following) > world.now() + YEAR_MS - DAY_MS;
    expect({ count, following, isYear }).toEqual({
      count: isYear ? expect.any(Number) : 12,
      following,
      isYear,
    });
  }

  async function runResume(one: Named<'resume on'>): Promise<void> {
    const target = ahead()[one.order];
    if (target === undefined) return;
    const date = instantIn(target, one.at);
    const result = await accepted(one, () => world.resume(date), REFUSED_DATES);
    if (result === undefined) return;
    expect(nextOrder()).toMatchObject({ expectedMs: Date.parse(date) });
    followDate(result.before);
  }

  /** Orders before the one with a chosen date are skipped, and later ones keep their dates. */
  function followDate(before: readonly BillingCycle[]): void {
    const indexes = world.cycles().map(({ index }) => index);
    follow(
      before,
      indexes.filter((index) => index <= (nextOrder()?.index ?? 0)),
      true,
    );
  }

  /** The order may come in the current cycle in place of its own. The following orders keep their dates. */
  async function runSendNow(one: Named<'send now'>): Promise<void> {
    const [next, current] = [nextOrder(), running()[0]];
    if (next === undefined || current === undefined) return;
    const position = orders.positionAt(world.cycles(), next.index);
    const isSkippedOrder = ({ index, skipped }: BillingCycle) => skipped && !gaps.has(index);
    const skippedBefore = running().filter((each) => each.index < next.index && isSkippedOrder(each)).length;
    const takesPlaceOfSkipped = isSkippedOrder(current);
    // The current cycle can have an order that was sent before, and that nobody tried to charge within a week.
    const unpaidPosition =
      !current.skipped && next.index !== current.index
        ? orders.positionAt(world.cycles(), current.index)
        : undefined;
    const result = await accepted(one, () => world.sendNow(formatIsoInstant(next.expectedMs)), REFUSED_NOW);
    const changed = changedCycles(result?.before ?? [], world.cycles());
    if (changed.length === 0) return;
    expect([next.index, current.index]).toEqual(expect.arrayContaining(changed.map(({ index }) => index)));
    if (next.index !== current.index) for (const cycles of [gaps, sentCycles]) cycles.add(next.index);
    // The order comes in place of the skipped one, which can no longer be restored, or of the unpaid one.
    const place =
      unpaidPosition === undefined
        ? ({ to: position - skippedBefore, replaces: takesPlaceOfSkipped ? 'skipped' : 'none' } as const)
        : ({ to: unpaidPosition, replaces: 'unpaid' } as const);
    orders.sendNow(position, place, nextOrder()?.expectedMs ?? 0);
    touchFormers();
  }

  async function runOtherApp({ edit, order, at }: Named<'other app'>): Promise<void> {
    const before = world.cycles();
    const open = ahead()[order];
    const skipped = running().filter((each) => each.skipped)[order];
    const { otherApp } = world;
    if (edit === 'skip' && open) await otherApp.skip(open.index, true);
    else if (edit === 'restore' && skipped) await otherApp.skip(skipped.index, false);
    else if (edit === 'move' && open) await otherApp.move(open.index, instantIn(open, at));
    else if (edit === 'delete' && open) await otherApp.remove(open.index);
    else if (edit === 'delete all' && (await otherApp.removeAll())) isTracked = false;
    if (isTracked)
      follow(
        before,
        before.map(({ index }) => index),
      );
    else touchFormers();
  }

  async function wait({ ms, isWorking }: Named<'wait'>): Promise<void> {
    if (world.now() - startMs + ms > MAX_HISTORY_MS) return;
    let [before, untilMs] = [world.cycles(), await laidUntilMs()];
    await world.wait(ms, isWorking, async () => {
      // No date changes by itself up to the last one that was laid.
      const laid = before.filter(
        ({ skipped, expectedMs }) => skipped || expectedMs <= (untilMs ?? Number.POSITIVE_INFINITY),
      );
      expect(changedCycles(laid, world.cycles())).toEqual([]);
      const hasEnded = untilMs !== undefined && (await laidUntilMs()) === undefined;
      if (hasEnded && isTracked) {
        // From now on, orders come at the ends of their cycles. That may be later than listed, by less than an interval.
        orders.compare(world.cycles(), world.now(), untilMs);
        gaps.clear();
        takeOver();
      }
      await check();
      [before, untilMs] = [world.cycles(), await laidUntilMs()];
    });
  }

  async function runOne(one: Command): Promise<void> {
    if (one.name === 'wait') return wait(one);
    if (one.name === 'bank') return world.setBank(one.declines);
    if (one.name === 'postpone') return runPostpone(one);
    if (one.name === 'revert') return runRevert(one);
    if (one.name === 'interval' || one.name === 'interval on') return runInterval(one);
    if (one.name === 'resume on') return runResume(one);
    if (one.name === 'other app') return runOtherApp(one);
    if (one.name === 'send now') return runSendNow(one);
    const sent = editRequest(world, one);
    if (sent === undefined) return;
    const result = await accepted(one, sent.send, sent.refusals);
    if (result !== undefined) follow(result.before, sent.allowed);
  }

  return {
    counts,
    world,
    async run(one: Command): Promise<void> {
      await runOne(one);
      await check();
      await checkVisibleDates();
      hasOtherApp ||= one.name === 'other app';
      const external = await externalOrderChanges(world);
      if (!hasOtherApp) expect(external).toEqual([]);
    },
  };
}
