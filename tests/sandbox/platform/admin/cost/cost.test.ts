import { describe, expect, test } from '@jest/globals';
import { absent, ada, carla, harbor, juniper, newPlatform, weekly } from '../harness.ts';

describe('requested cost', () => {
  test.each([
    ['scalars only', '{ __typename }', 0],
    ['an object', '{ shop { name } }', 1],
    ['two objects', '{ shop { name primaryDomain { host } } }', 2],
    [
      'edges cost as nodes do',
      '{ products(first: 200) { pageInfo { hasNextPage } edges { cursor node { id } } } }',
      12,
    ],
    ['a page of one', '{ productVariants(first: 1) { nodes { id } pageInfo { hasNextPage } } }', 3],
    [
      'money and addresses are free',
      '{ orders(first: 10) { nodes { totalPriceSet { shopMoney { amount } } shippingAddress { city } } } }',
      6,
    ],
    [
      'the dearest of the possible types',
      '{ node(id: "gid://shopify/Customer/1") { ... on Customer { lastOrder { id } } ... on Order { id } } }',
      2,
    ],
    ['a skipped field is free', '{ shop { name primaryDomain @skip(if: true) { host } } }', 1],
  ])('%s', async (_name, query, cost) => {
    expect((await newPlatform().ask(query)).extensions.cost.requestedQueryCost).toBe(cost);
  });

  // Requested costs that the real platform returned to users for documents of the same shape.
  test.each([
    ['{ customers(first: 200) { nodes { id phone } } }', 12],
    [`{ product(id: "${absent}") { variants(first: 250) { nodes { product { id } } } } }`, 25],
    [
      `{ customer(id: "${absent}") { lastOrder { lineItems(first: 100) { edges { cursor node { variant { id product { id } } originalUnitPriceSet { shopMoney { amount } } } } } } } }`,
      31,
    ],
    [
      '{ products(first: 100) { edges { cursor node { id media(first: 1) { edges { node { ... on MediaImage { id image { url } } } } } } } } }',
      47,
    ],
    [
      `{ order(id: "${absent}") { lineItems(first: 100) { edges { cursor node { id customAttributes { value } variant { id product { id seo { title } } } } } } } }`,
      48,
    ],
  ])('equals the cost that was measured at the platform: %s', async (query, cost) => {
    expect((await newPlatform().ask(query)).extensions.cost.requestedQueryCost).toBe(cost);
  });

  test("whether `nodes` counts once or for each id is the store's setting", async () => {
    const platform = newPlatform();
    const query = `{ nodes(ids: ["${ada}", "${carla}"]) { ... on Customer { id lastOrder { id } } } }`;
    const costs = [];
    for (const nodesCost of ['each', 'once'] as const) {
      platform.store().unpublished.nodesCost = nodesCost;
      costs.push((await platform.ask(query)).extensions.cost.requestedQueryCost);
    }
    expect(costs).toEqual([4, 2]);
  });

  test('a mutation is 10, and so is its alias', async () => {
    const skip = `subscriptionBillingCycleSkip(billingCycleInput: { contractId: "${weekly}", selector: { index: 9 } }) { billingCycle { skipped sourceContract { id } } userErrors { message } }`;
    const { extensions } = await newPlatform().ask(`mutation { a: ${skip} b: ${skip} }`);
    expect(extensions.cost).toMatchObject({ requestedQueryCost: 20, actualQueryCost: 20 });
  });

  test('less than linear: ten times the page is not ten times the cost', async () => {
    const platform = newPlatform();
    const costs = await Promise.all(
      [25, 250].map(
        async (first) =>
          (await platform.ask(`{ customers(first: ${first}) { nodes { id } } }`)).extensions.cost
            .requestedQueryCost,
      ),
    );
    expect(costs[1]).toBeLessThan((costs[0] ?? 0) * 4);
  });
});

describe('the bucket', () => {
  const query = '{ customers(first: 250) { nodes { id orders(first: 50) { nodes { id } } } } }';

  test('holds 2,000, is charged what was used, and restores 100 a second', async () => {
    const platform = newPlatform();
    const { cost } = (await platform.ask(query)).extensions;
    expect(cost.actualQueryCost).toBeLessThan(cost.requestedQueryCost);
    expect(cost.throttleStatus).toEqual({
      maximumAvailable: 2000,
      currentlyAvailable: 2000 - cost.actualQueryCost,
      restoreRate: 100,
    });
    platform.holder.nowMs += 1000;
    const later = (await platform.ask('{ __typename }')).extensions.cost.throttleStatus.currentlyAvailable;
    expect(later).toBe(Math.min(2000, 2000 - cost.actualQueryCost + 100));
  });

  test('returns THROTTLED for what does not fit: 200, no data, actual cost null; other stores are not affected', async () => {
    const platform = newPlatform();
    platform.store().throttle = { maximumAvailable: 30, restoreRate: 10 };
    const answer = await platform.send(JSON.stringify({ query }));
    expect(answer.status).toBe(200);
    const { data, errors, extensions } = JSON.parse(answer.body);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ message: 'Throttled', extensions: { code: 'THROTTLED' } }]);
    expect(extensions.cost).toMatchObject({
      actualQueryCost: null,
      throttleStatus: { maximumAvailable: 30, currentlyAvailable: 30, restoreRate: 10 },
    });
    expect(await platform.data(query, {}, juniper)).toBeDefined();
  });

  test('nothing is executed when throttled', async () => {
    const platform = newPlatform();
    platform.api.throttleNext(harbor, 1);
    const pause = `mutation { subscriptionContractPause(subscriptionContractId: "${weekly}") { contract { status } } }`;
    expect((await platform.ask(pause)).errors[0].extensions.code).toBe('THROTTLED');
    platform.holder.nowMs += 1000;
    expect(await platform.data(`{ subscriptionContract(id: "${weekly}") { status } }`)).toEqual({
      subscriptionContract: { status: 'ACTIVE' },
    });
  });

  test('throttleNext counts requests, and waiting for the stated time is enough', async () => {
    const platform = newPlatform();
    platform.api.throttleNext(harbor, 2);
    const first = await platform.ask('{ shop { name } }');
    expect(first.extensions.cost.throttleStatus.currentlyAvailable).toBe(0);
    expect((await platform.ask('{ shop { name } }')).errors[0].extensions.code).toBe('THROTTLED');
    platform.holder.nowMs += 10;
    expect((await platform.ask('{ shop { name } }')).data).toEqual({ shop: { name: 'Harbor Coffee' } });
  });

  test('a clock moved back restores nothing and breaks nothing', async () => {
    const platform = newPlatform();
    await platform.ask(query);
    platform.holder.nowMs -= 3_600_000;
    expect((await platform.ask('{ shop { name } }')).data).toBeDefined();
  });

  test('reset fills it', async () => {
    const platform = newPlatform();
    platform.api.throttleNext(harbor, 5);
    platform.api.reset();
    expect((await platform.ask('{ shop { name } }')).extensions.cost.throttleStatus.currentlyAvailable).toBe(
      1999,
    );
  });
});

test('above 1,000 points: MAX_COST_EXCEEDED before anything runs', async () => {
  const inner =
    'subscriptionContracts(first: 250) { nodes { id orders(first: 250) { nodes { id lineItems(first: 250) { nodes { id } } } } } }';
  const answer = await newPlatform().ask(`{ customers(first: 250) { nodes { ${inner} } } }`);
  expect(answer.data).toBeUndefined();
  expect(answer.errors[0].extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', maxCost: 1000 });
});

test('an absent object costs nothing in the end', async () => {
  const { extensions } = await newPlatform().ask('{ customer(id: "gid://shopify/Customer/1") { id } }');
  expect(extensions.cost).toMatchObject({ requestedQueryCost: 1, actualQueryCost: 0 });
});

test('a short page costs what it holds', async () => {
  const page = (id: string) =>
    `{ customer(id: "${id}") { subscriptionContracts(first: 250) { nodes { id customer { id } } } } }`;
  const platform = newPlatform();
  const few = (await platform.ask(page(ada))).extensions.cost;
  const many = (await platform.ask(page(carla))).extensions.cost;
  expect(few.requestedQueryCost).toBe(many.requestedQueryCost);
  expect(few.actualQueryCost).toBeLessThan(many.actualQueryCost);
});
