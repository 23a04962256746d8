/**
 * Whatever is asked of a contract's orders, in any order: nothing is due before the date that a client chose for the next one,
 * every edit stays on its day or is told as dropped, and nothing fails. The platform's own cycles decide.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, isoInstant } from '../../../infra/emulators/platform/state/instant.ts';
import { isoDayIn } from '../../../lib/domain/time-zone.ts';
import { propertyRuns } from '../../full-size.ts';
import { MONTHLY, WEEKLY } from '../world/interval-world.ts';
import {
  type Asked,
  type Command,
  createKeptDatesWorld,
  histories,
  type KeptDatesWorld,
} from './kept-dates.ts';

const RUNS = propertyRuns(2_500);

const WEEKLY_1 = { interval: 'WEEK', intervalCount: 1 } as const;
const WEEKLY_2 = { interval: 'WEEK', intervalCount: 2 } as const;
const MONTHLY_1 = { interval: 'MONTH', intervalCount: 1 } as const;

/** Histories that once went wrong: an order moved and then passed over, one changed by two dates, one counted into the past, one moved off its date. */
const FOUND: [typeof histories extends fc.Arbitrary<infer One> ? One : never][] = [
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
        { name: 'interval on', interval: { ...MONTHLY_1, intervalCount: 2 }, order: 0, days: 0 },
        { name: 'move', order: 0, days: 0 },
        { name: 'interval', interval: WEEKLY_2 },
        { name: 'interval', interval: WEEKLY_1 },
      ],
    },
  ],
];

type Order = ReturnType<KeptDatesWorld['ahead']>[number];
type Dropped = { cycleIndex: number; skipped: boolean; movedTo: string | null };
type Payload = { userErrors: { code: string }[]; droppedEdits?: Dropped[]; contract?: Shown };
type Shown = { status: string; nextOrder: { date: string; cycleIndex: number } | null };

const due = ({ expectedMs }: Order) => isoInstant(expectedMs);
const isOpen = ({ skipped, billed }: Order) => !skipped && !billed;
const isMoved = ({ expectedMs, endMs }: Order) => expectedMs !== endMs;

test(`${RUNS.numRuns} random histories: no order before the chosen date, no edit lost untold, no failure`, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ commands, ...of }) => {
      const world = createKeptDatesWorld(of);
      const oracle = createOracle(world);
      await world.look();
      for (const one of commands) await (one.name === 'wait' ? oracle.wait(one.ms) : oracle.ask(one));
      await oracle.wait(20 * 60_000);
      await oracle.wait(dayMs);
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
type Wish = { readonly noteMs: number; floorMs: number };

/** All that a change can change. */
function shownBy({ contract: { content, cycleEdits, schedule } }: KeptDatesWorld): string {
  return JSON.stringify({ content, cycleEdits, schedule });
}

function createOracle(world: KeptDatesWorld) {
  let wish: Wish | undefined;

  /** None is due before that: as long as the date is the contract's, lies ahead, and no order before it is to come. */
  function heldMs(): number | undefined {
    const note = Date.parse(world.contract.content.nextBillingDate ?? '');
    if (wish === undefined || note !== wish.noteMs || note <= world.now()) return undefined;
    const { floorMs } = wish;
    return world.ahead().some((one) => isOpen(one) && one.expectedMs < floorMs) ? undefined : floorMs;
  }

  /** Also those of a new interval that are counted into the past. */
  const early = (floorMs: number) => world.all().filter((one) => isOpen(one) && one.expectedMs < floorMs);
  const others = (orders: readonly Order[], index?: number) =>
    orders.filter((one) => one.index !== index).map((one) => [one.index, due(one), one.skipped]);

  async function wait(ms: number): Promise<void> {
    const before = others(world.all());
    world.later(ms);
    if (ms >= 240_000) await world.work();
    if (ms >= 240_000) await world.look();
    expect(others(world.all())).toEqual(before);
  }

  async function ask(one: Exclude<Command, { name: 'wait' }>): Promise<void> {
    const asked = world.askedOf(one);
    if (asked === undefined) return;
    // Nobody does two things in a millisecond.
    world.later(1);
    const [nowMs, shown, before, held] = [world.now(), shownBy(world), world.all(), heldMs()];
    const overdue = new Set(early(held ?? 0).map(({ index }) => index));
    const { payload, code } = await world.ask(asked, one);
    expect([asked, code]).toEqual([asked, undefined]);
    const { userErrors, droppedEdits = [] } = payload as Payload;
    if (userErrors.length > 0) expect(shownBy(world)).toBe(shown);
    // What was so already leaves no trace: nothing was chosen.
    if (shownBy(world) === shown) return;
    const isDated = asked.date !== undefined && world.contract.content.status === 'ACTIVE';
    const isInterval = asked.name.startsWith('interval');
    if (isInterval) checkEdits({ asked, before, droppedEdits, nowMs, heldMs: held, isDated });
    if (isInterval && !isDated) {
      const fresh = early(held ?? 0).filter(({ index }) => !overdue.has(index));
      expect([asked, fresh.map(due)]).toEqual([asked, []]);
    }
    if (asked.name === 'resume on' || (isInterval && isDated)) {
      const dateMs = Date.parse(asked.date ?? '');
      wish = { noteMs: dateMs, floorMs: dateMs };
      const next = world.ahead().find(isOpen);
      expect([asked, next && due(next)]).toEqual([asked, asked.date]);
    } else if (!isInterval) {
      expect(others(world.all(), asked.index)).toEqual(others(before, asked.index));
      if (asked.name === 'move') followMove(asked, before);
    }
  }

  /** The chosen order goes where it is moved. */
  function followMove({ index }: Asked, before: readonly Order[]): void {
    const order = world.all().find((one) => one.index === index);
    const was = before.find((one) => one.index === index);
    if (wish !== undefined && order && was?.expectedMs === wish.floorMs) wish.floorMs = order.expectedMs;
  }

  type Change = {
    readonly asked: Asked;
    readonly before: readonly Order[];
    readonly droppedEdits: readonly Dropped[];
    readonly nowMs: number;
    readonly heldMs: number | undefined;
    readonly isDated: boolean;
  };

  /** Each skip and each move that lay ahead is where it was, was told, or is of an order before the date. */
  function checkEdits({ asked, before, droppedEdits, nowMs, heldMs: held, isDated }: Change): void {
    const dayOf = (ms: number) => isoDayIn(world.timeZone, ms);
    const now = world.all();
    const dateMs = isDated ? Date.parse(asked.date ?? '') : undefined;
    const floorMs = dateMs ?? held ?? 0;
    // No order comes on the day of a skip that is before all of them.
    const comesMs = Math.max(floorMs, world.ahead().find(isOpen)?.expectedMs ?? 0);
    const lay = before.filter(
      (one) => !one.billed && one.expectedMs > nowMs && (one.skipped || isMoved(one)),
    );
    const told = (one: Order) =>
      droppedEdits.some(({ cycleIndex, skipped }) => cycleIndex === one.index && skipped === one.skipped);
    const isThere = (one: Order) =>
      now.some((other) =>
        one.skipped
          ? other.skipped && [other.endMs, other.expectedMs].some((ms) => dayOf(ms) === dayOf(one.expectedMs))
          : !other.skipped && other.expectedMs === one.expectedMs,
      );
    // What was shown as the next order may stay that.
    const shownMs = before.find((one) => isOpen(one) && one.expectedMs > nowMs)?.expectedMs ?? 0;
    const nextMs = isDated ? floorMs : shownMs;
    const isOfDate = (one: Order) =>
      dateMs !== undefined &&
      now.some(
        ({ startMs, endMs, expectedMs }) =>
          expectedMs === dateMs && startMs <= one.expectedMs && one.expectedMs <= endMs,
      );
    const lost = lay.filter(
      (one) =>
        !isThere(one) && !told(one) && one.expectedMs >= (one.skipped ? comesMs : floorMs) && !isOfDate(one),
    );
    expect([asked, lost.map(due)]).toEqual([asked, []]);
    const strays = now.filter(
      (one) =>
        !one.billed &&
        one.expectedMs > nowMs &&
        one.endMs >= Math.max(nextMs, held === undefined ? floorMs : comesMs) &&
        (one.skipped
          ? !lay.some(
              (edit) =>
                edit.skipped &&
                [one.endMs, one.expectedMs].some((ms) => dayOf(ms) === dayOf(edit.expectedMs)),
            ) && !(one.startMs <= floorMs && floorMs <= one.endMs)
          : isMoved(one) &&
            one.expectedMs !== floorMs &&
            one.expectedMs !== nextMs &&
            !lay.some(({ expectedMs }) => expectedMs === one.expectedMs)),
    );
    expect([asked, strays.map((one) => [one.skipped, due(one)])]).toEqual([asked, []]);
  }

  return { ask, wait };
}
