/** `subscriptionContractDetails` of a contract that is not there, though the platform answers its cycles with an error. */
import { expect, test } from '@jest/globals';
import { createResolveWorld } from '../world/resolve-world.ts';

const ABSENT = 'gid://platform/SubscriptionContract/1';
const OTHER = 'gid://platform/SubscriptionContract/9101003';
const CYCLES = 'billingCycles(first: 1) { nodes { cycleIndex } }';

const world = createResolveWorld();

const details = (selection: string) =>
  `{ subscriptionContractDetails(contractId: "${ABSENT}") { ${selection} } other: subscriptionContract(id: "${OTHER}") { id } }`;

test.each([
  'currentPause { reason }',
  CYCLES,
  'contract { nextOrder { date } }',
  `contract { id nextOrder { date } } ${CYCLES} currentBillingCycle { cycleIndex }`,
])('a store reads null, and no error: %s', async (selection) => {
  const { data, errors } = await world.ask({ as: 'store', query: details(selection) });
  expect([data, errors]).toEqual([{ subscriptionContractDetails: null, other: { id: OTHER } }, []]);
});

test.each(['customer', 'store for a customer'] as const)('to a %s it looks like another’s', async (as) => {
  const { data, errors } = await world.ask({ as, query: details(CYCLES) });
  expect(data).toMatchObject({ subscriptionContractDetails: null });
  expect(errors).toEqual(['FORBIDDEN at subscriptionContractDetails']);
});
