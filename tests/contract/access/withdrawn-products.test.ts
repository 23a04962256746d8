/** A customer's orders of products that are not listed any more: what she still reads of them. */
import { expect, test } from '@jest/globals';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import { ADA, type PlanRequest, runPlan } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createOperationWorld } from '../world/operation-world.ts';

const HOUSE = 8101001;
const STATUSES = ['ACTIVE', 'UNLISTED', 'DRAFT', 'ARCHIVED'] as const;

const QUERY = `{ customer(id: "gid://platform/Customer/${ADA}") { orders(first: 20) { nodes { lineItems(first: 5) { nodes {
  title image { url } product { id title } variant { id product { id } } only: variant { title }
} } } } } }`;

type Line = {
  readonly title: string;
  readonly image: unknown;
  readonly product: { readonly id: string } | null;
  readonly variant: { readonly product: { readonly id: string } } | null;
  readonly only: unknown;
};

async function linesOf(as: PlanRequest['as'], status: (typeof STATUSES)[number]): Promise<Line[]> {
  const { client, platform } = createOperationWorld();
  const product = platform.store().products.get(HOUSE);
  if (product === undefined) throw new Error('no such product');
  const { title } = product;
  product.status = status;
  const standIn = (operation: unknown) => client(operation as AdminOperation);
  const { result } = await runPlan({ as, query: QUERY, standIn });
  expect(result.errors).toBeUndefined();
  const { orders } = (result.data as { customer: { orders: { nodes: { lineItems: { nodes: Line[] } }[] } } })
    .customer;
  const lines = orders.nodes
    .flatMap(({ lineItems }) => lineItems.nodes)
    .filter((line) => line.title === title);
  expect(lines.length).toBeGreaterThan(0);
  return lines;
}

test.each(STATUSES)('%s', async (status) => {
  const isVisible = status === 'ACTIVE' || status === 'UNLISTED';
  const id = `gid://platform/Product/${HOUSE}`;
  for (const as of ['customer', 'store for a customer', 'store'] as const) {
    for (const { image, product, variant, only } of await linesOf(as, status)) {
      expect(image).not.toBeNull();
      const displayed = [product?.id, variant?.product.id, only !== null];
      expect(displayed).toEqual(isVisible || as === 'store' ? [id, id, true] : [undefined, undefined, false]);
    }
  }
});

const CONTRACT = 'gid://platform/SubscriptionContract/9101001';
const INFO = `{ subscriptionIntervalInfo(contractId: "${CONTRACT}") { contract { id } sellingPlanGroups(first: 20) { nodes { id sellingPlans(first: 20) { nodes { id } } } } } }`;

type Info = {
  readonly subscriptionIntervalInfo: {
    readonly sellingPlanGroups: { nodes: { sellingPlans: { nodes: { id: string }[] } }[] };
  };
};

/** Returns the listed plans, and the result of requesting each of these. */
async function plansOf(as: PlanRequest['as'], status: (typeof STATUSES)[number], named: readonly string[]) {
  const { client, platform } = createOperationWorld();
  const standIn = (operation: unknown) => client(operation as AdminOperation);
  for (const product of platform.store().products.values()) product.status = status;
  const { result } = await runPlan({ as, query: INFO, standIn });
  const { nodes } = (result.data as Info).subscriptionIntervalInfo.sellingPlanGroups;
  const reported = [];
  for (const sellingPlanId of named) {
    const query = `mutation { subscriptionContractIntervalUpdate(contractId: "${CONTRACT}", sellingPlanId: "${sellingPlanId}") { contract { id } userErrors { field code message details { offeredIntervals { sellingPlanId } } } } }`;
    const answer = await runPlan({ as, query, standIn, table: createMemoryTable() });
    reported.push(
      (answer.result.data as { subscriptionContractIntervalUpdate: unknown })
        .subscriptionContractIntervalUpdate,
    );
  }
  return { listed: nodes.flatMap(({ sellingPlans }) => sellingPlans.nodes.map(({ id }) => id)), reported };
}

const NOWHERE = 'gid://platform/SellingPlan/1';

test.each(STATUSES)('plans of a line whose product is %s', async (status) => {
  const { listed: all } = await plansOf('store', status, []);
  const { listed, reported } = await plansOf('customer', status, [NOWHERE, ...all]);
  expect(all.length).toBeGreaterThan(1);
  const isVisible = status === 'ACTIVE' || status === 'UNLISTED';
  expect(listed).toEqual(isVisible ? all : []);
  const [absent, ...others] = reported;
  expect(absent).toMatchObject({ userErrors: [{ code: 'INTERVAL_NOT_OFFERED', field: ['sellingPlanId'] }] });
  // The plans that a rejection offers are among the listed ones.
  const { userErrors } = absent as {
    userErrors: { details: { offeredIntervals: { sellingPlanId: string }[] } }[];
  };
  const named = userErrors.flatMap(({ details }) =>
    details.offeredIntervals.map(({ sellingPlanId }) => sellingPlanId),
  );
  expect([named.length > 0, listed]).toEqual([isVisible, expect.arrayContaining(named)]);
  const taken = others.filter((one) => (one as { contract: unknown }).contract !== null);
  // The line's plan does not change.
  if (isVisible) expect(taken.length).toBeGreaterThan(1);
  else expect(taken).toHaveLength(1);
  if (!isVisible) for (const one of others) if (!taken.includes(one)) expect(one).toEqual(absent);
});
