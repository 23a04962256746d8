/** `nextOrder` is what the platform really charges: a property over contracts of many shapes. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { newPlatform } from '../../sandbox/platform/admin/harness.ts';
import { runPlan } from '../world/harness.ts';
import { chargeNext, type Shaped, shape, shapedContracts } from './charged-next.ts';

const QUERY = `{
  list: subscriptionContracts(first: 1) { nodes { id } }
  one: subscriptionContract(id: "gid://platform/SubscriptionContract/9101001") {
    nextOrder { date cycleIndex total { amount currencyCode } }
  }
  details: subscriptionContractDetails(contractId: "gid://platform/SubscriptionContract/9101001") {
    contract { nextOrder { date cycleIndex total { amount currencyCode } } }
  }
}`;

async function check(shaped: Shaped): Promise<void> {
  const platform = newPlatform();
  const contract = platform.store().contracts.get(9101001);
  if (contract === undefined) throw new Error('The seed has no weekly contract.');
  shape(platform, contract, shaped);
  const { result } = await runPlan({
    as: 'store',
    query: QUERY,
    now: () => platform.holder.nowMs,
    table: createMemoryTable(),
    standIn: async ({ document, variables }) => {
      platform.api.reset();
      const { data = null, errors = [] } = await platform.ask(document, variables);
      return { data, errors };
    },
  });
  const data = result.data as Record<string, { nextOrder: unknown; contract: { nextOrder: unknown } }>;
  const reported = [data.one?.nextOrder, data.details?.contract.nextOrder];
  const charged = await chargeNext(platform, contract);
  expect(reported).toEqual([charged, charged]);
}

test('what is told is what is charged', async () => {
  await fc.assert(fc.asyncProperty(shapedContracts, check), propertyRuns(4000));
});
