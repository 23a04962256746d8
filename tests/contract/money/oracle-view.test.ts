import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addRequestedSeeds } from '../../../sandbox/platform/state/seed/seed-from-request.ts';
import { newPlatform, startMs } from '../../sandbox/platform/admin/harness.ts';
import { deliveriesNow, oracleContract } from './oracle-view.ts';
import { nextPrice, type Step } from './price-oracle.ts';

const d = fc.integer({ min: 1, max: 12 });
const price = fc.record({
  type: fc.constantFrom<Step['type']>('PERCENTAGE', 'FIXED_AMOUNT', 'PRICE'),
  value: fc.oneof(
    fc.integer({ min: 0, max: 100 }),
    fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 100),
  ),
});

test('a contract is sold at the price that the oracle works out for its first payment', () => {
  const store = newPlatform({ contracts: 0 }).store();
  const random = fc.record({
    d,
    base: fc.integer({ min: 0, max: 1_000_000 }),
    first: price,
    later: fc.option(price),
    currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
  });
  let id = 8_400_000;
  fc.assert(
    fc.property(random, ({ d: count, base, first, later, currency }) => {
      const steps = [first, ...(later === null ? [] : [later])].map(({ type, value }) => ({
        type,
        value: type === 'PERCENTAGE' ? value : Math.round(value * 100),
      }));
      fc.pre(count === 1 || steps.every(({ type }) => type !== 'PRICE'));
      id += 1;
      store.currencyCode = currency;
      const prices = steps.map(({ type, value }, index) => [type, value, index === 0 ? null : 3] as const);
      const plans = [
        { name: 'any', billing: ['WEEK', count] as const, delivery: ['WEEK', 1] as const, prices },
      ];
      const lines = [{ variantId: 810100401, quantity: 1, baseMinor: base }];
      const subscription = { id, customerId: 7001001, createdMs: startMs, planId: id * 100 + 1, lines };
      addRequestedSeeds(
        store,
        {
          sellingPlanGroups: [{ id, name: 'any', productIds: [8101004], plans }],
          subscriptions: [subscription],
        },
        startMs,
      );
      const { ordersMade, lines: sold } = oracleContract(store, id);
      const pricing = sold[0]?.pricing;
      expect(ordersMade).toBe(0);
      expect(deliveriesNow(store, id)).toBe(count);
      const at = (orders: number) => nextPrice(pricing?.steps ?? [], { base, d: count, ordersMade: orders });
      expect(sold[0]?.price).toBe(at(0));
      const computed = store.contracts.get(id)?.content.lines[0]?.pricingPolicy?.cycleDiscounts.at(-1);
      expect(computed?.computedPriceMinor).toBe(at(3));
    }),
    { seed: 20_261_122, numRuns: 200 },
  );
});
