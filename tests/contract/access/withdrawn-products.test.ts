/** A customer's orders of products that are not listed any more: what she still reads of them. */
import { expect, test } from '@jest/globals';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import { ADA, type PlanRequest, runPlan } from '../../graphql/world/harness.ts';
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
  const isShown = status === 'ACTIVE' || status === 'UNLISTED';
  const id = `gid://platform/Product/${HOUSE}`;
  for (const as of ['customer', 'store for a customer', 'store'] as const) {
    for (const { image, product, variant, only } of await linesOf(as, status)) {
      expect(image).not.toBeNull();
      const shown = [product?.id, variant?.product.id, only !== null];
      expect(shown).toEqual(isShown || as === 'store' ? [id, id, true] : [undefined, undefined, false]);
    }
  }
});
