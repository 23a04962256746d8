/** Documents as an app's server writes them for the platform run on the admin endpoint unchanged, in order. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { platformSchema } from '../graphql/world/world.ts';
import { ask } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

type Json = Readonly<Record<string, unknown>>;
type Document = { readonly name: string; readonly file: string; readonly query: string };

const folder = join(import.meta.dirname, 'platform-documents');
const documents: Document[] = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n\n')
    .map((query) => ({ file, query, name: /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '' })),
);

/** The values of the documents' variables, and the paths of the values in earlier responses. */
const known: Record<string, unknown> = {};
const LEARNT: Readonly<Record<string, (data: never) => Json>> = {
  ProductHandle: ({ product }: { product: { handle: string } }) => product,
  ProductIds: ({ products }: { products: { nodes: { id: string; variants: Ids }[] } }) => ({
    productId: products.nodes[0]?.id,
    product: products.nodes[0]?.id,
    variantId: products.nodes[0]?.variants.nodes[0]?.id,
  }),
  SellingPlanGroupIds: ({ sellingPlanGroups }: { sellingPlanGroups: Ids }) => ({
    groupId: sellingPlanGroups.nodes[0]?.id,
  }),
  GroupCreate: (data: Payload) => ({ newGroupId: idIn(data, 'sellingPlanGroup') }),
  CustomerMethods: ({ customer }: { customer: { paymentMethods: Ids } }) => ({
    paymentMethodId: customer.paymentMethods.nodes[0]?.id,
  }),
  AddressCreate: (data: Payload) => ({ addressId: idIn(data, 'address') }),
  Orders: ({ orders }: { orders: Ids }) => ({ orderId: orders.nodes[0]?.id }),
  ContractUpdate: (data: Payload) => ({ draftId: idIn(data, 'draft') }),
  CycleOfDate: ({ subscriptionBillingCycle: { cycleIndex } }: { subscriptionBillingCycle: Cycle }) => ({
    index: cycleIndex,
    next: cycleIndex + 1,
    after: cycleIndex + 2,
  }),
  CycleEdit: (data: Payload) => ({ draftId: idIn(data, 'draft') }),
  LineAdd: (data: Payload) => ({ addedLineId: idIn(data, 'lineAdded') }),
  DiscountAdd: (data: Payload) => ({ discountId: idIn(data, 'discountAdded') }),
  Attempts: ({ subscriptionBillingAttempts }: { subscriptionBillingAttempts: Ids }) => ({
    attemptId: subscriptionBillingAttempts.nodes[0]?.id,
  }),
};
type Cycle = { readonly cycleIndex: number; readonly billingAttemptExpectedDate: string };
type Ids = { readonly nodes: readonly { readonly id: string }[] };
type Payload = Readonly<Record<string, Readonly<Record<string, { readonly id: string } | null>>>>;
const idIn = (data: Payload, field: string) => Object.values(data)[0]?.[field]?.id;

describe('the platform’s documents', () => {
  beforeAll(async () => {
    const { customers, contracts } = stack;
    Object.assign(known, {
      customerId: `gid://platform/Customer/${customers[0]?.id}`,
      email: customers[0]?.email,
      contractId: contracts[0],
      query: 'status:active',
      later: new Date(Date.parse(await stack.control.now()) + 20 * 864e5).toISOString(),
    });
  });

  test('there are at least 60, each valid at the platform', () => {
    expect(documents.length).toBeGreaterThanOrEqual(60);
    for (const { query } of documents) {
      expect(validate(platformSchema, parse(query)).map(({ message }) => `${message} ${query}`)).toEqual([]);
    }
  });

  test.each(documents)('$file: $name', async ({ name, query }) => {
    const variables = Object.fromEntries(
      [...(query.split('{', 1)[0] ?? '').matchAll(/\$(\w+)/g)].map(([, variable = '']) => {
        expect(known).toHaveProperty(variable, expect.anything());
        return [variable, known[variable]];
      }),
    );
    const answer = await ask(stack, 'admin', { bearer: stack.adminKey, query, variables });
    const { data, errors } = answer.body as { data: Record<string, unknown>; errors?: unknown };
    expect(errors).toBeUndefined();
    expect(answer.status).toBe(200);
    for (const value of Object.values(data)) {
      expect(value).not.toBeNull();
      expect((value as { userErrors?: unknown[] }).userErrors ?? []).toEqual([]);
    }
    expect(answer.text.replaceAll('gid://shopify/Product/1 stays', '')).not.toContain('gid://shopify/');
    Object.assign(known, LEARNT[name]?.(data as never));
  });
});
