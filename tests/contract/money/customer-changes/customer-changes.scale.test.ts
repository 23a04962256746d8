/** Checks that changes by customers, in any order and form, cost the merchant nothing that was not granted. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../../full-size.ts';
import { createChangeWorld } from './change-world.ts';
import { type Request, steps } from './changes.ts';
import { stores } from './gifts.ts';

const RUNS = propertyRuns(10_000);

/** Changes that have to happen in every twentieth sequence at least, and refusals that protect the money. */
const EXPECTED = [
  ...(['lines', 'interval', 'delivery', 'code', 'discount'] satisfies Request['name'][]).map(
    (name) => `${name} done`,
  ),
  'code GOODS_WITHOUT_PRICE',
  'lines GOODS_WITHOUT_PRICE',
];

test(`keeps the merchant's money in ${RUNS.numRuns} random sequences of changes`, async () => {
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(stores, steps, async (store, sequence) => {
      const world = createChangeWorld(store);
      for (const step of sequence) await world.run(step);
      expect(world.violations()).toEqual([]);
      for (const { name, code } of world.outcomes) {
        counts.set(`${name} ${code}`, (counts.get(`${name} ${code}`) ?? 0) + 1);
      }
    }),
    RUNS,
  );
  const rare = EXPECTED.filter((outcome) => (counts.get(outcome) ?? 0) * 20 < RUNS.numRuns);
  expect(rare).toEqual([]);
});
