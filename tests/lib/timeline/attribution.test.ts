/** The actor of a recorded change; tests/lib/subscriptions/pause/resume-due-contracts.test.ts checks the timer's changes. */
import { expect, test } from '@jest/globals';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { createOperationWorld, gid } from '../../contract/world/operation-world.ts';
import { ADA, KEY_ID, KEY_LABEL, type PlanRequest, store } from '../../graphql/world/harness.ts';
import { createTimelineWorld } from './timeline-world.ts';

const WEEKLY = 9101001;
const SKIP = `mutation($contract: ID!, $index: Int!) {
  subscriptionBillingCycleSkip(contractId: $contract, billingCycleIndex: $index) { userErrors { message } }
}`;
const FAIL = `mutation($contract: ID!) {
  subscriptionContractFail(subscriptionContractId: $contract) { userErrors { message } }
}`;

test("a customer's is that customer's, with the key as agent if a key acted; a key's by itself the store's", async () => {
  const tables = await createTimelineWorld();
  try {
    const world = createOperationWorld();
    const { table, timeline } = tables.container(store.shopId, world.platform.holder);
    const run = (as: PlanRequest['as'], query: string, index?: number) =>
      world.run({
        as,
        query,
        variables: { contract: gid('SubscriptionContract', WEEKLY), index },
        table,
        timeline,
      });
    await run('customer', SKIP, 9);
    await run('store for a customer', SKIP, 10);
    await run('store', SKIP, 11);
    await run('store', FAIL);
    const [page] = await timeline.readEvents({
      shopId: store.shopId,
      contracts: [`${WEEKLY}` as ContractNumber],
      args: { first: 10 },
    });
    expect(page?.edges.map(({ record: { action, actor, requestId } }) => [action, actor, requestId])).toEqual(
      [
        ['billing_cycle_skipped', { kind: 'CUSTOMER', customerId: ADA }, 'request-1'],
        [
          'billing_cycle_skipped',
          { kind: 'CUSTOMER', customerId: ADA, label: KEY_LABEL, keyId: KEY_ID },
          'request-1',
        ],
        ['billing_cycle_skipped', { kind: 'MERCHANT', label: KEY_LABEL, keyId: KEY_ID }, 'request-1'],
        ['subscription_failed', { kind: 'MERCHANT', label: KEY_LABEL, keyId: KEY_ID }, 'request-1'],
      ],
    );
  } finally {
    await tables.close();
  }
});
