/** Resuming with a date moves the next order itself: the platform's `nextBillingDate` does not move orders. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ItemKey, Table } from '../../../../lib/storage/table.ts';
import {
  findCycleByIndex,
  listCyclesBetween,
  RESCHEDULING_KINDS,
  type ReschedulingRule,
} from '../../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { UNPUBLISHED_BEHAVIOURS } from '../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { createMonth } from '../../../../tools/capacity/assumptions.ts';
import { appendNow } from '../../../appending.ts';
import { NOW_MS } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createIntervalWorld, current, cyclesOf, PLAN } from '../../../world/interval-world.ts';
import { dayAfter, type Interval } from '../postpone/order-list.ts';

const ACTIVATE = `mutation ($contractId: ID!, $date: DateTime) {
  subscriptionContractActivate(subscriptionContractId: $contractId, nextBillingDate: $date) {
    contract { status nextBillingDate nextOrder { date cycleIndex } } userErrors { code field }
  }
}`;
const date = (days: number) => formatIsoInstant(NOW_MS + days * DAY_MS);

let world: ReturnType<typeof createIntervalWorld>;
beforeEach(() => {
  world = createIntervalWorld({ table: createMemoryTable() });
  world.contract.content.status = 'PAUSED';
});
const activate = (days: number) => world.ask(ACTIVATE, { date: date(days) });

/** Returns the date of the first order that is neither skipped nor paid. */
function nextOrder() {
  const next = cyclesOf(world.contract, 60).find(({ skipped, billed }) => !skipped && !billed);
  return next && formatIsoInstant(next.expectedMs);
}

describe('the order is on the date', () => {
  test.each([1, 20, 55])('%i days ahead: orders before it are skipped, those after it stay', async (days) => {
    const { payload } = await activate(days);
    expect(payload).toMatchObject({
      contract: { status: 'ACTIVE', nextBillingDate: date(days), nextOrder: { date: date(days) } },
      userErrors: [],
    });
    expect([nextOrder(), world.contract.content.nextBillingDate]).toEqual([date(days), date(days)]);
    const after = findCycleByIndex(world.contract, payload.contract.nextOrder.cycleIndex + 1);
    expect([after?.edited, after?.skipped]).toEqual([false, false]);
    await activate(days);
    // The second one found all as it asked.
    expect(await world.timeline()).toEqual(['subscription_resumed DONE']);
  });

  test('restores a skipped order that the date belongs to', async () => {
    world.edit(2, { skipped: true });
    await activate(20);
    expect(nextOrder()).toBe(date(20));
  });

  test('refuses the date of an order that is paid already before anything is changed', async () => {
    world.contract.billedCycles.push(current(world.contract).index);
    const { payload } = await activate(1);
    expect(payload.userErrors).toEqual([{ code: 'OUT_OF_BOUNDS', field: ['nextBillingDate'] }]);
    expect([await world.timeline(), world.contract.content.status]).toEqual([[], 'PAUSED']);
  });
});

/** Returns the orders' changes that an entry records, with their values before and after. */
function recordedMovesOf(before: ReturnType<typeof ordersNow>) {
  const now = ordersNow();
  return Object.keys(now).flatMap((field) =>
    now[field] === before[field] ? [] : [`${field} ${before[field]} → ${now[field]}`],
  );
}
function ordersNow(): Record<string, string> {
  const facts = cyclesOf(world.contract, 20).flatMap(({ index, skipped, expectedMs }) => [
    [`billingCycles.${index}.skipped`, `${skipped}`],
    [`billingCycles.${index}.billingAttemptExpectedDate`, formatIsoInstant(expectedMs)],
  ]);
  return Object.fromEntries(facts);
}
async function recordedMoves(): Promise<string[]> {
  const facts = (await world.entries()).flatMap(({ changes }) => changes);
  return facts
    .filter(({ field }) => field.startsWith('billingCycles.'))
    .map(({ field, before, after }) => `${field} ${before} → ${after}`);
}

describe('each order that changes is told with the change, and none that does not', () => {
  const changes = {
    'a contract is resumed': (days: number) => activate(days),
    'an active one gets a date': (days: number) => {
      world.contract.content.status = 'ACTIVE';
      return activate(days);
    },
    'its interval is set with a date': (days: number) => {
      world.contract.content.status = 'ACTIVE';
      return world.change({ interval: { interval: 'WEEK', intervalCount: 1 }, date: date(days) });
    },
  };
  /** Days ahead: the date is another than an order has, or is its own, so that only those before it change. */
  const ownDate = () => (cyclesOf(world.contract, 4)[3]?.expectedMs ?? 0) - NOW_MS;
  const cases = Object.keys(changes).flatMap((name) =>
    ['another date', 'its own date', 'its own, and it was skipped'].map(
      (variant) => [name, variant] as const,
    ),
  );
  const run = async (name: string, variant: string) => {
    const days = variant === 'another date' ? 20 : ownDate() / DAY_MS;
    if (variant.endsWith('skipped')) world.edit(3, { skipped: true });
    const before = ordersNow();
    const { code } = await changes[name as keyof typeof changes](days);
    return { before, code };
  };

  test.each(cases)('%s, %s', async (name, variant) => {
    const { before } = await run(name, variant);
    const recorded = await recordedMoves();
    expect(recorded.length).toBeGreaterThan(0);
    expect(recorded.sort()).toEqual(recordedMovesOf(before).sort());
  });

  test.each(cases)('%s, %s, and it breaks off before or after the move', async (name, variant) => {
    for (const kind of ['lost before', 'lost after'] as const) {
      world = createIntervalWorld({ table: createMemoryTable() });
      world.contract.content.status = 'PAUSED';
      world.fail({ kind, at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
      world.fail({ kind: 'lost before', at: '_svcUpToDate', times: 9 });
      const { before } = await run(name, variant);
      world.clearFaults();
      await world.settle();
      expect((await recordedMoves()).sort()).toEqual(recordedMovesOf(before).sort());
      expect((await world.timeline()).map((one) => one.split(' ')[1])).toEqual(['DONE']);
    }
  });
});

describe('the date stays that of the next order under another interval', () => {
  const FORTNIGHT: Interval = { interval: 'WEEK', intervalCount: 2 };
  const WEEK: Interval = { interval: 'WEEK', intervalCount: 1 };
  const MONTH: Interval = { interval: 'MONTH', intervalCount: 1 };
  const YEAR: Interval = { interval: 'YEAR', intervalCount: 1 };
  // A key may set intervals that no plan has.
  const change = (interval: object) => world.change({ interval }, 'store');
  // A rarer interval takes skips of weekly orders more than a year ahead.
  let editReach: (typeof UNPUBLISHED_BEHAVIOURS.editReach)[number];
  /** `daysOf` returns the chosen date after the first interval is set, in days from now. */
  const begin = async (rescheduling: ReschedulingRule, { first = WEEK, daysOf = (): number => 100 } = {}) => {
    world = createIntervalWorld({ table: createMemoryTable(), rescheduling });
    world.shop().unpublished.editReach = editReach;
    await change(first);
    world.contract.content.status = 'PAUSED';
    const days = daysOf();
    const { payload } = await activate(days);
    expect(payload.contract.nextOrder.date).toBe(date(days));
  };
  /** Orders that can be charged before the date, also those that are counted into the past. */
  const early = (from: number, days: number) =>
    listCyclesBetween(world.contract, from, from + 80)
      .filter(({ skipped, billed }) => !skipped && !billed)
      .map(({ expectedMs }) => formatIsoInstant(expectedMs))
      .filter((due) => due < date(days));

  const ways = RESCHEDULING_KINDS.flatMap((way) =>
    UNPUBLISHED_BEHAVIOURS.editReach.map((reach) => [way, reach] as const),
  );
  describe.each(ways)('counted %s, with edits as far as: %s', (rescheduling, reach) => {
    beforeEach(() => {
      editReach = reach;
    });

    test.each([
      ['every two weeks, then weekly', FORTNIGHT, WEEK],
      ['weekly, then monthly', WEEK, MONTH],
      ['monthly, then weekly', MONTH, WEEK],
      ['weekly, then yearly', WEEK, YEAR],
    ])('%s: no order comes before it, and nothing is dropped', async (_name, first, next) => {
      await begin(rescheduling, { first });
      const from = current(world.contract).index;
      const { payload } = await change(next);
      expect([payload.userErrors, payload.droppedEdits]).toEqual([[], []]);
      expect([nextOrder(), early(from, 100)]).toEqual([date(100), []]);
      // The orders after it follow by the interval.
      const after = cyclesOf(world.contract, 40).filter(
        ({ expectedMs }) => formatIsoInstant(expectedMs) > date(100),
      );
      const [following] = after.map(({ expectedMs }) => formatIsoInstant(expectedMs).slice(0, 10));
      // An order more than a year ahead gets its day later.
      const day = next === YEAR ? following : dayAfter(date(100).slice(0, 10), next, 1);
      expect(following).toBe(day);
      expect(after.filter(({ skipped }) => skipped)).toEqual([]);
    });

    test('while the contract is paused again, and is resumed without a date', async () => {
      await begin(rescheduling, { first: FORTNIGHT });
      world.contract.content.status = 'PAUSED';
      await change(WEEK);
      world.contract.content.status = 'ACTIVE';
      expect(nextOrder()).toBe(date(100));
    });

    test('where it is the day of an order anyway', async () => {
      await begin(rescheduling, { first: MONTH });
      const endMs = cyclesOf(world.contract, 1)[0]?.endMs ?? 0;
      const days = (endMs - NOW_MS) / DAY_MS;
      await activate(days);
      world.contract.cycleEdits = {};
      const from = current(world.contract).index;
      await change(WEEK);
      expect([nextOrder(), early(from, days)]).toEqual([date(days), []]);
    });

    test('an order after it that was skipped by hand stays skipped', async () => {
      const daysOf = () => ((cyclesOf(world.contract, 4)[3]?.endMs ?? 0) - NOW_MS) / DAY_MS;
      await begin(rescheduling, { first: FORTNIGHT, daysOf });
      const days = daysOf();
      const { index } = current(world.contract);
      const home = cyclesOf(world.contract, 10).find(({ skipped }) => !skipped)?.index ?? 0;
      await world.skip(home - index + 1);
      const skippedOn = findCycleByIndex(world.contract, home + 1)?.endMs ?? 0;
      await change(WEEK);
      const after = cyclesOf(world.contract, 20).filter(({ endMs }) => formatIsoInstant(endMs) > date(days));
      expect(after.filter(({ skipped }) => skipped).map(({ endMs }) => endMs)).toEqual([skippedOn]);
      expect(nextOrder()).toBe(date(days));
    });

    test('an order before it that was restored by hand is the next order instead', async () => {
      await begin(rescheduling, { first: FORTNIGHT });
      await world.ask(
        'mutation ($contractId: ID!, $index: Int!) { subscriptionBillingCycleSkip(contractId: $contractId, billingCycleIndex: $index, skip: false) { userErrors { code } } }',
        { index: current(world.contract).index + 1 },
      );
      const restored = nextOrder() ?? '';
      await change(WEEK);
      expect([restored < date(100), (nextOrder() ?? '') <= restored]).toEqual([true, true]);
    });

    test.each(['lost before', 'lost after'] as const)(
      'the skips break off, %s: the scheduled work makes them',
      async (kind) => {
        await begin(rescheduling, { first: FORTNIGHT });
        const from = current(world.contract).index;
        world.fail({ kind, at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
        await change(WEEK);
        world.clearFaults();
        await world.settle();
        expect([nextOrder(), early(from, 100)]).toEqual([date(100), []]);
        expect((await world.timeline()).every((one) => one.endsWith('DONE'))).toBe(true);
      },
    );

    test('a second change before the scheduled work keeps it, too, and so does another date in between', async () => {
      for (const days of [100, 70]) {
        await begin(rescheduling, { first: FORTNIGHT });
        const from = current(world.contract).index;
        world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 2 });
        expect((await change(WEEK)).code).toBe('OUTCOME_UNKNOWN');
        world.later(1000);
        if (days === 70) {
          expect((await activate(days)).payload.userErrors).toMatchObject([{ code: 'CONCURRENT_UPDATE' }]);
          world.later(60_000);
          expect((await activate(days)).payload.userErrors).toEqual([]);
        }
        world.later(1000);
        expect((await change({ interval: 'WEEK', intervalCount: 3 })).payload.userErrors).toEqual([]);
        await world.settle();
        expect([nextOrder(), early(from, days)]).toEqual([date(days), []]);
      }
    });
  });

  test('too many orders would lie before it: refused with the day, and nothing is changed', async () => {
    await begin('AFTER_CURRENT_CYCLE', { first: FORTNIGHT });
    const before = JSON.stringify(world.contract);
    const { payload } = await change({ interval: 'DAY', intervalCount: 1 });
    expect(payload.userErrors).toMatchObject([{ code: 'OUT_OF_BOUNDS', field: ['interval'] }]);
    expect(payload.userErrors[0].message).toContain('March 1, 2027');
    expect(JSON.stringify(world.contract)).toBe(before);
  });

  test('orders that are skipped one by one choose no date', async () => {
    world = createIntervalWorld({ table: createMemoryTable(), rescheduling: 'AFTER_CURRENT_CYCLE' });
    for (const offset of [0, 1, 2]) await world.skip(offset);
    world.later(60_000);
    const { payload } = await change(FORTNIGHT);
    expect(payload.droppedEdits).toMatchObject([{ originalDate: '2026-12-02T08:00:00Z', skipped: true }]);
    expect(nextOrder()).toBe('2026-12-23T08:00:00Z');
  });
});

describe('a move that breaks off after the commit', () => {
  test.each(['lost before', 'lost after'] as const)(
    'sends the move again after the fault %s',
    async (kind) => {
      world.fail({ kind, at: 'subscriptionBillingCycleScheduleEdit' });
      const { payload } = await activate(20);
      expect([payload.userErrors, nextOrder()]).toEqual([[], date(20)]);
    },
  );

  test('finishes the move once in the scheduled work', async () => {
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    expect((await activate(20)).code).toBe('OUTCOME_UNKNOWN');
    expect(nextOrder()).not.toBe(date(20));
    world.clearFaults();
    await world.settle();
    expect(nextOrder()).toBe(date(20));
    expect(await world.timeline()).toEqual(['subscription_resumed DONE']);
  });

  test('does not overwrite a later date when it finishes an interrupted move', async () => {
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    await activate(20);
    world.clearFaults();
    await activate(26);
    await world.settle();
    expect(nextOrder()).toBe(date(26));
  });

  test('finishes the interrupted move of a new interval', async () => {
    world.contract.content.status = 'ACTIVE';
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    expect((await world.change({ plan: PLAN, date: date(20) })).code).toBe('OUTCOME_UNKNOWN');
    expect(nextOrder()).not.toBe(date(20));
    world.clearFaults();
    await world.settle();
    expect(nextOrder()).toBe(date(20));
    expect(await world.timeline()).toEqual(['subscription_interval_updated DONE']);
    const skipped = cyclesOf(world.contract, 20).filter((cycle) => cycle.skipped);
    expect((await recordedMoves()).filter((recorded) => recorded.includes('skipped'))).toEqual(
      skipped.map(({ index }) => `billingCycles.${index}.skipped false → true`),
    );
  });
});

const PAUSE = `mutation ($contractId: ID!, $date: DateTime!) {
  subscriptionContractPause(subscriptionContractId: $contractId, until: $date) { userErrors { code } }
}`;

test('no change writes more scheduled tasks than the simulation takes, until it has its place in the stream', async () => {
  let writes = 0;
  const memory = createMemoryTable();
  const counted = <T extends ItemKey>(item: T): T => {
    if (/^DUE#[a-z-]+#/.test(item.pk)) writes++;
    return item;
  };
  const counting: Table = {
    ...memory,
    put: (item, condition) => memory.put(counted(item), condition),
    delete: (key, condition) => memory.delete(counted(key), condition),
  };
  world = createIntervalWorld({ table: counting });
  const changes = {
    pause: () => world.ask(PAUSE, { date: date(9) }),
    resumption: () => activate(20),
    interval: () => world.change({ interval: { interval: 'WEEK', intervalCount: 2 }, date: date(30) }),
    skip: () => world.skip(4),
  };
  const counts = new Map<string, number>();
  for (const [name, change] of Object.entries(changes)) {
    writes = 0;
    const { payload } = await change();
    expect([name, payload.userErrors]).toEqual([name, []]);
    world.later(DAY_MS / 24);
    await appendNow({ table: counting, now: () => world.platform.holder.nowMs });
    counts.set(name, writes);
  }
  // A resumption on another date: the intent is opened, added to and removed, and so is the pause's end.
  expect(Math.max(...counts.values())).toBe(createMonth().changeDueWrites);
  expect(counts.get('resumption')).toBe(createMonth().changeDueWrites);
});
