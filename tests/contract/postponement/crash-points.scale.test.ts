/**
 * The changes of order dates, whose process ends before and after each table write and each platform request, or whose
 * edits the platform refuses one by one. After the scheduled work, one of the two states holds, reported once.
 */
import { describe, expect, test } from '@jest/globals';
import { selectStreamFrom, toStreamRecord } from '../../../lib/storage/stream/stream-record.ts';
import { listCyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { FIRST, ID, postpone, REVERT, sendNow } from './postponement-world.ts';
import { createSteppedWorld, isRead, type OnStep, type Step, type StepFault } from './stepped-world.ts';

type World = ReturnType<typeof createSteppedWorld>;
type Operation = {
  readonly action: string;
  /** Until then, both states have the same number of orders. */
  readonly until: string;
  readonly prepare: (world: World) => Promise<unknown>;
  /** What happens after the crash, before the scheduled work runs. */
  readonly since?: (world: World) => Promise<unknown>;
  readonly run: (world: World, onStep?: OnStep) => ReturnType<World['runStepped']>;
};

const mutationOf =
  (query: string): Operation['run'] =>
  (world, onStep) =>
    world.runStepped((process) => world.send('customer', query, process.asFunction), onStep);
const postponed = (world: World) => world.send('customer', postpone(FIRST, '2026-12-16'));
const LAID = '2026-12-16T10:00:00Z';
/** On the day before the order's first date, it can be charged. */
const aDayBefore = async (world: World) => world.at('2026-12-08T12:00:00Z', []);
const charge = (world: World) =>
  world.send(
    'store',
    `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${ID}", billingCycleSelector: { index: 4 }) { userErrors { code } } }`,
  );

const OPERATIONS: Readonly<Record<string, Operation>> = {
  postponement: {
    action: 'orders_postponed',
    until: '2027-01-20',
    prepare: async () => undefined,
    run: mutationOf(postpone(FIRST, '2026-12-16')),
  },
  revert: {
    action: 'orders_postponement_reverted',
    until: '2027-01-20',
    prepare: postponed,
    run: mutationOf(REVERT),
  },
  'send now': {
    action: 'billing_cycle_rescheduled',
    until: '2027-01-20',
    prepare: postponed,
    run: mutationOf(sendNow(LAID)),
  },
  'second postponement in the cycle of the order': {
    action: 'orders_postponed',
    until: '2027-01-01',
    prepare: postponed,
    run: mutationOf(postpone(LAID, '2027-01-03')),
  },
  'send now in the cycle of the order': {
    action: 'billing_cycle_rescheduled',
    until: '2027-01-20',
    prepare: async () => undefined,
    run: mutationOf(sendNow(FIRST)),
  },
  'postponement before a charge': {
    action: 'orders_postponed',
    until: '2027-01-20',
    prepare: aDayBefore,
    run: mutationOf(postpone(FIRST, '2026-12-16')),
    since: charge,
  },
  'revert before a charge': {
    action: 'orders_postponement_reverted',
    until: '2027-01-20',
    prepare: async (world) => {
      await aDayBefore(world);
      await postponed(world);
    },
    run: mutationOf(REVERT),
    since: charge,
  },
  'send now before a charge': {
    action: 'billing_cycle_rescheduled',
    until: '2027-01-20',
    prepare: async (world) => {
      await aDayBefore(world);
      await postponed(world);
    },
    run: mutationOf(sendNow(LAID)),
    since: charge,
  },
  extension: {
    action: 'orders_postponement_extended',
    until: '2028-07-01',
    prepare: async (world) => {
      await postponed(world);
      world.at('2027-05-17T12:00:00Z', [5, 6, 7, 8, 9, 10]);
    },
    run: (world, onStep) => world.runStepped((process) => world.runWork(process), onStep),
  },
};

/** The dates of the orders that come, by cycle. */
function comingOrders({ contract }: World): Record<number, string> {
  const coming = listCyclesBetween(contract, 4, 26).filter(({ skipped }) => !skipped);
  return Object.fromEntries(coming.map(({ index, expectedMs }) => [index, formatIsoInstant(expectedMs)]));
}

async function reports(world: World, action: string) {
  const entries = (await world.entries()).filter((entry) => entry.action === action);
  const { items } = await world.table.query(selectStreamFrom(world.ref.shopId));
  const reported = items
    .map(toStreamRecord)
    .flatMap(({ entry }) => (entry?.action === action ? [entry] : []));
  const events = reported.map(({ number, part }) => `${number} ${part}`);
  return {
    outcomes: [...new Set(entries.map(({ outcome }) => outcome))],
    // A refused date of an extension is reported by the extension that sets it.
    changes: entries.flatMap(({ changes }) => changes.map(({ field }) => field)).sort(),
    isOnce: new Set(events).size === events.length && events.length >= entries.length,
  };
}

async function prepared({ prepare }: Operation): Promise<World> {
  const world = createSteppedWorld();
  await prepare(world);
  await world.place();
  world.later(1);
  return world;
}

type Point = { readonly step: Step; readonly fault: StepFault };

function pointsOf(steps: readonly Step[]): Point[] {
  return steps
    .filter((step) => !isRead(step))
    .flatMap((step) => [
      { step, fault: { crash: 'before' } as const },
      { step, fault: { crash: 'after' } as const },
      ...Array.from({ length: step.edits }, (_, edit) => ({ step, fault: { refusedEdit: edit + 1 } })),
    ]);
}

function ordersUntil(orders: Readonly<Record<number, string>>, until: string): number {
  return Object.values(orders).filter((date) => date < until).length;
}

describe.each(Object.entries(OPERATIONS))('an interrupted %s', (name, operation) => {
  test('leaves one of the two states, reported once, and no order twice', async () => {
    const reference = await prepared(operation);
    const before = comingOrders(reference);
    const nothing = await reports(reference, operation.action);
    const { steps } = await operation.run(reference);
    const after = comingOrders(reference);
    await reference.place();
    const expected = await reports(reference, operation.action);
    expect(expected).toMatchObject({ outcomes: ['DONE'], isOnce: true });
    const { until } = operation;
    const maximum = Math.max(ordersUntil(before, until), ordersUntil(after, until));
    const left = { before: 0, after: 0 };
    const points = pointsOf(steps);
    for (const { step, fault } of points) {
      const point = `${JSON.stringify(fault)} at ${step.name} (${step.count})`;
      const world = await prepared(operation);
      const startMs = world.now();
      await operation.run(world, ({ count }) => (count === step.count ? fault : undefined));
      const count = ordersUntil(comingOrders(world), until);
      expect([point, count <= maximum]).toEqual([point, true]);
      await operation.since?.(world);
      for (let runs = 0; runs < 3; runs += 1) await world.runWork();
      // A refused extension is tried again a day later.
      if (world.now() - startMs < DAY_MS) world.later(DAY_MS);
      await world.runWork();
      const orders = shifted(comingOrders(world), before, after);
      const isAfter = JSON.stringify(orders) === JSON.stringify(after);
      expect([point, orders]).toEqual([point, isAfter ? after : before]);
      left[isAfter ? 'after' : 'before'] += 1;
      const reported = await reports(world, operation.action);
      expect([point, reported]).toEqual([point, isAfter ? expected : nothing]);
    }
    console.info(`${name}: ${points.length} points, ${JSON.stringify(left)}`);
    // An extension is always made in the end.
    expect([left.before > 0, left.after > 0]).toEqual([name !== 'extension', true]);
  });
});

test('an interrupted extension that never runs again leaves each order on its date or at the end of its cycle', async () => {
  const { extension } = OPERATIONS;
  if (extension === undefined) throw new Error('no extension');
  const reference = await prepared(extension);
  const before = comingOrders(reference);
  const { steps } = await extension.run(reference);
  const after = comingOrders(reference);
  for (const { step, fault } of pointsOf(steps)) {
    const world = await prepared(extension);
    await extension.run(world, ({ count }) => (count === step.count ? fault : undefined));
    const orders = comingOrders(world);
    expect(Object.keys(orders)).toEqual(Object.keys(before));
    for (const [index, date] of Object.entries(orders)) {
      expect([before[Number(index)], after[Number(index)]]).toContain(date);
    }
    const [count, fewest] = [ordersUntil(orders, extension.until), ordersUntil(before, extension.until)];
    expect([fewest, fewest + 1]).toContain(count);
  }
});

/** An order that is sent now comes five minutes after its request, whenever that was. */
function shifted(
  orders: Record<number, string>,
  before: Readonly<Record<number, string>>,
  after: Readonly<Record<number, string>>,
): Record<number, string> {
  const [day, expected] = [orders[4]?.slice(0, 10), after[4]];
  return expected !== undefined && before[4] === undefined && day === expected.slice(0, 10)
    ? { ...orders, 4: expected }
    : orders;
}
