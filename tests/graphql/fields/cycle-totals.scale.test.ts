/** `SubscriptionBillingCycle.total` is what the platform charges for that order: a property over many contracts. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { newPlatform } from '../../sandbox/platform/admin/harness.ts';
import { runPlan } from '../world/harness.ts';
import { chargeNext, type Shaped, shape, shapedContracts } from './charged-next.ts';

const ID = 'gid://platform/SubscriptionContract/9101001';
const QUERY = `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 20) {
  nodes { cycleIndex status total { amount currencyCode } } } } }`;

type Cycle = {
  readonly cycleIndex: number;
  readonly status: string;
  readonly total: { readonly amount: string; readonly currencyCode: string } | null;
};

/** How many orders of each contract are charged. */
const ORDERS = 4;
const seen = { known: 0, unknown: 0 };

async function check(shaped: Shaped): Promise<void> {
  const platform = newPlatform();
  const contract = platform.store().contracts.get(9101001);
  if (contract === undefined) throw new Error('The seed has no weekly contract.');
  shape(platform, contract, shaped);
  const { result } = await runPlan({
    as: 'customer',
    query: QUERY,
    now: () => platform.holder.nowMs,
    table: createMemoryTable(),
    standIn: async ({ document, variables }) => {
      platform.api.reset();
      const { data = null, errors = [] } = await platform.ask(document, variables);
      return { data, errors };
    },
  });
  expect(result.errors).toBeUndefined();
  const { subscriptionContractDetails: details } = result.data as {
    subscriptionContractDetails: { billingCycles: { nodes: readonly Cycle[] } };
  };
  const totals = new Map(details.billingCycles.nodes.map((cycle) => [cycle.cycleIndex, cycle]));
  for (const { status, total } of totals.values()) if (status === 'BILLED') expect(total).toBeNull();
  for (let order = 0; order < ORDERS; order++) {
    const charged = await chargeNext(platform, contract);
    const reported = totals.get(charged?.cycleIndex ?? 0);
    if (charged === null || reported === undefined) return;
    seen[reported.total === null ? 'unknown' : 'known']++;
    if (reported.total !== null) expect(reported).toMatchObject({ total: charged.total });
  }
}

test('a total is what is charged, also for orders after the next one', async () => {
  await fc.assert(fc.asyncProperty(shapedContracts, check), propertyRuns(2000));
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(3);
});
