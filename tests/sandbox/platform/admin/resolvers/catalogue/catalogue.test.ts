import { describe, expect, test } from '@jest/globals';
import { juniper, newPlatform, type Platform } from '../../harness.ts';

const group = 'gid://shopify/SellingPlanGroup/8301001';
const mug = 'gid://shopify/Product/8101004';
const navyMug = 'gid://shopify/ProductVariant/810100401';
const absentGroup = 'gid://shopify/SellingPlanGroup/1';
const errors = 'userErrors { field code }';

describe('products and variants', () => {
  test('a product has its options, prices, picture and plans', async () => {
    const { product } = await newPlatform().data(`{ product(id: "gid://shopify/Product/8101001") {
      title status priceRangeV2 { minVariantPrice { amount } maxVariantPrice { amount } }
      variants(first: 5) { nodes { title price availableForSale image { url } } }
      sellingPlanGroupsCount { count } featuredMedia { ... on MediaImage { image { url } } } } }`);
    expect(product).toMatchObject({
      title: 'Harbor House Blend',
      priceRangeV2: { minVariantPrice: { amount: '14.0' }, maxVariantPrice: { amount: '48.0' } },
      sellingPlanGroupsCount: { count: 1 },
      featuredMedia: { image: { url: 'http://127.0.0.1:4000/_assets/coffee-bag.svg' } },
    });
    expect(product.variants.nodes[0]).toMatchObject({
      title: '250 g',
      price: '14.00',
      availableForSale: true,
    });
  });

  test('a draft is listed, but not for sale', async () => {
    const { products } = await newPlatform().data(
      '{ products(first: 5, query: "status:draft") { nodes { title variants(first: 1) { nodes { availableForSale } } } } }',
    );
    expect(products.nodes).toEqual([
      { title: 'Winter Reserve', variants: { nodes: [{ availableForSale: false }] } },
    ]);
  });

  test('by handle; and each store has its own', async () => {
    const platform = newPlatform();
    const query =
      '{ productByIdentifier(identifier: { handle: "garden-green" }) { title } productsCount { count } }';
    expect(await platform.data(query)).toEqual({ productByIdentifier: null, productsCount: { count: 5 } });
    expect(await platform.data(query, {}, juniper)).toEqual({
      productByIdentifier: { title: 'Garden Green' },
      productsCount: { count: 4 },
    });
  });
});

describe('selling plans', () => {
  test('a group has plans with policies and prices', async () => {
    const { sellingPlanGroup } =
      await newPlatform().data(`{ sellingPlanGroup(id: "${group}") { name productsCount { count } sellingPlans(first: 5) { nodes { name
      billingPolicy { ... on SellingPlanRecurringBillingPolicy { interval intervalCount } }
      pricingPolicies { __typename ... on SellingPlanFixedPricingPolicy { adjustmentValue { ... on SellingPlanPricingPolicyPercentageValue { percentage } } } } } } } }`);
    expect(
      sellingPlanGroup.sellingPlans.nodes.map(
        ({ name, billingPolicy }: { name: string; billingPolicy: object }) => [name, billingPolicy],
      ),
    ).toEqual([
      ['Every week', { interval: 'WEEK', intervalCount: 1 }],
      ['Every 2 weeks', { interval: 'WEEK', intervalCount: 2 }],
      ['Every month', { interval: 'MONTH', intervalCount: 1 }],
    ]);
    expect(sellingPlanGroup.sellingPlans.nodes[0].pricingPolicies[0]).toEqual({
      __typename: 'SellingPlanFixedPricingPolicy',
      adjustmentValue: { percentage: 10 },
    });
  });

  test('products and variants join and leave, from either side', async () => {
    const platform = newPlatform();
    const groups = async () =>
      (await platform.data(
        `{ product(id: "${mug}") { sellingPlanGroups(first: 5) { nodes { id } } } productVariant(id: "${navyMug}") { sellingPlanGroups(first: 5) { nodes { id } } } }`,
      )) as Record<string, { sellingPlanGroups: { nodes: unknown[] } }>;
    const counts = async () =>
      Object.values(await groups()).map(({ sellingPlanGroups }) => sellingPlanGroups.nodes.length);
    const run = (mutation: string) => platform.run(`{ ${mutation} { ${errors} } }`);
    expect(await counts()).toEqual([0, 0]);
    await run(`productJoinSellingPlanGroups(id: "${mug}", sellingPlanGroupIds: ["${group}"])`);
    expect(await counts()).toEqual([1, 1]);
    await run(`sellingPlanGroupRemoveProducts(id: "${group}", productIds: ["${mug}"])`);
    await run(`sellingPlanGroupAddProductVariants(id: "${group}", productVariantIds: ["${navyMug}"])`);
    expect(await counts()).toEqual([0, 1]);
    const { sellingPlanGroup } = await platform.data(
      `{ sellingPlanGroup(id: "${group}") { appliesToProduct(productId: "${mug}") appliesToProductVariant(productVariantId: "${navyMug}") appliesToProductVariants(productId: "${mug}") productVariantsCount { count } } }`,
    );
    expect(sellingPlanGroup).toEqual({
      appliesToProduct: false,
      appliesToProductVariant: true,
      appliesToProductVariants: true,
      productVariantsCount: { count: 1 },
    });
    await run(`productVariantLeaveSellingPlanGroups(id: "${navyMug}", sellingPlanGroupIds: ["${group}"])`);
    expect(await counts()).toEqual([0, 0]);
  });

  test.each([
    [
      `productJoinSellingPlanGroups(id: "${mug}", sellingPlanGroupIds: ["${absentGroup}"])`,
      'GROUP_DOES_NOT_EXIST',
    ],
    [
      `productJoinSellingPlanGroups(id: "gid://shopify/Product/1", sellingPlanGroupIds: ["${group}"])`,
      'PRODUCT_DOES_NOT_EXIST',
    ],
    [`sellingPlanGroupAddProducts(id: "${absentGroup}", productIds: ["${mug}"])`, 'GROUP_DOES_NOT_EXIST'],
    [
      `sellingPlanGroupAddProductVariants(id: "${group}", productVariantIds: ["gid://shopify/ProductVariant/1"])`,
      'PRODUCT_VARIANT_DOES_NOT_EXIST',
    ],
    [`sellingPlanGroupDelete(id: "${absentGroup}")`, 'GROUP_DOES_NOT_EXIST'],
    ['sellingPlanGroupCreate(input: { name: " ", options: ["x"] })', 'BLANK'],
    ['sellingPlanGroupCreate(input: { name: "n", options: ["x"] })', 'SELLING_PLAN_COUNT_LOWER_BOUND'],
    [
      'sellingPlanGroupCreate(input: { name: "n", options: ["x"], sellingPlansToCreate: [{ name: "p", options: ["o"] }] })',
      'SELLING_PLAN_BILLING_POLICY_MISSING',
    ],
  ])('%s: %s', async (mutation, code) => {
    const { userErrors } = await newPlatform().run(`{ ${mutation} { ${errors} } }`);
    expect(userErrors).toMatchObject([{ code }]);
  });

  const daily =
    'billingPolicy: { recurring: { interval: DAY, intervalCount: 10 } }, deliveryPolicy: { recurring: { interval: DAY, intervalCount: 10 } }';

  async function created(platform: Platform) {
    const { sellingPlanGroup } = await platform.run(
      `{ sellingPlanGroupCreate(input: { name: "Often", merchantCode: "often", options: ["Every"], sellingPlansToCreate: [{ name: "10 days", options: ["10 days"], ${daily}, pricingPolicies: [{ fixed: { adjustmentType: FIXED_AMOUNT, adjustmentValue: { fixedValue: 1.5 } } }] }] }, resources: { productIds: ["${mug}"] }) { sellingPlanGroup { id products(first: 5) { nodes { id } } sellingPlans(first: 5) { nodes { id pricingPolicies { ... on SellingPlanFixedPricingPolicy { adjustmentValue { ... on MoneyV2 { amount currencyCode } } } } } } } ${errors} } }`,
    );
    return sellingPlanGroup;
  }

  test('a group is made, changed whole or not at all, and deleted', async () => {
    const platform = newPlatform();
    const made = await created(platform);
    expect(made.products.nodes).toEqual([{ id: mug }]);
    expect(made.sellingPlans.nodes[0].pricingPolicies).toEqual([
      { adjustmentValue: { amount: '1.5', currencyCode: 'USD' } },
    ]);
    const change = (input: string) =>
      platform.run(
        `{ sellingPlanGroupUpdate(id: "${made.id}", input: { ${input} }) { sellingPlanGroup { name sellingPlans(first: 5) { nodes { name } } } ${errors} } }`,
      );
    const refused = await change(
      `name: "Rarely", sellingPlansToCreate: [{ name: "10 days", options: ["again"], ${daily} }]`,
    );
    expect(refused).toMatchObject({
      sellingPlanGroup: null,
      userErrors: [{ code: 'SELLING_PLAN_DUPLICATE_NAME' }],
    });
    expect(await platform.data(`{ sellingPlanGroup(id: "${made.id}") { name } }`)).toEqual({
      sellingPlanGroup: { name: 'Often' },
    });
    const plan = made.sellingPlans.nodes[0].id;
    const changed = await change(
      `name: "Rarely", sellingPlansToUpdate: [{ id: "${plan}", name: "ten days" }]`,
    );
    expect(changed.sellingPlanGroup).toEqual({
      name: 'Rarely',
      sellingPlans: { nodes: [{ name: 'ten days' }] },
    });
    await platform.run(
      `{ sellingPlanGroupDelete(id: "${made.id}") { deletedSellingPlanGroupId ${errors} } }`,
    );
    expect(
      await platform.data(`{ group: node(id: "${made.id}") { id } plan: node(id: "${plan}") { id } }`),
    ).toEqual({ group: null, plan: null });
  });

  test('fixed policies say that they do not behave', async () => {
    const answer = await newPlatform().ask(
      'mutation { sellingPlanGroupCreate(input: { name: "n", options: ["x"], sellingPlansToCreate: [{ name: "p", options: ["o"], billingPolicy: { fixed: {} } }] }) { userErrors { code } } }',
    );
    expect(answer.errors).toMatchObject([{ extensions: { code: 'NOT_EMULATED' } }]);
  });
});
