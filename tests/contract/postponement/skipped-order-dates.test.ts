/** Skipped orders beside a postponement: the day that a customer sees, and what the timeline says of them. */
import { describe, expect } from '@jest/globals';
import { UNPUBLISHED_BEHAVIOURS } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { test } from '../world/contract-test.ts';
import { externalOrderChanges } from './external-order-changes.ts';
import { createPostponementWorld, FIRST, ID, postpone, REVERT } from './postponement-world.ts';

const MINUTE_MS = 60_000;
const VISIBLE_ORDERS = `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 6) { nodes { orderDate skipped } } } }`;
type VisibleOrder = { readonly orderDate: string | null; readonly skipped: boolean };

const skip = (index: number, value: boolean, more = '') =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}, skip: ${value} ${more}) {
    event { message changes { field before after } } userErrors { code message } } }`;

function createWorld(skippedDates: 'kept' | 'dropped') {
  const world = createPostponementWorld();
  Object.assign(world.platform.store().unpublished, { skippedDates });
  return {
    ...world,
    /** Sends the changes. `isReadBetween`: the contract is read at the platform after each of them, not only at the end. */
    async change(queries: readonly string[], isReadBetween = false): Promise<string[]> {
      await externalOrderChanges(world);
      for (const query of queries) {
        world.later(MINUTE_MS);
        const { payload } = await world.send('customer', query);
        expect(payload.userErrors).toEqual([]);
        world.later(MINUTE_MS);
        if (isReadBetween) await externalOrderChanges(world);
      }
      return externalOrderChanges(world);
    },
    /** The orders as an app shows them: a date, `-` before the date of a skipped order, null for no order. */
    async visibleOrders(): Promise<(string | null)[]> {
      const { payload } = await world.send('customer', VISIBLE_ORDERS);
      return payload.billingCycles.nodes.map(
        ({ orderDate, skipped }: VisibleOrder) =>
          orderDate && `${skipped ? '-' : ''}${orderDate.slice(0, 10)}`,
      );
    },
  };
}

describe.each(UNPUBLISHED_BEHAVIOURS.skippedDates)(
  'a skipped order of a postponed contract whose date the platform has %s',
  (skippedDates) => {
    test.each([true, false])(
      'is no change from outside (read after each change: %s)',
      async (isReadBetween) => {
        const { change } = createWorld(skippedDates);
        const postponed = [skip(6, true), postpone(FIRST, '2026-12-16')];
        const changes = [...postponed, skip(8, true), skip(8, false), skip(7, false)];
        expect(await change(changes, isReadBetween)).toEqual([]);
      },
    );

    test.each([true, false])(
      'is no change from outside when it was moved and restored before (read after each change: %s)',
      async (isReadBetween) => {
        const { change } = createWorld(skippedDates);
        const move = `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 6, billingDate: "2027-02-03") { userErrors { code } } }`;
        const changes = [move, skip(6, true), skip(6, false), postpone(FIRST, '2026-12-16')];
        expect(await change(changes, isReadBetween)).toEqual([]);
      },
    );

    test('is no change from outside when the second of two postponements is undone', async () => {
      const { change, contract } = createWorld(skippedDates);
      await change([postpone(FIRST, '2026-12-16'), postpone('2026-12-16T10:00:00Z', '2027-01-12')]);
      // A reading is recorded if another app has changed something.
      contract.content.note = 'Leave it at the door';
      contract.revisionId += 1;
      expect(await change([REVERT])).toEqual([]);
    });

    test('is shown on the day on which it comes when it is restored', async () => {
      const { change, visibleOrders, send, edits } = createWorld(skippedDates);
      await change([skip(6, true), postpone(FIRST, '2026-12-16')]);
      const orders = [null, '2026-12-16', '2027-01-16', '-2027-02-16', '2027-03-16', '2027-04-16'];
      expect(await visibleOrders()).toEqual(orders);
      const { payload } = await send('customer', skip(7, false, 'expectedDate: "2027-02-16T10:00:00Z"'));
      const field = (name: string) => `billingCycles.7.${name}`;
      const dates = { before: expect.stringMatching(/^2027-0[23]-/), after: '2027-02-16T10:00:00Z' };
      expect(payload).toEqual({
        event: {
          message: 'You restored the order for February 16, 2027.',
          changes: [
            { field: field('skipped'), before: 'true', after: 'false' },
            { field: field('billingAttemptExpectedDate'), ...dates },
          ],
        },
        userErrors: [],
      });
      expect(edits()).toMatchObject({ 7: '2027-02-16' });
      expect(await visibleOrders()).toEqual(orders.with(3, '2027-02-16'));
    });

    test('can be restored by the date that it had when it was skipped', async () => {
      const { change, edits } = createWorld(skippedDates);
      const date = '2027-02-16T10:00:00Z';
      const skipped = skip(7, true, `expectedDate: "${date}"`);
      await change([postpone(FIRST, '2026-12-16'), skipped, skip(7, false, `expectedDate: "${date}"`)]);
      expect(edits()).toMatchObject({ 7: '2027-02-16' });
    });

    test('has its new day in the answer, also in a dry run', async () => {
      const { change, send } = createWorld(skippedDates);
      await change([skip(5, true), skip(6, true)]);
      const orders = [
        { cycleIndex: 5, date: '2026-12-16T10:00:00Z', skipped: false },
        { cycleIndex: 6, date: '2027-01-16T10:00:00Z', skipped: true },
        { cycleIndex: 7, date: '2027-02-16T10:00:00Z', skipped: true },
        { cycleIndex: 8, date: '2027-03-16T10:00:00Z', skipped: false },
        { cycleIndex: 9, date: '2027-04-16T10:00:00Z', skipped: false },
      ];
      const dry = await send('customer', postpone(FIRST, '2026-12-16', 'dryRun: true'));
      expect(dry.payload.upcomingOrders).toEqual(orders);
      const { payload } = await send('customer', postpone(FIRST, '2026-12-16'));
      expect(payload.upcomingOrders).toEqual(orders);
    });

    test('has no change of its date in the timeline when it is restored on its former day', async () => {
      const { change, send } = createWorld(skippedDates);
      await change([skip(6, true)]);
      const { payload } = await send('customer', skip(6, false));
      const fields = (payload.event.changes as { field: string }[]).map(({ field }) => field);
      expect(fields).toEqual(['billingCycles.6.skipped']);
    });

    test('stays skipped on its former day when the postponement is undone', async () => {
      const { change, visibleOrders } = createWorld(skippedDates);
      const former = await visibleOrders();
      await change([skip(6, true), postpone(FIRST, '2026-12-16'), REVERT]);
      expect(await visibleOrders()).toEqual(former.map((day) => (day === '2027-02-09' ? `-${day}` : day)));
      await change([skip(6, false)]);
      expect(await visibleOrders()).toEqual(former);
    });
  },
);

test('reports both changes when another app has moved an order and skipped it before the next read', async () => {
  const world = createWorld('kept');
  await world.change([]);
  world.contract.cycleEdits[6] = { skipped: true, billingDate: '2027-02-03T10:00:00Z', contract: null };
  world.later(MINUTE_MS);
  expect(await externalOrderChanges(world)).toEqual([
    'billingCycles.6.skipped: false to true',
    'billingCycles.6.billingAttemptExpectedDate: 2027-02-09T10:00:00Z to 2027-02-03T10:00:00Z',
  ]);
});

test('reports the new date when another app has moved an order before a customer skips it', async () => {
  const world = createWorld('kept');
  await world.change([]);
  world.contract.cycleEdits[6] = { skipped: false, billingDate: '2027-02-03T10:00:00Z', contract: null };
  world.later(MINUTE_MS);
  await world.send('customer', skip(6, true));
  world.later(MINUTE_MS);
  expect(await externalOrderChanges(world)).toEqual([
    'billingCycles.6.billingAttemptExpectedDate: 2027-02-09T10:00:00Z to 2027-02-03T10:00:00Z',
  ]);
});
