/** Changing the interval of a contract: with every kind of fault, and for both behaviours of a platform. */
import { describe, expect, test } from '@jest/globals';
import { RESCHEDULING_KINDS } from '../../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { describeOperation } from '../../../contract/world/operation-cases.ts';
import { NOW_MS } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { intervalCase } from '../../../world/interval-operation.ts';
import { createIntervalWorld, orders, PLAN, policiesOf } from '../../../world/interval-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
type Json = any;

const FORTNIGHT = { interval: 'WEEK', intervalCount: 2 };
const MONTH = { interval: 'MONTH', intervalCount: 1 };

describeOperation('subscriptionContractIntervalUpdate', intervalCase);

test('a plan, a date and skips at once: nine requests for a customer, and a repeat is none', async () => {
  const world = createIntervalWorld({ table: createMemoryTable() });
  world.edit(1, { skipped: true });
  world.edit(2, { skipped: true });
  const date = formatIsoInstant(NOW_MS + 20 * DAY_MS);
  const { payload, sent } = await world.change({ plan: PLAN, date });
  expect(payload).toMatchObject({
    contract: { billingPolicy: FORTNIGHT },
    droppedEdits: [{ originalDate: '2026-12-02T08:00:00Z', skipped: true, movedTo: null }],
    userErrors: [],
  });
  expect(sent).toHaveLength(9);
  const { content } = world.contract;
  expect([content.nextBillingDate, content.lines[0]?.sellingPlanName]).toEqual([date, 'Every 2 weeks']);
  expect(orders(world.contract, 3)).toEqual(['-2026-11-25', '-2026-12-09', '>2026-12-11']);
  const again = await world.change({ plan: PLAN, date });
  expect([again.payload.userErrors, again.payload.droppedEdits, again.sent.length]).toEqual([[], [], 2]);
  expect(await world.timeline()).toHaveLength(1);
});

describe.each(RESCHEDULING_KINDS)('skips and moves, where a new interval counts %s', (rescheduling) => {
  const begin = (contract?: number) =>
    createIntervalWorld({ table: createMemoryTable(), rescheduling, ...(contract && { contract }) });
  const isAfter = rescheduling === 'AFTER_CURRENT_CYCLE';

  test('are at their dates afterwards, or told as dropped; nothing else is skipped or moved', async () => {
    const world = begin();
    expect(orders(world.contract, 5)).toEqual([
      '2026-11-25',
      '2026-12-02',
      '2026-12-09',
      '2026-12-16',
      '2026-12-23',
    ]);
    await world.skip(1);
    await world.skip(2);
    await world.move(3, '2026-12-14');
    await world.move(3, '2026-12-13');
    world.edit(4, { date: '2026-12-20' });
    const { payload } = await world.change({ interval: FORTNIGHT });
    expect(payload.userErrors).toEqual([]);
    const dropped = payload.droppedEdits.map(
      ({ cycleIndex, reason, ...edit }: { cycleIndex: number; reason: string }) => edit,
    );
    const skip = (date: string) => ({
      originalDate: `${date}T08:00:00Z`,
      skipped: true,
      movedTo: null,
      reasonCode: 'NO_ORDER_THAT_DAY',
    });
    const lost = {
      originalDate: null,
      skipped: false,
      movedTo: '2026-12-20T08:00:00Z',
      reasonCode: 'OUTSIDE_ORDER',
    };
    if (isAfter) {
      expect(orders(world.contract, 4)).toEqual(['2026-11-25', '-2026-12-09', '>2026-12-13', '2027-01-06']);
      expect(dropped).toEqual([skip('2026-12-02'), lost]);
    } else {
      expect(orders(world.contract, 4)).toEqual(['-2026-12-02', '>2026-12-13', '>2026-12-20', '2027-01-13']);
      expect(dropped).toEqual([skip('2026-12-09')]);
    }
    expect(await world.timeline()).toEqual([
      'billing_cycle_skipped DONE',
      'billing_cycle_skipped DONE',
      'billing_cycle_rescheduled DONE',
      'billing_cycle_rescheduled DONE',
      'subscription_interval_updated DONE',
    ]);
  });

  test('a dropped move has the date before the first move, where this service made it', async () => {
    const world = begin();
    await world.move(1, '2026-12-01');
    await world.move(1, '2026-11-30');
    await world.move(2, '2026-12-07');
    await world.move(2, '2026-12-08');
    const { payload } = await world.change({ interval: MONTH });
    expect(payload.droppedEdits).toMatchObject([
      { originalDate: '2026-12-09T08:00:00Z', movedTo: '2026-12-08T08:00:00Z', skipped: false },
    ]);
    expect(orders(world.contract, 2)[isAfter ? 1 : 0]).toBe('>2026-11-30');
  });

  test('a process that dies between the steps: the scheduled work puts them back, and settles one entry', async () => {
    const world = begin();
    world.edit(2, { skipped: true });
    world.edit(3, { date: '2026-12-14' });
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 2 });
    expect(await world.change({ interval: MONTH })).toMatchObject({ code: 'OUTCOME_UNKNOWN', payload: null });
    expect(world.contract.content.billingPolicy.interval).toBe('MONTH');
    expect(await world.timeline()).toEqual([]);
    expect(await world.settle()).toBe(1);
    expect(orders(world.contract, 3)).toEqual(
      isAfter ? ['2026-11-25', '>2026-12-14', '2027-01-25'] : ['>2026-12-14', '2027-01-18', '2027-02-18'],
    );
    expect(await world.timeline()).toEqual(['subscription_interval_updated DONE']);
    expect(await world.settle()).toBe(0);
  });

  test('a lost answer to the second step is read again: everything is done, and told', async () => {
    const world = begin();
    world.edit(2, { skipped: true });
    world.edit(3, { date: '2026-12-14' });
    world.fail({ kind: 'lost after', at: 'subscriptionBillingCycleScheduleEdit' });
    const { payload, code } = await world.change({ interval: FORTNIGHT });
    expect(code).toBeUndefined();
    expect(payload.droppedEdits).toHaveLength(isAfter ? 0 : 1);
    expect(await world.timeline()).toEqual(['subscription_interval_updated DONE']);
  });

  test('a skip that comes while the interval changes is not carried to another order', async () => {
    const world = begin();
    world.edit(5, { skipped: true });
    // The draft is open already: the skip is of the old order of 9 December.
    rightBefore(world, 'subscriptionDraftUpdate', async () => void (await world.skip(2)));
    const { payload } = await world.change({ interval: FORTNIGHT });
    expect(payload.userErrors).toEqual([]);
    expect(skips(world)).toEqual(isAfter ? ['-2026-12-09'] : ['-2026-12-30']);
    expect(payload.droppedEdits).toMatchObject([
      isAfter ? { originalDate: '2026-12-30T08:00:00Z' } : { originalDate: '2026-12-09T08:00:00Z' },
    ]);
  });
});

test('two changes at once: the second starts again, and the skips are where they were asked for', async () => {
  const world = createIntervalWorld({ table: createMemoryTable() });
  world.edit(2, { skipped: true });
  rightBefore(world, 'subscriptionDraftCommit', async () => {
    await world.change({ interval: MONTH }, 'store');
  });
  const { payload } = await world.change({ interval: FORTNIGHT }, 'store');
  expect(payload.userErrors).toEqual([]);
  expect(policiesOf(world.contract)).toEqual(['2 WEEK', '2 WEEK']);
  expect(orders(world.contract, 4)).toEqual(['2026-11-25', '-2026-12-09', '2026-12-23', '2027-01-06']);
  expect(payload.droppedEdits).toEqual([]);
});

test.each(RESCHEDULING_KINDS)(
  'a change that broke off, then another one, counted %s: the skips are where they were asked for',
  async (rescheduling) => {
    const world = createIntervalWorld({ table: createMemoryTable(), rescheduling });
    world.edit(2, { skipped: true });
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 2 });
    expect((await world.change({ interval: MONTH }, 'store')).code).toBe('OUTCOME_UNKNOWN');
    // The platform has carried the skip of 9 December to January, and the customer skips another order.
    world.later(60_000);
    await world.skip(1);
    world.later(60_000);
    const skipped = orders(world.contract, 4).filter((order) => order.startsWith('-'));
    expect(skipped).toHaveLength(2);
    const { payload } = await world.change({ interval: { interval: 'WEEK', intervalCount: 1 } }, 'store');
    const remaining = orders(world.contract, 14).filter((order) => order.startsWith('-'));
    const all = [
      ...remaining,
      ...payload.droppedEdits.map(({ originalDate }: Json) => `-${originalDate.slice(0, 10)}`),
    ];
    expect(all.sort()).toEqual(['-2026-12-09', skipped[0]].sort());
  },
);

describe('a skip that comes while a change is made that breaks off', () => {
  const WEEK = { interval: 'WEEK', intervalCount: 1 };
  const EDIT = 'subscriptionBillingCycleScheduleEdit';
  const LOST = { kind: 'lost before', at: EDIT, times: 2 } as const;

  test('is at its date after another change, though nothing was skipped before the first', async () => {
    const world = createIntervalWorld({ table: createMemoryTable() });
    rightBefore(world, 'subscriptionDraftUpdate', async () => {
      await world.skip(2);
      world.fail(LOST);
    });
    expect((await world.change({ interval: FORTNIGHT }, 'store')).code).toBe('OUTCOME_UNKNOWN');
    await world.change({ interval: WEEK }, 'store');
    expect(skips(world)).toEqual(['-2026-12-09']);
  });

  test('is at its date when the scheduled work is done, though it was begun before the change', async () => {
    const world = createIntervalWorld({ table: createMemoryTable() });
    const [isOpen, isSkipped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let change: ReturnType<typeof world.change> | undefined;
    rightBefore(world, EDIT, async () => {
      change = world.change({ interval: FORTNIGHT });
      await isOpen.promise;
    });
    rightBefore(world, 'subscriptionDraftUpdate', async () => {
      isOpen.resolve();
      await isSkipped.promise;
    });
    await world.skip(2);
    world.fail(LOST);
    isSkipped.resolve();
    expect((await change)?.code).toBe('OUTCOME_UNKNOWN');
    await world.settle();
    expect(skips(world)).toEqual(['-2026-12-09']);
  });
});

test('a change that broke off, then one that was not made: the scheduled work puts the skips back', async () => {
  const world = createIntervalWorld({ table: createMemoryTable() });
  world.edit(2, { skipped: true });
  world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 2 });
  expect((await world.change({ interval: FORTNIGHT }, 'store')).code).toBe('OUTCOME_UNKNOWN');
  world.later(60_000);
  world.fail({ kind: 'lost before', at: 'subscriptionDraftCommit' });
  expect((await world.change({ interval: MONTH }, 'store')).code).toBe('OUTCOME_UNKNOWN');
  expect(skips(world)).not.toEqual(['-2026-12-09']);
  expect(await world.settle()).toBe(2);
  expect(skips(world)).toEqual(['-2026-12-09']);
});

type IntervalWorld = ReturnType<typeof createIntervalWorld>;

function skips({ contract }: IntervalWorld): string[] {
  return orders(contract, 8).filter((order) => order.startsWith('-'));
}

/** Does this once, before the first request with this root field reaches the platform. */
function rightBefore({ platform }: IntervalWorld, root: string, act: () => Promise<void>): void {
  const { send } = platform;
  let isDone = false;
  platform.send = async (...args) => {
    if (!isDone && args[0].includes(root)) {
      isDone = true;
      await act();
    }
    return send(...args);
  };
}

describe('the scheduled work leaves the orders alone', () => {
  async function brokenOff() {
    const world = createIntervalWorld({ table: createMemoryTable() });
    world.edit(2, { skipped: true });
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 2 });
    expect((await world.change({ interval: MONTH }, 'store')).code).toBe('OUTCOME_UNKNOWN');
    return world;
  }

  test('where the interval has been changed again meanwhile, there and back', async () => {
    const world = await brokenOff();
    await world.change({ interval: FORTNIGHT }, 'store');
    await world.change({ interval: MONTH }, 'store');
    world.contract.cycleEdits = {};
    world.edit(2, { skipped: true });
    const before = orders(world.contract);
    await world.settle();
    expect(orders(world.contract)).toEqual(before);
  });

  test('where another app has changed the interval meanwhile', async () => {
    const world = await brokenOff();
    world.contract.content.billingPolicy.intervalCount = 2;
    world.edit(3, { skipped: true });
    const before = orders(world.contract);
    await world.settle();
    expect(orders(world.contract)).toEqual(before);
  });

  test('where the contract has ended: nothing can be put back, and the intent is settled', async () => {
    const world = await brokenOff();
    world.contract.content.status = 'CANCELLED';
    const before = orders(world.contract);
    expect(await world.settle()).toBe(1);
    expect(orders(world.contract)).toEqual(before);
    expect(await world.settle()).toBe(0);
  });
});

holdsRights();
