/** A made-up store in which everything belongs to Ada; the platform's schema answers what is sent to it. */
import { expect } from '@jest/globals';
import { type GraphQLFieldResolver, type GraphQLOutputType, isObjectType, parse, validate } from 'graphql';
import { ADA, type StandIn } from './harness.ts';
import { executeIn, hash, make, platformSchema, type TestObject, type World } from './world.ts';

export const WORLD: World = { seed: 20261121, failing: 0 };

/** Nothing is null and each list has one item; some fields have these values, by their coordinates. */
export type Whole = { readonly values: Readonly<Record<string, unknown>> };

/** A plan that the lines have and their products offer, prices that are numbers, one currency. */
export const PAUSED_AND_SOLD: Whole = {
  values: {
    'Product.status': 'ACTIVE',
    'ProductVariant.price': '12.50',
    'SellingPlan.id': 'gid://shopify/SellingPlan/77',
    'SellingPlan.pricingPolicies': [],
    'Shop.currencyCode': 'USD',
    'SubscriptionContract.currencyCode': 'USD',
    'SubscriptionContract.status': 'PAUSED',
    'SubscriptionLine.id': 'gid://shopify/SubscriptionLine/11',
    'SubscriptionLine.sellingPlanId': 'gid://shopify/SellingPlan/77',
  },
};

/** Everything that can belong to a customer belongs to Ada, wherever it is read from. */
export function adasStore(namespace: string, whole?: Whole): GraphQLFieldResolver<TestObject, unknown> {
  return (parent, args, _context, { fieldName, parentType, returnType, path }) => {
    const own = whole?.values[`${parentType.name}.${fieldName}`];
    if (own !== undefined) return own;
    const { id, ids } = args as { id?: string; ids?: readonly string[] };
    if (fieldName === 'nodes' && ids !== undefined) return ids.map(named);
    if (fieldName === 'node' && id !== undefined) return named(id);
    // Customers get the service's error messages, and no other fields of the payload.
    if (fieldName === 'userErrors' && FORWARDED_FOR_CUSTOMERS.includes(parentType.name)) return [];
    // The ownership check searches the customer's own addresses.
    if (fieldName === 'addressesV2') return { __typename: 'MailingAddressConnection', seed: WORLD.seed };
    if (parent.__typename === 'MailingAddressConnection' && fieldName === 'nodes') return [ADDRESS];
    // A list of billing cycles begins at the next order: here the cycle that the service reads to find it.
    if (fieldName === 'status' && String(path.prev?.key).startsWith('_svcFirst')) return 'UNBILLED';
    // The same through a root as through its customer: Ada's lists are the store's. An attempt is the asked contract's.
    const isAttempted = fieldName === 'subscriptionContract' && path.prev?.key === '_svcAttempted';
    const seed = hash(isAttempted ? WORLD.seed : parent.seed, fieldName);
    const isSteady =
      whole !== undefined ||
      path.key === '_svcSubject' ||
      ['id', 'customer', 'status', 'type', 'subscriptionBillingCycles'].includes(fieldName);
    return make(platformType(parentType.name, fieldName) ?? returnType, {
      seed,
      parent,
      fieldName,
      namespace,
      isSteady,
      spawn,
      ...(whole && { length: 1 }),
    });
  };
}

const FORWARDED_FOR_CUSTOMERS = ['CustomerAddressUpdatePayload', 'CustomerUpdatePayload'];

const ADDRESS = {
  __typename: 'MailingAddress',
  seed: hash('address'),
  tail: '11?model_name=CustomerAddress',
};

/** Where the schemas differ, in the order of an enum for example, the data is the platform's. */
function platformType(typeName: string, fieldName: string): GraphQLOutputType | undefined {
  const type = platformSchema.getType(typeName);
  return isObjectType(type) ? type.getFields()[fieldName]?.type : undefined;
}

const spawn = (__typename: string, seed: number): TestObject =>
  __typename === 'Customer' ? { __typename, seed: WORLD.seed, tail: `${ADA}` } : { __typename, seed };

function named(id: string): TestObject {
  const [, type = '', tail = ''] = /^gid:\/\/\w+\/(\w+)\/(.+)$/.exec(id) ?? [];
  return { ...spawn(type, hash(type, tail)), tail };
}

/** Documents that the platform's schema has nothing against. */
const valid = new Set<string>();

/** Answers what is sent to the platform, which has to be valid there. */
export function adasPlatform(whole?: Whole): StandIn {
  return async ({ document, variables }) => {
    if (!valid.has(document))
      expect(validate(platformSchema, parse(document)).map(({ message }) => message)).toEqual([]);
    valid.add(document);
    const request = { schema: platformSchema, namespace: 'shopify', document, variables };
    const { data, errors = [] } = await executeIn(WORLD, request, adasStore('shopify', whole));
    return { data: data ?? null, errors: JSON.parse(JSON.stringify(errors)) };
  };
}
