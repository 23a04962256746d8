/** The fields that the platform hides from an app without a scope, or without approval for protected customer data. */

import { describe, expect, test } from '@jest/globals';
import { GraphQLObjectType } from 'graphql';
import { schema } from '../../../../sandbox/platform/admin/endpoint/schema.ts';
import { requirementsOfField } from '../../../../sandbox/platform/admin/field-access.ts';
import { serializeState } from '../../../../sandbox/platform/snapshot.ts';
import { createAccessWithout, type WithheldAccess } from '../../../../sandbox/platform/state/store-access.ts';
import { ada, dayMs, monthly, newPlatform, startMs, weekly } from './harness.ts';

function runWithout(withheld: WithheldAccess) {
  const platform = newPlatform();
  platform.store().access = createAccessWithout(withheld);
  return platform;
}

const CONTRACT = `query($id: ID!) { subscriptionContract(id: $id) { id customer { id } } }`;

test('a field without its scope is null with an error that names it, and its neighbours have values', async () => {
  const platform = runWithout({ scopes: ['read_customers', 'write_customers'] });
  const { data, errors } = await platform.ask(CONTRACT, { id: weekly });
  expect(data).toEqual({ subscriptionContract: { id: weekly, customer: null } });
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining('Required access: `read_customers` access scope.'),
      path: ['subscriptionContract', 'customer'],
      extensions: { code: 'ACCESS_DENIED', requiredAccess: '`read_customers` access scope.' },
    },
  ]);
});

test('a scope that writes includes the one that reads', async () => {
  const platform = runWithout({ scopes: ['read_customers'] });
  expect((await platform.data(CONTRACT, { id: weekly })).subscriptionContract.customer).toEqual({ id: ada });
});

test('a field that may not be null takes its parent with it', async () => {
  const platform = runWithout({ scopes: ['read_orders', 'write_orders'] });
  const { data, errors } = await platform.ask(
    'query($id: ID!) { subscriptionContract(id: $id) { id orders(first: 1) { nodes { id } } } shop { id } }',
    { id: weekly },
  );
  expect(data).toEqual({ subscriptionContract: null, shop: { id: expect.any(String) } });
  expect(errors[0].path).toEqual(['subscriptionContract', 'orders']);
});

test('a list by ids is denied entry by entry', async () => {
  const platform = runWithout({ scopes: ['read_customers', 'write_customers'] });
  const { data, errors } = await platform.ask('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: [ada, weekly],
  });
  expect(data).toEqual({ nodes: [null, { id: weekly }] });
  expect(errors).toMatchObject([{ path: ['nodes', 0], extensions: { code: 'ACCESS_DENIED' } }]);
});

describe('protected customer data', () => {
  test('denies customers and orders as objects without level 1', async () => {
    const platform = runWithout({ data: ['customer'] });
    const { data, errors } = await platform.ask(CONTRACT, { id: weekly });
    expect(data.subscriptionContract.customer).toBeNull();
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('not approved to access the Customer object'),
      extensions: { code: 'ACCESS_DENIED' },
    });
  });

  test.each([
    ['email', 'email'],
    ['phone', 'phone'],
    ['address', 'defaultAddress { id }'],
    ['name', 'firstName'],
  ] as const)('returns null for %s without level 2, and the rest of the customer', async (kind, field) => {
    const platform = runWithout({ data: [kind] });
    const { data, errors } = await platform.ask(`query($id: ID!) { customer(id: $id) { id ${field} } }`, {
      id: ada,
    });
    expect(data.customer).toEqual({ id: ada, [field.replace(/ .*/, '')]: null });
    expect(errors).toMatchObject([{ extensions: { code: 'ACCESS_DENIED' } }]);
  });

  test('returns no data of level 2 without level 1', async () => {
    const platform = runWithout({ data: ['customer'] });
    const { data } = await platform.ask(
      `query($id: ID!) { subscriptionContract(id: $id) { deliveryMethod {
        ... on SubscriptionDeliveryMethodShipping { address { address1 country } } } } }`,
      { id: weekly },
    );
    const { address } = data.subscriptionContract.deliveryMethod;
    expect(address).toEqual({ address1: null, country: 'United States' });
  });
});

describe('orders of more than 60 days', () => {
  const QUERY = `query($id: ID!, $order: ID!) {
    subscriptionContract(id: $id) { orders(first: 250) { nodes { id } } originOrder { id } }
    order(id: $order) { id } node(id: $order) { id } orders(first: 250) { nodes { createdAt } }
  }`;

  test('are hidden without read_all_orders, as if there were none', async () => {
    const platform = newPlatform();
    const record = platform.store().contracts.get(9_101_002);
    const order = platform.store().orders.get(record?.originOrderId ?? 0);
    if (order === undefined) throw new Error('the monthly contract has no first order');
    order.createdAt = new Date(startMs - 61 * dayMs).toISOString();
    const requested = { id: monthly, order: `gid://shopify/Order/${order.id}` };
    const all = await platform.data(QUERY, requested);
    expect(all.order).not.toBeNull();
    platform.store().access = createAccessWithout({ scopes: ['read_all_orders'] });
    const recent = await platform.data(QUERY, requested);
    expect(recent).toMatchObject({ subscriptionContract: { originOrder: null }, order: null, node: null });
    const oldest = Math.min(
      ...recent.orders.nodes.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt)),
    );
    expect(oldest).toBeGreaterThanOrEqual(startMs - 60 * dayMs);
    expect(recent.orders.nodes.length).toBeLessThan(all.orders.nodes.length);
  });
});

describe('mutations', () => {
  test('each needs a scope; those that write to anything, the scope of its owner; webhooks, that of their topic', () => {
    const { Mutation: type } = schema.getTypeMap();
    if (!(type instanceof GraphQLObjectType)) throw new Error('no mutations');
    const free = Object.values(type.getFields()).filter(
      (field) => requirementsOfField(type, field)?.scope === undefined,
    );
    const webhooks = ['Create', 'Update', 'Delete'].map((action) => `webhookSubscription${action}`);
    const names = ['metafieldsDelete', 'metafieldsSet', 'tagsAdd', 'tagsRemove', ...webhooks];
    expect(free.map(({ name }) => name)).toEqual(names);
  });

  const id = (type: string, tail: string | number = 1) => `"gid://shopify/${type}/${tail}"`;

  test.each([
    [
      `customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: ${id('CustomerPaymentMethod')})`,
      'write_customers',
    ],
    [
      `customerPaymentMethodGetUpdateUrl(customerPaymentMethodId: ${id('CustomerPaymentMethod')})`,
      'write_customers',
    ],
    [
      `customerPaymentMethodRevoke(customerPaymentMethodId: ${id('CustomerPaymentMethod')})`,
      'write_customer_payment_methods',
    ],
    [`sellingPlanGroupDelete(id: ${id('SellingPlanGroup')})`, 'write_products'],
    [`productJoinSellingPlanGroups(id: ${id('Product')}, sellingPlanGroupIds: [])`, 'write_products'],
    [`subscriptionContractPause(subscriptionContractId: "${weekly}")`, 'write_own_subscription_contracts'],
  ])('%s has not run without %s', async (call, scope) => {
    const platform = runWithout({ scopes: [scope] });
    const before = serializeState(platform.holder.state);
    const { data, errors } = await platform.ask(`mutation { done: ${call} { __typename } }`);
    expect(data).toEqual({ done: null });
    expect(errors).toMatchObject([
      { path: ['done'], extensions: { code: 'ACCESS_DENIED', requiredAccess: `\`${scope}\` access scope.` } },
    ]);
    expect(serializeState(platform.holder.state)).toEqual(before);
  });

  test('tags and metafields take the scope of what they are set on, and all are set or none', async () => {
    const platform = runWithout({ scopes: ['write_orders'] });
    const [order] = platform.store().orders.keys();
    const ownerId = `gid://shopify/Order/${order}`;
    const tagged = await platform.ask(
      'mutation($id: ID!) { tagsAdd(id: $id, tags: ["x"]) { node { id } } }',
      {
        id: ownerId,
      },
    );
    expect(tagged.errors[0].extensions.requiredAccess).toContain('write_orders');
    const set = await platform.ask(
      'mutation($m: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $m) { metafields { id } } }',
      {
        m: [ada, ownerId].map((id) => ({
          ownerId: id,
          namespace: 'a',
          key: 'b',
          type: 'single_line_text_field',
          value: 'c',
        })),
      },
    );
    expect(set.data).toEqual({ metafieldsSet: null });
    expect(platform.store().metafields.size).toBe(0);
  });
});
