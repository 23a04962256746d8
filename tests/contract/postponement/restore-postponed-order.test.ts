/** Restoring an order that a postponement skipped: in place of the later order, never beside it. */
import { describe, expect } from '@jest/globals';
import { test } from '../world/contract-test.ts';
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
