/** Several postponements in a row: no order comes twice, and an undo is offered exactly while it is possible. */
import { describe, expect, test } from '@jest/globals';
import { createPostponementWorld, FIRST, ID, postpone, REVERT } from '../postponement/postponement-world.ts';

type World = ReturnType<typeof createPostponementWorld>;

const skip = (index: number, value: boolean) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}, skip: ${value}) { userErrors { code } } }`;

async function codesOf({ send }: World, query: string): Promise<string[]> {
  const { payload } = await send('customer', query);
  return (payload.userErrors as { code: string }[]).map(({ code }) => code);
}

/** The days that an app displays for the cycles from the current one on. A cycle without an order has none. */
async function daysOf({ send }: World): Promise<(string | undefined)[]> {
  const { payload } = await send(
    'customer',
    `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 5) { nodes { orderDate skipped } } } }`,
  );
  const nodes = payload.billingCycles.nodes as { orderDate: string | null; skipped: boolean }[];
  return nodes.map(({ orderDate, skipped }) => orderDate?.slice(0, 10).concat(skipped ? ' skipped' : ''));
}

async function isUndoOffered({ send }: World): Promise<boolean> {
  const query = `{ subscriptionContract(id: "${ID}") { postponement { revertableUntil } } }`;
  return typeof (await send('customer', query)).payload.postponement?.revertableUntil === 'string';
}

/** Postpones the order of the 9th of December to these days, one after another. */
async function createPostponedWorld(...days: readonly string[]): Promise<World> {
  const world = createPostponementWorld();
  let date = FIRST;
  for (const day of days) {
    const { payload } = await world.send('customer', postpone(date, day));
    expect(payload.userErrors).toEqual([]);
    date = payload.contract.nextOrder.date;
  }
  return world;
}

async function expectUndone(world: World, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    // The customer's share of points is full again.
    world.later(60_000);
    expect(await isUndoOffered(world)).toBe(true);
    expect(await codesOf(world, REVERT)).toEqual([]);
  }
  expect([await isUndoOffered(world), world.edits()]).toEqual([false, {}]);
}

describe('an order that was postponed by a whole interval in two steps', () => {
  const STEPS = ['2026-12-16', '2027-01-09'];
  const DAYS = [undefined, '2027-01-09', '2027-02-09', '2027-03-09', '2027-04-09'];

  test('has no order on its former day, and none can be restored there', async () => {
    const world = await createPostponedWorld(...STEPS);
    expect(await daysOf(world)).toEqual(DAYS);
    expect(await codesOf(world, skip(4, false))).toEqual(['ORDER_IS_POSTPONED']);
    expect(await daysOf(world)).toEqual(DAYS);
    await expectUndone(world, 2);
  });

  test('is restored in place of its later day, and the undo is no longer offered', async () => {
    const world = await createPostponedWorld(...STEPS);
    expect(await codesOf(world, skip(5, true))).toEqual([]);
    expect(await codesOf(world, skip(4, false))).toEqual([]);
    expect(await codesOf(world, skip(5, false))).toEqual(['ORDER_IS_POSTPONED']);
    expect(await isUndoOffered(world)).toBe(false);
    expect(await codesOf(world, REVERT)).toEqual(['CHANGED_SINCE']);
    expect(await daysOf(world)).toEqual(['2026-12-09', '2027-01-09 skipped', ...DAYS.slice(2)]);
  });

  test('has no order on its former day after it is postponed further, and after that is undone', async () => {
    const world = await createPostponedWorld(...STEPS, '2027-01-20');
    const days = [undefined, undefined, '2027-01-20', '2027-02-20', '2027-03-20'];
    expect(await daysOf(world)).toEqual(days);
    for (const index of [4, 5])
      expect(await codesOf(world, skip(index, false))).toEqual(['ORDER_IS_POSTPONED']);
    expect(await codesOf(world, REVERT)).toEqual([]);
    expect(await daysOf(world)).toEqual(DAYS);
    expect(await codesOf(world, skip(4, false))).toEqual(['ORDER_IS_POSTPONED']);
    await expectUndone(world, 2);
  });
});

test('an order that was postponed by a whole interval twice has no order on either former day', async () => {
  const world = await createPostponedWorld('2027-01-09', '2027-02-09');
  expect(await daysOf(world)).toEqual([undefined, undefined, '2027-02-09', '2027-03-09', '2027-04-09']);
  for (const index of [4, 5])
    expect(await codesOf(world, skip(index, false))).toEqual(['ORDER_IS_POSTPONED']);
  await expectUndone(world, 2);
});

test('the second of two undos is offered while the first one leaves it possible', async () => {
  const world = await createPostponedWorld('2026-12-16', '2026-12-20');
  for (const isSkipped of [true, false]) {
    expect(await codesOf(world, skip(7, isSkipped))).toEqual([]);
    expect(await isUndoOffered(world)).toBe(!isSkipped);
  }
  await expectUndone(world, 2);
});

test.each([
  ['after one postponement', ['2026-12-16'], 6, '2026-12-20'],
  ['after one by a whole interval and another one', ['2027-01-09', '2027-01-16'], 7, '2027-01-20'],
])(
  'a postponement is not undone once an order that was skipped before it is restored %s',
  async (_case, earlier, index, to) => {
    const world = await createPostponedWorld(...earlier);
    expect(await codesOf(world, skip(index, true))).toEqual([]);
    const from = `${earlier.at(-1)}T10:00:00Z`;
    expect(await codesOf(world, postpone(from, to))).toEqual([]);
    expect(await isUndoOffered(world)).toBe(true);
    expect(await codesOf(world, skip(index, false))).toEqual([]);
    const days = await daysOf(world);
    expect(await isUndoOffered(world)).toBe(false);
    expect(await codesOf(world, REVERT)).toEqual(['CHANGED_SINCE']);
    expect(await daysOf(world)).toEqual(days);
    expect(await codesOf(world, skip(index, true))).toEqual([]);
    expect(await isUndoOffered(world)).toBe(true);
    expect(await codesOf(world, REVERT)).toEqual([]);
  },
);
