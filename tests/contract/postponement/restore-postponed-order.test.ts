/** Restoring an order that a postponement skipped: in place of the later order, never beside it. */
import { describe, expect } from '@jest/globals';
import type { CycleEdit } from '../../../sandbox/platform/state/contract-records.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { test } from '../world/contract-test.ts';
import { isInterleaved } from '../world/interleaved.ts';
import { externalOrderChanges } from './external-order-changes.ts';
import { createPostponementWorld, FIRST, ID, postpone, REVERT, sendNow } from './postponement-world.ts';
import { createSteppedWorld } from './stepped-world.ts';

const POSTPONED = '2026-12-16T10:00:00Z';
type World = ReturnType<typeof createPostponementWorld>;

const skip = (index: number, value: boolean) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}, skip: ${value}) {
    userErrors { code message } } }`;

async function codesOf({ send }: World, query: string): Promise<string[]> {
  const { payload } = await send('customer', query);
  return (payload.userErrors as { code: string }[]).map(({ code }) => code);
}

describe('an order that was postponed', () => {
  test('can be restored once the later order is skipped, and the refusal before says so', async () => {
    const world = createPostponementWorld();
    expect(await codesOf(world, postpone(FIRST, '2026-12-16'))).toEqual([]);
    const { payload } = await world.send('customer', skip(4, false));
    expect(payload.userErrors).toEqual([
      {
        code: 'ORDER_IS_POSTPONED',
        message:
          'This order was postponed to a later day. Undo the postponement, or skip the later order and then restore this one.',
      },
    ]);
    expect(await codesOf(world, skip(5, true))).toEqual([]);
    expect(await codesOf(world, skip(4, false))).toEqual([]);
    expect(world.edits()).toMatchObject({ 5: '-', 6: '2027-01-16' });
    expect(world.edits()[4]).toBeUndefined();
  });

  test.each(['2026-12-16', '2027-01-09'])(
    'comes once when it was postponed to %s, and both orders are skipped and restored',
    async (to) => {
      const world = createPostponementWorld();
      for (const change of [postpone(FIRST, to), skip(5, true), skip(4, false)])
        expect(await codesOf(world, change)).toEqual([]);
      expect(await codesOf(world, skip(5, false))).toEqual(['ORDER_IS_POSTPONED']);
      expect(world.edits()).toMatchObject({ 5: '-' });
      for (const change of [skip(4, true), skip(5, false)]) expect(await codesOf(world, change)).toEqual([]);
      expect(world.edits()).toMatchObject({ 4: '-' });
      expect(await codesOf(world, REVERT)).toEqual([]);
      expect(world.edits()).toEqual({});
    },
  );

  test('cannot be restored beside the later order after it was postponed twice', async () => {
    const world = createPostponementWorld();
    expect(await codesOf(world, postpone(FIRST, '2027-01-05'))).toEqual([]);
    expect(await codesOf(world, postpone('2027-01-05T10:00:00Z', '2027-02-01'))).toEqual([]);
    expect(world.edits()).toMatchObject({ 4: '-', 5: '-', 6: '2027-02-01' });
    expect(await codesOf(world, skip(4, false))).toEqual(['ORDER_IS_POSTPONED']);
  });

  test('can be restored after it was sent now and skipped, when the postponement can no longer be undone', async () => {
    const world = createPostponementWorld({ sendNow: 'MOVE' });
    expect(await codesOf(world, postpone(FIRST, '2026-12-16'))).toEqual([]);
    expect(await codesOf(world, sendNow(POSTPONED))).toEqual([]);
    expect(await codesOf(world, skip(4, true))).toEqual([]);
    expect(await codesOf(world, REVERT)).toEqual(['CHANGED_SINCE']);
    expect(await codesOf(world, skip(4, false))).toEqual([]);
    expect(world.edits()).toMatchObject({ 4: '2026-11-21', 5: '-' });
  });
});

const UNTIL = '2026-12-09T09:00:00Z';

async function offerOf({ send }: Pick<World, 'send'>): Promise<string | null> {
  const query = `{ subscriptionContract(id: "${ID}") { postponement { revertableUntil } } }`;
  return (await send('customer', query)).payload.postponement?.revertableUntil ?? null;
}

describe('the offer to undo a postponement', () => {
  const move = (index: number, day: string) =>
    `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: ${index}, billingDate: "${day}") { userErrors { code } } }`;

  async function createPostponedWorld(to = '2026-12-16') {
    const world = createPostponementWorld({ sendNow: 'MOVE' });
    expect(await codesOf(world, postpone(FIRST, to))).toEqual([]);
    return { ...world, offer: () => offerOf(world) };
  }

  test.each([
    ['a later order is skipped', skip(7, true)],
    ['a later order is moved', move(7, '2027-02-12')],
    ['the order is sent now', sendNow(POSTPONED)],
  ])('ends when %s, because the postponement cannot be undone then', async (_case, change) => {
    const world = await createPostponedWorld();
    expect(await world.offer()).toBe(UNTIL);
    expect(await codesOf(world, change)).toEqual([]);
    expect(await world.offer()).toBeNull();
    expect(await codesOf(world, REVERT)).toEqual(['CHANGED_SINCE']);
  });

  test.each([
    ['a skip', [skip(7, true), skip(7, false)]],
    ['a move', [move(7, '2027-02-12'), move(7, '2027-02-16')]],
  ])('comes back when %s of a later order is undone', async (_case, changes) => {
    const world = await createPostponedWorld();
    for (const change of changes) expect(await codesOf(world, change)).toEqual([]);
    expect(await world.offer()).toBe(UNTIL);
    expect(await codesOf(world, REVERT)).toEqual([]);
  });

  test('stays after a refused change, and after a change of an order that has no date yet', async () => {
    const world = await createPostponedWorld();
    expect(await codesOf(world, move(7, '2027-03-12'))).toEqual(['OUT_OF_BOUNDS']);
    expect(await codesOf(world, skip(17, true))).toEqual(['UPCOMING_CYCLE_LIMIT_EXCEEDED']);
    expect(await world.offer()).toBe(UNTIL);
  });

  test('is made for an order that was postponed by a whole interval, whose former day has no order', async () => {
    const world = await createPostponedWorld('2027-01-09');
    expect(await world.offer()).toBe(UNTIL);
    expect(await orderDatesOf(world)).toEqual([null, '2027-01-09T10:00:00Z', '2027-02-09T10:00:00Z']);
    expect(await codesOf(world, skip(4, false))).toEqual(['ORDER_IS_POSTPONED']);
    expect(await codesOf(world, REVERT)).toEqual([]);
    expect([await world.offer(), world.edits()]).toEqual([null, {}]);
  });

  test('ends when an order that was postponed by a whole interval is skipped, and the former one can be restored', async () => {
    const world = await createPostponedWorld('2027-01-09');
    expect(await codesOf(world, skip(5, true))).toEqual([]);
    expect(await codesOf(world, skip(4, false))).toEqual([]);
    expect([await world.offer(), world.edits()]).toEqual([null, { 5: '-' }]);
  });
});

describe('the offer to undo a postponement after another app has changed an order', () => {
  const MINUTE_MS = 60_000;

  /** `change`: changes an order at the platform, which the service reads then. */
  async function createReadWorld(to = '2026-12-16') {
    const world = createPostponementWorld();
    await externalOrderChanges(world);
    world.later(MINUTE_MS);
    expect(await codesOf(world, postpone(FIRST, to))).toEqual([]);
    world.later(MINUTE_MS);
    await externalOrderChanges(world);
    return {
      ...world,
      async change(index: number, edit: Partial<CycleEdit>): Promise<void> {
        const { cycleEdits } = world.contract;
        cycleEdits[index] = {
          skipped: false,
          billingDate: null,
          contract: null,
          ...cycleEdits[index],
          ...edit,
        };
        world.later(MINUTE_MS);
        await externalOrderChanges(world);
      },
    };
  }

  test.each([
    ['skipped a later order', { skipped: true }, { skipped: false }],
    ['moved a later order', { billingDate: '2027-02-12T10:00:00Z' }, { billingDate: '2027-02-16T10:00:00Z' }],
  ])('ends when it has %s, and comes back when it has undone that', async (_case, changed, former) => {
    const world = await createReadWorld();
    await world.change(7, changed);
    expect(await offerOf(world)).toBeNull();
    expect(await codesOf(world, REVERT)).toEqual(['CHANGED_SINCE']);
    expect(world.edits()[4]).toBe('-');
    await world.change(7, former);
    expect(await offerOf(world)).toBe(UNTIL);
    expect(await codesOf(world, REVERT)).toEqual([]);
    expect(world.edits()).toEqual({});
  });

  test.each(['2026-12-16', '2027-01-09'])(
    'ends when it has edited the content of an order that was postponed to %s, because the content would come with another order',
    async (to) => {
      const world = await createReadWorld(to);
      const { content, createdAt } = world.contract;
      const own = { content: structuredClone(content), createdAt, updatedAt: createdAt, concatenated: [] };
      const edits = world.edits();
      await world.change(5, { contract: own });
      expect(await offerOf(world)).toBeNull();
      expect(await codesOf(world, REVERT)).toEqual(['CHANGED_SINCE']);
      expect(world.edits()).toMatchObject(edits);
    },
  );
});

async function orderDatesOf({ send }: Pick<World, 'send'>): Promise<(string | null)[]> {
  const { payload } = await send(
    'customer',
    `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 3) { nodes { orderDate } } } }`,
  );
  return (payload.billingCycles.nodes as { orderDate: string | null }[]).map(({ orderDate }) => orderDate);
}

describe('a postponed order that was sent now', () => {
  test('has no order on its postponed day, and none can be restored there', async () => {
    const world = createPostponementWorld({ sendNow: 'MOVE' });
    for (const change of [postpone(FIRST, '2026-12-16'), sendNow(POSTPONED)])
      expect(await codesOf(world, change)).toEqual([]);
    expect(await orderDatesOf(world)).toEqual(['2026-11-21T12:05:00Z', null, '2027-01-16T10:00:00Z']);
    const { payload } = await world.send('customer', skip(5, false));
    expect(payload.userErrors).toEqual([
      {
        code: 'ORDER_IS_POSTPONED',
        message: 'This order comes on another day. Change that order instead.',
      },
    ]);
  });

  test.each([
    ['postponed by a whole interval', postpone(FIRST, '2027-01-09')],
    ['next because the order before it was skipped', skip(4, true)],
  ])(
    'has no order on its day when it was %s, and one can be restored once the sent order is skipped',
    async (_case, change) => {
      const world = createPostponementWorld({ sendNow: 'MOVE' });
      expect(await codesOf(world, change)).toEqual([]);
      const { payload } = await world.send('customer', sendNow('2027-01-09T10:00:00Z'));
      expect([payload.userErrors, payload.upcomingOrders]).toEqual([
        [],
        [
          { cycleIndex: 4, date: '2026-11-21T12:05:00Z', skipped: false },
          { cycleIndex: 6, date: '2027-02-09T10:00:00Z', skipped: false },
          { cycleIndex: 7, date: '2027-03-09T10:00:00Z', skipped: false },
        ],
      ]);
      expect(await orderDatesOf(world)).toEqual(['2026-11-21T12:05:00Z', null, '2027-02-09T10:00:00Z']);
      expect(await codesOf(world, skip(5, false))).toEqual(['ORDER_IS_POSTPONED']);
      expect(await codesOf(world, skip(4, true))).toEqual([]);
      expect(await codesOf(world, skip(5, false))).toEqual([]);
      expect(world.edits()).toEqual({ 4: '-' });
    },
  );

  test('can be restored on its postponed day once the sent order is skipped', async () => {
    const world = createPostponementWorld({ sendNow: 'MOVE' });
    for (const change of [postpone(FIRST, '2026-12-16'), sendNow(POSTPONED), skip(4, true), skip(5, false)])
      expect(await codesOf(world, change)).toEqual([]);
    expect(world.edits()).toMatchObject({ 4: '-', 5: '2026-12-16' });
  });
});

test('an order is not restored while the orders are postponed again and again', async () => {
  const world = createSteppedWorld();
  await world.send('customer', skip(4, true));
  await world.send('customer', postpone('2027-01-09T10:00:00Z', '2027-01-16'));
  const query = skip(4, false);
  const { result, steps } = await world.runStepped(
    ({ asFunction }) => world.send('customer', query, asFunction),
    async ({ name, count }) => {
      if (count > 200) throw new Error('the order is read without end');
      const record = await world.postponements.read(world.ref);
      if (name === 'get' && record !== undefined) await world.postponements.end(record, record);
      return undefined;
    },
  );
  expect(result?.payload.userErrors).toMatchObject([{ code: 'CONCURRENT_UPDATE' }]);
  expect(steps.length).toBeLessThan(40);
  expect(world.edits()).toMatchObject({ 4: '-' });
});

if (!isInterleaved) holdsRights();
