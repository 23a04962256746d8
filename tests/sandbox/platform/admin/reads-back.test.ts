/** Reads every field of every seeded object: what the schema promises must be there, or say that it does not behave. */
import { describe, expect, test } from '@jest/globals';
import {
  execute,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  isUnionType,
  parse,
} from 'graphql';
import { schema } from '../../../../sandbox/platform/admin/endpoint/schema.ts';
import { listCollections } from '../../../../sandbox/platform/admin/resolvers/catalogue/collections.ts';
import { listMarkets } from '../../../../sandbox/platform/admin/resolvers/markets.ts';
import { harbor, juniper, newPlatform, startMs } from './harness.ts';

const required: Record<string, string> = {
  'metafield.key': '"k"',
  'translations.locale': '"en"',
  'hasProduct.id': '"gid://shopify/Product/8101001"',
  'assignedCustomization.customizationId': '"gid://shopify/Thing/1"',
  'appliesToProduct.productId': '"gid://shopify/Product/8101001"',
  'appliesToProductVariant.productVariantId': '"gid://shopify/ProductVariant/810100101"',
  'appliesToProductVariants.productId': '"gid://shopify/Product/8101001"',
};

/** All fields of a type whose arguments can be given, `depth` objects deep. */
function selection(type: GraphQLNamedType, depth: number, without: Set<string>): string {
  if (isUnionType(type)) {
    return `{ __typename ${type
      .getTypes()
      .map((each) => `... on ${each.name} ${selection(each, depth, without)}`)
      .join(' ')} }`;
  }
  if (!isObjectType(type)) return '{ __typename }';
  const fields = Object.values(type.getFields()).flatMap((field) =>
    without.has(`${type.name}.${field.name}`) ? [] : fieldText({ type, field, depth, without }),
  );
  return `{ __typename ${fields.join(' ')} }`;
}

type FieldIn = {
  type: GraphQLNamedType;
  field: GraphQLField<unknown, unknown>;
  depth: number;
  without: Set<string>;
};

function fieldText({ type: owner, field, depth, without }: FieldIn): string[] {
  const args = field.args.flatMap(({ name, type, defaultValue }) => {
    if (name === 'first') return ['first: 3'];
    if (!isNonNullType(type) || defaultValue !== undefined) return [];
    return [`${name}: ${required[`${field.name}.${name}`]}`];
  });
  if (args.some((arg) => arg.endsWith('undefined'))) return [];
  const type = getNamedType(field.type);
  if (isCompositeType(type) && depth === 0) return [];
  const below = isCompositeType(type)
    ? selection(type, type.name.endsWith('Connection') ? depth : depth - 1, without)
    : '';
  // Unions merge fields of many types: an alias by owner separates their arguments.
  return [
    `${owner.name}_${field.name}: ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${below}`,
  ];
}

const nodes: [
  type: string,
  shop: string,
  tails: (store: ReturnType<ReturnType<typeof newPlatform>['store']>) => (string | number)[],
][] = [
  ['Customer', harbor, ({ customers }) => [...customers.keys()]],
  ['Customer', juniper, ({ customers }) => [...customers.keys()]],
  ['CustomerPaymentMethod', harbor, ({ paymentMethods }) => [...paymentMethods.keys()]],
  [
    'MailingAddress',
    harbor,
    ({ addresses }) => [...addresses.values()].map(({ id, model }) => `${id}?model_name=${model}`),
  ],
  ['Product', harbor, ({ products }) => [...products.keys()]],
  ['Product', juniper, ({ products }) => [...products.keys()]],
  ['ProductVariant', harbor, ({ variants }) => [...variants.keys()]],
  ['SellingPlanGroup', harbor, ({ sellingPlanGroups }) => [...sellingPlanGroups.keys()]],
  ['SellingPlan', harbor, ({ sellingPlans }) => [...sellingPlans.keys()]],
  ['SubscriptionContract', harbor, ({ contracts }) => [...contracts.keys()]],
  ['SubscriptionContract', juniper, ({ contracts }) => [...contracts.keys()]],
  ['SubscriptionBillingAttempt', harbor, ({ attempts }) => [...attempts.keys()]],
  ['Order', harbor, ({ orders }) => [...orders.keys()]],
  ['Location', harbor, ({ locations }) => [...locations.keys()]],
  ['Shop', harbor, ({ shopId }) => [shopId]],
  ['Collection', harbor, (store) => listCollections({ store }).map(({ id }) => id)],
  ['Market', harbor, (store) => listMarkets({ store }).map(({ id }) => id)],
];

/** Nested fields that say so instead of answering. */
const outside =
  /(events|metafieldDefinitions|Image.metafield|Customer.image|mandates|[pP]ublications?(?:Count|sV2)?$|unpublishedChannels|publishedOnCurrent|App.channels|AppInstallation.metafield)/;

describe.each(nodes)('%s of %s', (type, shop, tails) => {
  test('reads back, every field', async () => {
    const platform = newPlatform({ contracts: 5 });
    const store = platform.store(shop);
    const typeNode = schema.getType(type);
    const ids = tails(store).map((tail) => `gid://shopify/${type}/${tail}`);
    expect(ids.length).toBeGreaterThan(0);
    if (typeNode === undefined) throw new Error(type);
    const context = { state: platform.holder.state, store, nowMs: startMs, origin: 'http://127.0.0.1:4000' };
    // A field that does not behave may null what is around it: it is left out, and the rest read again.
    const descriptions = new Set<string>();
    for (let before = -1; before < descriptions.size; ) {
      before = descriptions.size;
      const document = parse(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} ${selection(typeNode, 2, descriptions)} } }`,
      );
      const result = await execute({ schema, document, contextValue: context, variableValues: { ids } });
      const silent = (result.errors ?? []).filter(({ extensions }) => extensions.code !== 'NOT_EMULATED');
      expect(silent.map(({ message, path }) => `${path?.join('.')}: ${message}`)).toEqual([]);
      for (const { message } of result.errors ?? []) descriptions.add(message.split('"')[1] ?? '');
    }
    expect([...descriptions].filter((name) => !outside.test(name))).toEqual([]);
  });

  test('is found under its own id', async () => {
    const platform = newPlatform({ contracts: 5 });
    const ids = tails(platform.store(shop)).map((tail) => `gid://shopify/${type}/${tail}`);
    const { nodes: found } = await platform.data(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids },
      shop,
    );
    expect(found.map(({ id }: { id: string }) => id)).toEqual(ids);
    const other = shop === harbor ? juniper : harbor;
    const otherShop = await platform.data('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids }, other);
    expect(otherShop.nodes).toEqual(ids.map(() => null));
  });
});
