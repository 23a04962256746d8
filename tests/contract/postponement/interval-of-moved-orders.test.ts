/** A new interval for a contract whose orders were postponed or moved: each order comes once, and none too early. */
import { describe, expect } from '@jest/globals';
import {
  listCyclesBetween,
  RESCHEDULING_KINDS,
  type ReschedulingRule,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { test } from '../world/contract-test.ts';
import { createPostponementWorld, FIRST, failDocument, ID, postpone, sendNow } from './postponement-world.ts';
import { createSteppedWorld } from './stepped-world.ts';

type World = ReturnType<typeof createPostponementWorld>;

function createWorld(rescheduling: ReschedulingRule): World {
  const world = createPostponementWorld();
  Object.assign(world.platform.store(), { rescheduling });
  return world;
}

async function send(world: World, mutation: string): Promise<void> {
  const { payload } = await world.send('store', `mutation { ${mutation} { userErrors { code } } }`);
  expect(payload.userErrors).toEqual([]);
}

const postponeFirst = async (world: World, to = '2026-12-16') =>
  expect((await world.send('store', postpone(FIRST, to))).payload.userErrors).toEqual([]);
const move = (world: World, index: number, to: string) =>
  send(
    world,
    `subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: ${index}, billingDate: "${to}")`,
  );
const changeInterval = (world: World, interval: string, date?: string) =>
  send(
    world,
    `subscriptionContractIntervalUpdate(contractId: "${ID}", interval: ${interval}${date ? `, nextBillingDate: "${date}"` : ''})`,
  );

/** The days of the next three orders. */
function nextDays({ contract, now }: World): string[] {
  return listCyclesBetween(contract, 1, 40)
    .filter(({ skipped, billed, expectedMs }) => !skipped && !billed && expectedMs > now())
    .slice(0, 3)
    .map(({ expectedMs }) => formatIsoInstant(expectedMs).slice(0, 10));
}

/** The days of the orders that the list shows as skipped. */
async function skippedDays(world: World): Promise<string[]> {
  const { payload } = await world.send(
    'customer',
    `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 12) { nodes { skipped orderDate } } } }`,
  );
  const { nodes } = payload.billingCycles as {
    nodes: readonly { readonly skipped: boolean; readonly orderDate: string | null }[];
  };
  return nodes.flatMap(({ skipped, orderDate }) => (skipped && orderDate ? [orderDate.slice(0, 10)] : []));
}

/** Skips the order of this day. */
async function skipOrderOf(world: World, day: string): Promise<void> {
  const order = listCyclesBetween(world.contract, 1, 40).find(({ expectedMs }) =>
    formatIsoInstant(expectedMs).startsWith(day),
  );
  await send(world, `subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${order?.index})`);
}

const WEEKLY = '{ interval: WEEK, intervalCount: 1 }';

describe('a new interval with a date', () => {
  test('brings a postponed order that was moved once, on that date', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    await postponeFirst(world);
    await move(world, 5, '2026-12-17T10:00:00Z');
    await changeInterval(world, WEEKLY, '2026-12-15T10:00:00Z');
    expect(nextDays(world)).toEqual(['2026-12-15', '2026-12-22', '2026-12-29']);
  });

  test('brings an order that was moved once, on that date', async () => {
    const world = createWorld('FROM_CURRENT_CYCLE');
    await move(world, 4, '2026-12-03T10:00:00Z');
    await changeInterval(world, WEEKLY, '2026-11-28T10:00:00Z');
    expect(nextDays(world)).toEqual(['2026-11-28', '2026-12-07', '2026-12-14']);
  });

  test('brings a postponed order once after another new interval was interrupted', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    await postponeFirst(world, '2026-12-20');
    failDocument(world, 1, { kind: 'lost before' });
    const interrupted = `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: MONTH, intervalCount: 2 }) { userErrors { code } } }`;
    expect((await world.send('store', interrupted)).code).toBe('OUTCOME_UNKNOWN');
    world.later(60_000);
    await changeInterval(world, WEEKLY, '2026-12-11T10:00:00Z');
    expect(nextDays(world)).toEqual(['2026-12-11', '2026-12-18', '2026-12-25']);
  });

  test('skips no order after that date when two other dates were chosen just before', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    for (const date of ['2027-01-10T10:00:00Z', '2027-01-08T10:00:00Z'])
      await send(
        world,
        `subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "${date}")`,
      );
    await changeInterval(world, WEEKLY, '2026-12-09T10:00:00Z');
    expect(nextDays(world)).toEqual(['2026-12-09', '2026-12-16', '2026-12-23']);
  });

  test('leaves a later order on the date to which it was moved', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    await postponeFirst(world);
    await move(world, 6, '2027-01-11T10:00:00Z');
    await changeInterval(world, '{ interval: WEEK, intervalCount: 2 }', '2026-12-15T10:00:00Z');
    expect(nextDays(world)).toEqual(['2026-12-15', '2026-12-29', '2027-01-11']);
  });
});

describe.each(RESCHEDULING_KINDS)(
  'a new interval of an order that was postponed by a whole interval (%s)',
  (rescheduling) => {
    const TWO_WEEKS = '{ interval: WEEK, intervalCount: 2 }';

    test.each([
      [WEEKLY, ['2027-01-09', '2027-01-16', '2027-01-23']],
      [TWO_WEEKS, ['2027-01-09', '2027-01-23', '2027-02-06']],
      ['{ interval: MONTH, intervalCount: 2 }', ['2027-01-09', '2027-03-09', '2027-05-09']],
    ])('keeps its date: %s', async (interval, days) => {
      const world = createWorld(rescheduling);
      await postponeFirst(world, '2027-01-09');
      await changeInterval(world, interval);
      expect(nextDays(world)).toEqual(days);
    });

    test('keeps the date to which it was postponed in steps', async () => {
      const world = createWorld(rescheduling);
      await postponeFirst(world, '2026-12-20');
      const second = postpone('2026-12-20T10:00:00Z', '2027-01-09');
      expect((await world.send('store', second)).payload.userErrors).toEqual([]);
      await changeInterval(world, TWO_WEEKS);
      expect(nextDays(world)).toEqual(['2027-01-09', '2027-01-23', '2027-02-06']);
    });

    test('keeps its date after the change was interrupted', async () => {
      const world = createWorld(rescheduling);
      await postponeFirst(world, '2027-01-09');
      failDocument(world, 1, { kind: 'lost before' });
      const change = `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: ${TWO_WEEKS}) { userErrors { code } } }`;
      expect((await world.send('store', change)).code).toBe('OUTCOME_UNKNOWN');
      world.clearFaults();
      await world.runWork();
      expect(nextDays(world)).toEqual(['2027-01-09', '2027-01-23', '2027-02-06']);
    });

    test('keeps its date, and skips the order of each day that was skipped', async () => {
      const world = createWorld(rescheduling);
      await postponeFirst(world, '2027-01-09');
      await changeInterval(world, TWO_WEEKS);
      await skipOrderOf(world, '2027-01-23');
      expect(nextDays(world)).toEqual(['2027-01-09', '2027-02-06', '2027-02-20']);
      // No order is due within 48 hours then.
      world.at('2026-11-25T12:00:00Z', []);
      await changeInterval(world, WEEKLY);
      expect(nextDays(world)).toEqual(['2027-01-09', '2027-01-16', '2027-01-30']);
    });

    test('shows no order before it, and names its date before the change', async () => {
      const world = createWorld(rescheduling);
      await postponeFirst(world, '2027-01-09');
      const dryRun = await world.send(
        'store',
        `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: ${TWO_WEEKS}, dryRun: true) { preview { date } userErrors { code } } }`,
      );
      expect(dryRun.payload).toEqual({ preview: { date: '2027-01-09T10:00:00Z' }, userErrors: [] });
      await changeInterval(world, TWO_WEEKS);
      const { payload } = await world.send(
        'customer',
        `{ subscriptionContractDetails(contractId: "${ID}") { contract { nextOrder { date } } billingCycles(first: 8) { nodes { orderDate } } } }`,
      );
      expect(payload.contract.nextOrder.date).toBe('2027-01-09T10:00:00Z');
      const dates = payload.billingCycles.nodes.flatMap(
        ({ orderDate }: { orderDate: string | null }) => orderDate ?? [],
      );
      expect(dates[0]).toBe('2027-01-09T10:00:00Z');
    });
  },
);

describe.each(RESCHEDULING_KINDS)('a new interval of an order that was moved (%s)', (rescheduling) => {
  test.each([
    [WEEKLY, ['2026-12-28', '2027-01-04', '2027-01-11']],
    ['{ interval: WEEK, intervalCount: 2 }', ['2026-12-28', '2027-01-11', '2027-01-25']],
    ['{ interval: MONTH, intervalCount: 2 }', ['2026-12-28', '2027-02-28', '2027-04-28']],
  ])('keeps its date, and shows no order before it as skipped: %s', async (interval, days) => {
    const world = createWorld(rescheduling);
    await skipOrderOf(world, '2026-12-09');
    await move(world, 5, '2026-12-28T10:00:00Z');
    await changeInterval(world, interval);
    expect([nextDays(world), await skippedDays(world)]).toEqual([days, []]);
  });

  test('keeps its date after an order that was sent now', async () => {
    const world = createWorld(rescheduling);
    world.at('2026-12-01T08:00:00Z', [4]);
    await move(world, 5, '2027-01-05T10:00:00Z');
    await changeInterval(world, WEEKLY);
    expect([nextDays(world), await skippedDays(world)]).toEqual([
      ['2027-01-05', '2027-01-12', '2027-01-19'],
      [],
    ]);
  });
});

test.each(
  RESCHEDULING_KINDS.flatMap((rescheduling) =>
    [WEEKLY, '{ interval: WEEK, intervalCount: 2 }', '{ interval: MONTH, intervalCount: 2 }'].map(
      (interval) => [rescheduling, interval] as const,
    ),
  ),
)(
  'a new interval keeps the date of the order after one that was sent early and paid (%s, %s)',
  async (rescheduling, interval) => {
    const world = createWorld(rescheduling);
    world.at('2026-11-25T08:00:00Z', []);
    await move(world, 4, '2026-11-25T10:00:00Z');
    world.at('2026-11-26T08:00:00Z', [4]);
    const query = `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: ${interval}) { droppedEdits { movedTo } userErrors { code } } }`;
    const dryRun = query.replace(') { droppedEdits { movedTo }', ', dryRun: true) { preview { date }');
    const { preview } = (await world.send('store', dryRun)).payload;
    expect((await world.send('store', query)).payload).toEqual({ droppedEdits: [], userErrors: [] });
    // The paid cycle may end on that day by the longest interval.
    expect(preview.date).toBe(interval.includes('MONTH') ? null : '2027-01-09T10:00:00Z');
    expect([nextDays(world)[0], await skippedDays(world)]).toEqual(['2027-01-09', []]);
  },
);

describe('an order that was moved to the end of its cycle', () => {
  /** The days on which the list shows the orders. */
  async function visibleDays(world: World, until: string): Promise<string[]> {
    const { payload } = await world.send(
      'customer',
      `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 30) { nodes { orderDate } } } }`,
    );
    const nodes: { readonly orderDate: string | null }[] = payload.billingCycles.nodes;
    const days = nodes.flatMap(({ orderDate }) => orderDate?.slice(0, 10) ?? []);
    return days.filter((day) => day <= until);
  }

  /** Later, the move is no concurrent change. */
  async function changeIntervalLater(world: World, interval: string): Promise<void> {
    world.later(60_000);
    await changeInterval(world, interval);
  }

  test('stays on its day when that is the end of its new cycle', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    await move(world, 4, '2026-12-03T10:00:00Z');
    await move(world, 5, '2027-01-06T10:00:00Z');
    await changeIntervalLater(world, WEEKLY);
    const days = ['2026-12-03', '2026-12-10', '2026-12-17', '2026-12-24', '2027-01-06', '2027-01-07'];
    expect(await visibleDays(world, '2027-01-08')).toEqual(days);
    await changeIntervalLater(world, '{ interval: WEEK, intervalCount: 2 }');
    expect(await visibleDays(world, '2027-01-08')).toEqual(['2026-12-03', '2026-12-17', '2027-01-06']);
  });

  test('stays on its day with a new interval after a postponement', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    await postponeFirst(world);
    await move(world, 6, '2027-02-09');
    expect(await visibleDays(world, '2027-02-28')).toEqual(['2026-12-16', '2027-02-09', '2027-02-16']);
    await changeIntervalLater(world, '{ interval: WEEK, intervalCount: 2 }');
    const days = ['2026-12-16', '2026-12-30', '2027-01-13', '2027-01-27', '2027-02-09'];
    expect(await visibleDays(world, '2027-02-10')).toEqual(days);
  });

  test('stays on its day when the orders around it get their dates later', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    await move(world, 4, '2026-12-03T10:00:00Z');
    await move(world, 8, '2027-04-07T10:00:00Z');
    await changeIntervalLater(world, WEEKLY);
    const days = async () => (await visibleDays(world, '2027-04-10')).slice(-3);
    expect(await days()).toEqual(['2027-03-25', '2027-04-07', '2027-04-08']);
    world.at('2027-02-01T12:00:00Z', [4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await world.runWork()).toBe(1);
    expect(await days()).toEqual(['2027-03-25', '2027-04-07', '2027-04-08']);
  });

  test('stays on its day when it was moved among the orders that get their dates later', async () => {
    const world = createWorld('AFTER_CURRENT_CYCLE');
    await changeIntervalLater(world, WEEKLY);
    await postponeFirst(world, '2026-12-11');
    await move(world, 20, '2027-03-31');
    expect((await visibleDays(world, '2027-04-15')).slice(-3)).toEqual([
      '2027-03-31',
      '2027-04-02',
      '2027-04-09',
    ]);
  });
});

test('a new interval keeps no date to which another app has moved an order more than a year ahead', async () => {
  const world = createWorld('FROM_CURRENT_CYCLE');
  const { contract } = world;
  const policy = { interval: 'YEAR' as const, intervalCount: 2, anchors: [] };
  contract.schedule = [{ fromIndex: 1, startAt: contract.createdAt, policy }];
  contract.content.billingPolicy = { ...contract.content.billingPolicy, ...policy };
  contract.content.deliveryPolicy = { ...contract.content.deliveryPolicy, ...policy };
  contract.billedCycles = [];
  contract.cycleEdits = { 1: { skipped: false, billingDate: '2028-03-01T10:00:00Z', contract: null } };
  await changeInterval(world, WEEKLY);
  expect(nextDays(world)).toEqual(['2026-11-22', '2026-11-29', '2026-12-06']);
});

test.each(RESCHEDULING_KINDS)(
  'a new interval after an order was postponed by a whole interval, sent now and paid brings the next one on its date (%s)',
  async (rescheduling) => {
    const world = createPostponementWorld({ sendNow: 'MOVE' });
    Object.assign(world.platform.store(), { rescheduling });
    await postponeFirst(world, '2027-01-09');
    const sent = await world.send('store', sendNow('2027-01-09T10:00:00Z'));
    expect(sent.payload.userErrors).toEqual([]);
    world.at('2026-11-30T12:00:00Z', [4]);
    await changeInterval(world, WEEKLY);
    expect([nextDays(world), await skippedDays(world)]).toEqual([
      ['2027-02-09', '2027-02-16', '2027-02-23'],
      [],
    ]);
  },
);

test('a new interval of an order that was postponed by a whole interval skips the orders of the skipped days only', async () => {
  const world = createWorld('AFTER_CURRENT_CYCLE');
  await changeInterval(world, WEEKLY);
  await postponeFirst(world);
  for (const day of ['2026-12-23', '2026-12-30']) await skipOrderOf(world, day);
  await changeInterval(world, '{ interval: WEEK, intervalCount: 2 }');
  expect(nextDays(world)).toEqual(['2026-12-16', '2027-01-13', '2027-01-27']);
});

test('a new interval whose paid cycle covers the date of the next order brings it at the beginning of the next cycle', async () => {
  const world = createWorld('FROM_CURRENT_CYCLE');
  await postponeFirst(world);
  // The order of 16 December is paid. Its cycle would end on 9 January, and ends on 9 February then.
  world.at('2026-12-20T12:00:00Z', [5]);
  await changeInterval(world, '{ interval: MONTH, intervalCount: 2 }');
  expect(nextDays(world)).toEqual(['2027-02-09', '2027-04-09', '2027-06-09']);
});

test.each(RESCHEDULING_KINDS)(
  'a new interval refuses a date that its paid cycle may cover, and names the earliest one (%s)',
  async (rescheduling) => {
    const world = createWorld(rescheduling);
    await postponeFirst(world);
    world.at('2026-12-20T12:00:00Z', [5]);
    const change = (date: string) =>
      world.send(
        'store',
        `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: MONTH, intervalCount: 2 }, nextBillingDate: "${date}") {
          userErrors { code details { earliest } } } }`,
      );
    const { payload } = await change('2027-01-20T10:00:00Z');
    expect(payload.userErrors).toEqual([
      { code: 'OUT_OF_BOUNDS', details: { earliest: '2027-02-09T10:00:02Z' } },
    ]);
    expect((await change('2027-02-09T10:00:02Z')).payload.userErrors).toEqual([]);
    expect(nextDays(world)[0]).toBe('2027-02-09');
  },
);

test('a new interval just after an order was skipped and restored gives it the date of its new cycle', async () => {
  const world = createWorld('AFTER_CURRENT_CYCLE');
  world.platform.store().unpublished.skippedDates = 'dropped';
  await postponeFirst(world);
  for (const skip of [true, false])
    await send(
      world,
      `subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 6, skip: ${skip})`,
    );
  await changeInterval(world, '{ interval: WEEK, intervalCount: 3 }');
  expect(nextDays(world)).toEqual(['2026-12-16', '2027-01-06', '2027-01-27']);
});

test('a new interval and a resumption with a date are not made at the same time, so that skipped orders stay skipped', async () => {
  const world = createSteppedWorld();
  await postponeFirst(world);
  const resumption = `mutation { subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "2026-12-28T10:00:00Z") { userErrors { code } } }`;
  const refusals: unknown[] = [];
  await world.runStepped(
    ({ asFunction }) => world.send('store', resumption, asFunction),
    async ({ edits }) => {
      if (edits === 0) return undefined;
      const { payload } = await world.send(
        'store',
        `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: ${WEEKLY}) { userErrors { code } } }`,
      );
      refusals.push(...payload.userErrors);
      return undefined;
    },
  );
  expect(refusals).toEqual([{ code: 'CONCURRENT_UPDATE' }]);
  expect(nextDays(world)).toEqual(['2026-12-28', '2027-01-16', '2027-02-16']);
});
