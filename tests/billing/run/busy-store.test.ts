/** Many orders of one store in the same run: its points do not suffice for all of them at the same time. */
import { expect, test } from '@jest/globals';
import { at, describeExample } from '../oracle/examples/examples.ts';
import { findDisagreements } from './accept-description.ts';
import { CALM } from './fault-profile.ts';

/** More orders than a batch has, each of which needs the most expensive reading: the paid orders of its contract. */
const CONTRACT_COUNT = 30;

test('charges all orders of the day at the prices of their next steps', async () => {
  const line = {
    ...{ quantity: 1, currentPriceMinor: 800 },
    steps: [
      { afterCycle: 0, priceMinor: 800 },
      { afterCycle: 1, priceMinor: 900 },
    ],
  };
  const { contracts, ...store } = describeExample({
    contract: { lines: [line], createdMs: at('2026-12-05T08:20Z'), maxCycles: 20 },
  });
  const many = contracts.flatMap((contract) =>
    Array.from({ length: CONTRACT_COUNT }, (_, index) => ({ ...contract, id: index + 1 })),
  );
  const { faults } = await findDisagreements({ ...store, contracts: many }, CALM);
  expect(faults).toEqual([]);
});
