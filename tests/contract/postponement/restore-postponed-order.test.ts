/** Restoring an order that a postponement skipped: in place of the later order, never beside it. */
import { expect, test } from '@jest/globals';
import { ID, postpone } from './postponement-world.ts';
import { createSteppedWorld } from './stepped-world.ts';

const skip = (index: number, value: boolean) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}, skip: ${value}) {
    userErrors { code message } } }`;

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
