/**
 * Runs any commands on a contract's orders, in any order: no order is due before the date that a client chose for the
 * next one, every edit stays on its day or is reported as dropped, and nothing fails. The platform's own cycles decide.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoDayIn } from '../../../lib/domain/time-zone.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { propertyRuns } from '../../full-size.ts';
import { dayAfter, daysBetween, type Interval } from '../../lib/subscriptions/postpone/order-list.ts';
import { MONTHLY } from '../../world/interval-world.ts';
import { WEEKLY } from '../../world/store-world.ts';
import {
  type Command,
  createMovedDatesWorld,
  histories,
  type MovedDatesWorld,
  type SentRequest,
} from './moved-dates.ts';

const RUNS = propertyRuns(2_500);

const WEEKLY_1 = { interval: 'WEEK', intervalCount: 1 } as const;
const WEEKLY_2 = { interval: 'WEEK', intervalCount: 2 } as const;
const MONTHLY_1 = { interval: 'MONTH', intervalCount: 1 } as const;
const MONTHLY_2 = { interval: 'MONTH', intervalCount: 2 } as const;

/** Histories that once went wrong: an order moved and then passed over, one changed by two dates, one counted into the past, one moved off its date, two skipped on a day that follows. */
const FOUND: [typeof histories extends fc.Arbitrary<infer One> ? One : never][] = [
  [
    {
      contract: MONTHLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'resume on', order: 4, days: 1 },
        { name: 'interval on', interval: MONTHLY_1, order: 0, days: -7 },
        { name: 'interval', interval: MONTHLY_2 },
        { name: 'skip', order: 3 },
        { name: 'pause', days: 0 },
        { name: 'interval on', interval: MONTHLY_1, order: 0, days: 0 },
        { name: 'interval', interval: WEEKLY_1 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'interval on', interval: WEEKLY_1, order: 0, days: 1 },
        { name: 'interval', interval: { interval: 'WEEK', intervalCount: 5 } },
        { name: 'move', order: 2, days: 0 },
        { name: 'interval', interval: MONTHLY_2 },
        { name: 'interval', interval: WEEKLY_1 },
      ],
    },
  ],
  [
    {
      contract: MONTHLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'skip', order: 1 },
        { name: 'resume on', order: 0, days: 1 },
        { name: 'interval', interval: { interval: 'WEEK', intervalCount: 5 } },
        { name: 'interval on', interval: MONTHLY_1, order: 1, days: 0 },
        { name: 'resume on', order: 0, days: 0 },
        { name: 'interval', interval: WEEKLY_1 },
      ],
    },
  ],
  [
    {
      contract: MONTHLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'move', order: 0, days: -8 },
        { name: 'resume on', order: 0, days: 16 },
        { name: 'interval', interval: WEEKLY_2 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'skip', order: 1 },
        { name: 'wait', ms: 4 * 60_000 },
        { name: 'interval on', interval: MONTHLY_1, order: 3, days: 0 },
        { name: 'interval on', interval: WEEKLY_1, order: 3, days: 0 },
        { name: 'wait', ms: 4 * 60_000 },
        { name: 'interval', interval: WEEKLY_2 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'resume on', order: 0, days: 1 },
        { name: 'interval on', interval: MONTHLY_1, order: 1, days: -8 },
      ],
    },
  ],
  [
    {
      contract: MONTHLY,
      rescheduling: 'FROM_CURRENT_CYCLE',
      commands: [
        { name: 'resume on', order: 0, days: -1 },
        { name: 'interval', interval: WEEKLY_1 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'FROM_CURRENT_CYCLE',
      commands: [
        { name: 'interval on', interval: MONTHLY_2, order: 0, days: 0 },
        { name: 'move', order: 0, days: 0 },
        { name: 'interval', interval: WEEKLY_2 },
        { name: 'interval', interval: WEEKLY_1 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'resume on', order: 0, days: -1 },
        { name: 'interval', interval: { interval: 'WEEK', intervalCount: 5 } },
        { name: 'skip', order: 1 },
        { name: 'interval', interval: WEEKLY_1 },
        { name: 'interval', interval: WEEKLY_2 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'interval on', interval: WEEKLY_1, order: 0, days: 1 },
        { name: 'interval', interval: MONTHLY_2 },
        { name: 'interval on', interval: MONTHLY_2, order: 3, days: 0 },
        { name: 'restore', order: 1 },
        { name: 'interval', interval: MONTHLY_1 },
        { name: 'interval', interval: MONTHLY_2 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'resume on', order: 0, days: 1 },
        { name: 'interval', interval: { interval: 'WEEK', intervalCount: 5 } },
        { name: 'pause', days: 0 },
        { name: 'skip', order: 2 },
        { name: 'interval on', interval: WEEKLY_1, order: 0, days: 0 },
        { name: 'interval', interval: { interval: 'WEEK', intervalCount: 5 } },
      ],
    },
  ],
  [
    {
      contract: MONTHLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'interval on', interval: MONTHLY_1, order: 1, days: 1 },
        { name: 'resume on', order: 1, days: -1 },
        { name: 'interval on', interval: WEEKLY_1, order: 0, days: 0 },
      ],
    },
  ],
  [
    {
      contract: WEEKLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'move', order: 3, days: -1 },
        { name: 'resume on', order: 3, days: 0 },
        { name: 'interval', interval: MONTHLY_1 },
      ],
    },
  ],
  [
    {
      contract: MONTHLY,
      rescheduling: 'AFTER_CURRENT_CYCLE',
      commands: [
        { name: 'interval on', interval: { interval: 'WEEK', intervalCount: 5 }, order: 2, days: 0 },
        { name: 'resume on', order: 0, days: -10 },
        { name: 'interval', interval: WEEKLY_1 },
      ],
    },
  ],
  [
    {
      contract: 9_101_002,
      rescheduling: 'FROM_CURRENT_CYCLE',
      commands: [
        { name: 'resume on', order: 4, days: -11 },
        { name: 'skip', order: 4 },
        { name: 'interval', interval: MONTHLY_2 },
        { name: 'interval', interval: WEEKLY_2 },
        { name: 'interval on', interval: WEEKLY_1, order: 0, days: 0 },
      ],
    },
  ],
];

type Order = ReturnType<MovedDatesWorld['ahead']>[number];
type Dropped = { cycleIndex: number; skipped: boolean; movedTo: string | null };
type Payload = { userErrors: { code: string }[]; droppedEdits?: Dropped[]; contract?: VisibleState };
type VisibleState = { status: string; nextOrder: { date: string; cycleIndex: number } | null };

const due = ({ expectedMs }: Order) => formatIsoInstant(expectedMs);
const isOpen = ({ skipped, billed }: Order) => !skipped && !billed;
/** An order that is moved to the end of its cycle may come a second earlier, so that the move shows. */
const isDueAt = ({ expectedMs }: Order, ms: number) => expectedMs === ms || expectedMs === ms - 1_000;
const isMoved = ({ expectedMs, endMs }: Order) => expectedMs !== endMs;

test(`${RUNS.numRuns} random histories: no order before the chosen date, no edit lost untold, no failure`, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ commands, ...of }) => {
      const world = createMovedDatesWorld(of);
      const oracle = createOracle(world);
      await world.read();
      for (const one of commands) await (one.name === 'wait' ? oracle.wait(one.ms) : oracle.ask(one));
      await oracle.wait(20 * 60_000);
      await oracle.wait(DAY_MS);
      expect(world.warned).toEqual([]);
      expect(await world.openIntents()).toBe(0);
      const entries = await world.entries();
      expect(entries.filter(({ outcome }) => outcome !== 'DONE')).toEqual([]);
      expect(entries.filter(({ actor }) => actor.kind === 'UNKNOWN')).toEqual([]);
    }),
    { ...RUNS, examples: FOUND },
  );
});

/** The date that a client chose for the next order, and where that order is. */
type IntervalRequest = { readonly noteMs: number; floorMs: number };

/** Everything that a change can affect. */
function visibleStateOf({ contract: { content, cycleEdits, schedule } }: MovedDatesWorld): string {
  return JSON.stringify({ content, cycleEdits, schedule });
}

/** An order that kept its own date with a new interval: the orders after it follow from it. */
type FollowedOrder = { readonly first: Order; readonly policy: Interval };

function createOracle(world: MovedDatesWorld) {
  let intervalRequest: IntervalRequest | undefined;
  let followedOrder: FollowedOrder | undefined;
  /** The days whose orders a client has skipped. Orders of other days are skipped because of a chosen date. */
  const everSkippedDays = new Set<string>();
  /** Those of them that no chosen date has covered since. */
  const skippedDays = new Set<string>();
  const dayOf = (ms: number) => isoDayIn(world.timeZone, ms);

  function followingDay(of: FollowedOrder | undefined, { index }: Order): string | undefined {
    if (of === undefined || index < of.first.index) return undefined;
    return dayAfter(dayOf(of.first.expectedMs), of.policy, index - of.first.index);
  }

  /** Whether the day follows, up to the end of a month. */
  function isFollowing(of: FollowedOrder | undefined, order: Order, ms: number): boolean {
    const day = followingDay(of, order);
    return day !== undefined && Math.abs(daysBetween(dayOf(ms), day)) <= 2;
  }

  /**
   * Returns the date before which no order is due: as long as it is the contract's date, is in the future, and has no
   * open order before it.
   */
  function findLockedMs(): number | undefined {
    const note = Date.parse(world.contract.content.nextBillingDate ?? '');
    if (intervalRequest === undefined || note !== intervalRequest.noteMs || note <= world.now())
      return undefined;
    const { floorMs } = intervalRequest;
    return world.ahead().some((one) => isOpen(one) && one.expectedMs < floorMs) ? undefined : floorMs;
  }

  /** Includes the orders that a new interval counts into the past. */
  const early = (floorMs: number) => world.all().filter((one) => isOpen(one) && one.expectedMs < floorMs);
  const others = (orders: readonly Order[], index?: number) =>
    orders.filter((one) => one.index !== index).map((one) => [one.index, due(one), one.skipped]);

  async function wait(ms: number): Promise<void> {
    const before = others(world.all());
    world.later(ms);
    if (ms >= 240_000) await world.work();
    if (ms >= 240_000) await world.read();
    expect(others(world.all())).toEqual(before);
  }

  async function ask(one: Exclude<Command, { name: 'wait' }>): Promise<void> {
    const request = world.requestOf(one);
    if (request === undefined) return;
    // Commands never share a millisecond.
    world.later(1);
    const policyBefore = world.contract.content.billingPolicy;
    const [nowMs, displayed, before, dateLockedMs] = [
      world.now(),
      visibleStateOf(world),
      world.all(),
      findLockedMs(),
    ];
    const overdue = new Set(early(dateLockedMs ?? 0).map(({ index }) => index));
    const { payload, code } = await world.ask(request, one);
    expect([request, code]).toEqual([request, undefined]);
    const { userErrors, droppedEdits = [] } = payload as Payload;
    if (userErrors.length > 0) expect(visibleStateOf(world)).toBe(displayed);
    // A change to the current state leaves no trace, so no date was chosen.
    if (visibleStateOf(world) === displayed) return;
    const isDated = request.date !== undefined;
    const isInterval = request.name.startsWith('interval');
    if (isInterval) checkEdits({ request, before, policyBefore, droppedEdits, nowMs, dateLockedMs, isDated });
    if (isInterval && !isDated) {
      const fresh = early(dateLockedMs ?? 0).filter(({ index }) => !overdue.has(index));
      expect([request, fresh.map(due)]).toEqual([request, []]);
      clearSkipsBefore(before);
    }
    if (request.name === 'resume on' || (isInterval && isDated)) {
      const dateMs = Date.parse(request.date ?? '');
      intervalRequest = { noteMs: dateMs, floorMs: dateMs };
      for (const day of skippedDays) if (day <= dayOf(dateMs)) skippedDays.delete(day);
      const next = world.ahead().find(isOpen);
      expect([request, next && due(next)]).toEqual([request, request.date]);
    } else if (!isInterval) {
      followSkip(request, before);
      expect(others(world.all(), request.index)).toEqual(others(before, request.index));
      if (request.name === 'move') followMove(request, before);
    }
  }

  /** A moved next order that keeps its date with a new interval has no orders before it, so no skips of them either. */
  function clearSkipsBefore(before: readonly Order[]): void {
    const [next, was] = [world.ahead(), before].map((orders) =>
      orders.find((one) => isOpen(one) && one.expectedMs > world.now()),
    );
    if (!next || !was || !isMoved(was) || next.expectedMs !== was.expectedMs) return;
    for (const day of skippedDays) if (day < dayOf(next.expectedMs)) skippedDays.delete(day);
  }

  function followSkip({ name, index }: SentRequest, before: readonly Order[]): void {
    const order = before.find((one) => one.index === index);
    const day = dayOf(order?.expectedMs ?? 0);
    if (name === 'restore') skippedDays.delete(day);
    if (name !== 'skip') return;
    for (const days of [everSkippedDays, skippedDays]) days.add(day);
    // A moved order that is skipped loses its date: when it is restored, it comes on the day that follows from the first order.
    const regularDay = order && followingDay(followedOrder, order);
    if (regularDay !== undefined) everSkippedDays.add(regularDay);
  }

  /** The chosen order goes where it is moved. */
  function followMove({ index }: SentRequest, before: readonly Order[]): void {
    const order = world.all().find((one) => one.index === index);
    const was = before.find((one) => one.index === index);
    if (intervalRequest !== undefined && order && was?.expectedMs === intervalRequest.floorMs)
      intervalRequest.floorMs = order.expectedMs;
  }

  type Change = {
    readonly request: SentRequest;
    readonly before: readonly Order[];
    readonly policyBefore: Interval;
    readonly droppedEdits: readonly Dropped[];
    readonly nowMs: number;
    readonly dateLockedMs: number | undefined;
    readonly isDated: boolean;
  };

  /**
   * Checks that each future skip and move is unchanged, was reported as dropped, or belongs to an order before the
   * date.
   */
  function checkEdits({
    request,
    before,
    policyBefore,
    droppedEdits,
    nowMs,
    dateLockedMs,
    isDated,
  }: Change): void {
    const now = world.all();
    const dateMs = isDated ? Date.parse(request.date ?? '') : undefined;
    const floorMs = dateMs ?? dateLockedMs ?? 0;
    // No order comes on the day of a skip that is before all of them.
    const comesMs = Math.max(floorMs, world.ahead().find(isOpen)?.expectedMs ?? 0);
    const recorded = (one: Order) =>
      droppedEdits.some(({ cycleIndex, skipped }) => cycleIndex === one.index && skipped === one.skipped);
    const former = followedOrder;
    const policy = world.contract.content.billingPolicy;
    const next = now.find((one) => isOpen(one) && one.expectedMs > nowMs);
    const isSame =
      policyBefore.interval === policy.interval && policyBefore.intervalCount === policy.intervalCount;
    const isFollowed = next !== undefined && (!isDated || former !== undefined);
    if (!isSame) followedOrder = isFollowed ? { first: next, policy } : undefined;
    const lay = before.filter(
      (one) =>
        !one.billed &&
        one.expectedMs > nowMs &&
        (one.skipped || (isMoved(one) && (isSame || !isFollowing(former, one, one.expectedMs)))),
    );
    const isOnDay = (one: Order, ms: number) =>
      [one.endMs, one.expectedMs].some((at) => dayOf(at) === dayOf(ms)) ||
      isFollowing(followedOrder, one, ms);
    /** The platform sets no date on a skipped order. If the orders follow from another one, that one gives its day. */
    const skippedMs = (one: Order) => {
      const day = followingDay(former, one);
      return day === undefined ? [one.expectedMs] : [one.expectedMs, Date.parse(`${day}T12:00:00Z`)];
    };
    const isOnDayOf = (other: Order, one: Order) => skippedMs(one).some((ms) => isOnDay(other, ms));
    const isThere = (one: Order) =>
      now.some((other) =>
        one.skipped
          ? other.skipped && isOnDayOf(other, one)
          : !other.skipped && isDueAt(other, one.expectedMs),
      );
    // The visible next order may stay the next one.
    const visibleMs = before.find((one) => isOpen(one) && one.expectedMs > nowMs)?.expectedMs ?? 0;
    const nextMs = isDated ? floorMs : visibleMs;
    // The order that gets the date no longer comes on the one to which it was moved before.
    const isOfDate = (one: Order) =>
      dateMs !== undefined &&
      (one === before.find((order) => isOpen(order) && order.expectedMs > nowMs && order.endMs >= dateMs) ||
        now.some(
          ({ startMs, endMs, expectedMs }) =>
            expectedMs === dateMs && startMs <= one.expectedMs && one.expectedMs <= endMs,
        ));
    const lost = lay.filter(
      (one) =>
        !isThere(one) &&
        !recorded(one) &&
        (!one.skipped || skippedDays.has(dayOf(one.expectedMs))) &&
        one.expectedMs >= (one.skipped ? comesMs : floorMs) &&
        !isOfDate(one),
    );
    expect([request, lost.map(due)]).toEqual([request, []]);
    const wasSkipped = (one: Order) => skippedMs(one).some((ms) => everSkippedDays.has(dayOf(ms)));
    const unmade = lay.filter((one) => one.skipped && recorded(one) && !wasSkipped(one));
    expect([request, unmade.map(due)]).toEqual([request, []]);
    // A skip that was named as dropped has ended, also if a later change skips another order of that day.
    for (const one of lay) if (one.skipped && recorded(one)) skippedDays.delete(dayOf(one.expectedMs));
    const strays = now.filter(
      (one) =>
        !one.billed &&
        one.expectedMs > nowMs &&
        one.endMs >= Math.max(nextMs, dateLockedMs === undefined ? floorMs : comesMs) &&
        (one.skipped
          ? !lay.some((edit) => edit.skipped && isOnDayOf(one, edit)) &&
            !(one.startMs <= floorMs && floorMs <= one.endMs)
          : isMoved(one) &&
            !isFollowing(followedOrder, one, one.expectedMs) &&
            one.expectedMs !== floorMs &&
            one.expectedMs !== nextMs &&
            !before.some((each) => !each.skipped && isDueAt(one, each.expectedMs))),
    );
    expect([request, strays.map((one) => [one.skipped, due(one)])]).toEqual([request, []]);
  }

  return { ask, wait };
}
