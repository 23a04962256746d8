/** `subscriptionLineOptions`: what a line can be swapped for, what can be added, at which price. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { rowsOf } from '../../../graphql/roots/line-options/option-rows.ts';
import type { ContractRecord } from '../../../infra/emulators/platform/state/contract-records.ts';
import { newPlatform } from '../../infra/emulators/platform/admin/harness.ts';
import { neverAsked } from '../world/harness.ts';
import { createResolveWorld } from '../world/resolve-world.ts';

const contractGid = (number: number) => `gid://platform/SubscriptionContract/${number}`;
const [WEEKLY, MONTHLY, DECAF, BENS] = [9101001, 9101002, 9101003, 9101004];
const CAD = 9102002;

const world = createResolveWorld();
beforeEach(() => {
  world.platform.holder.state = newPlatform({ contracts: 30 }).holder.state;
});

const TITLES = 'nodes { productVariant { title } product { title } } pageInfo { hasNextPage endCursor }';
const options = (contract: number | string, args: string, selection = TITLES) =>
  `{ options: subscriptionLineOptions(contractId: "${typeof contract === 'number' ? contractGid(contract) : contract}", ${args}) { ${selection} } }`;

function contractOf(number: number): ContractRecord {
  const found = world.platform.store().contracts.get(number);
  if (found === undefined) throw new Error(`no contract ${number}`);
  return found;
}
const lineOf = (number: number, index = 0) =>
  `gid://platform/SubscriptionLine/${contractOf(number).content.lines[index]?.id}`;

type Node = { productVariant: { title: string }; product: { title: string } };
const titlesOf = (data: { options: { nodes: Node[] } }) =>
  data.options.nodes.map(({ product, productVariant }) => `${product.title} ${productVariant.title}`);

describe('is refused', () => {
  const refused = [{ options: null }, ['FORBIDDEN at options']];

  test.each(['customer', 'store for a customer'] as const)(
    'to a %s: what is not the own, or absent',
    async (as) => {
      const queries = [
        options(BENS, 'first: 5'),
        options(1, 'first: 5'),
        options('junk', 'first: 5'),
        options(DECAF, `lineId: "${lineOf(BENS)}", first: 5`),
        options(DECAF, 'lineId: "gid://platform/SubscriptionLine/x", first: 5'),
        options(DECAF, 'lineId: "junk", first: 5'),
      ];
      for (const query of queries) {
        const { data, errors, sent } = await world.ask({ as, query });
        expect([data, errors]).toEqual(refused);
        expect(sent.length).toBeLessThanOrEqual(1);
      }
    },
  );

  test('to customers what is closed of products, variants and plans', async () => {
    for (const field of [
      'product { status }',
      'productVariant { inventoryQuantity }',
      'sellingPlan { createdAt }',
    ]) {
      const query = options(DECAF, 'first: 1', `nodes { ${field} }`);
      expect((await world.ask({ as: 'customer', query }, neverAsked)).errors).toEqual([
        'FIELD_NOT_AVAILABLE at undefined',
      ]);
    }
  });

  test.each(['customer', 'store'] as const)('to a %s: a page of more than 50', async (as) => {
    const literal = await world.ask({ as, query: options(DECAF, 'first: 51') }, neverAsked);
    expect(literal.errors).toEqual(['QUERY_TOO_COMPLEX at undefined']);
    const query = options(DECAF, 'first: $n').replace('{', 'query ($n: Int) {');
    const variable = await world.ask({ as, query, variables: { n: 51 } }, neverAsked);
    expect(variable.errors).toEqual(['QUERY_TOO_COMPLEX at undefined']);
  });

  test.each(['after: "x"', 'first: -1', 'first: 1, after: "junk"', 'first: 1, after: "WzFd"'])(
    'with the arguments %s',
    async (args) => {
      const { data, errors } = await world.ask({ as: 'store', query: options(DECAF, args) });
      expect([data, errors]).toEqual([{ options: null }, ['GRAPHQL_VALIDATION_FAILED at options']]);
    },
  );

  test('with the cursor of a group that the contract does not have', async () => {
    const first = await world.ask({ as: 'store', query: options(DECAF, 'first: 1') });
    const cursor = JSON.parse(Buffer.from(first.data.options.pageInfo.endCursor, 'base64url').toString());
    cursor[1] = 'gid://shopify/SellingPlanGroup/8301099';
    const forged = Buffer.from(JSON.stringify(cursor)).toString('base64url');
    const { errors } = await world.ask({
      as: 'customer',
      query: options(DECAF, `first: 1, after: "${forged}"`),
    });
    expect(errors).toEqual(['GRAPHQL_VALIDATION_FAILED at options']);
  });

  test('in a document with more than five roots that take several requests', async () => {
    const roots = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => options(DECAF, 'first: 1').replace('{ options', ` o${index}`).slice(0, -1)).join(' ')} }`;
    for (const as of ['customer', 'store'] as const) {
      const { result, errors } = await world.ask({ as, query: roots(6) }, neverAsked);
      expect(errors).toEqual(['QUERY_TOO_COMPLEX at undefined']);
      expect(result.errors?.[0]?.message).toContain('is 5, the query has 6');
    }
    const { errors, sent } = await world.ask({ as: 'store', query: roots(5) });
    expect([errors, sent.length]).toEqual([[], 11]);
  });

  test('a store reads null for what is not there', async () => {
    for (const args of ['first: 1', 'lineId: "gid://platform/SubscriptionLine/x", first: 1']) {
      const query = options(args === 'first: 1' ? 1 : DECAF, args);
      const { data, errors } = await world.ask({ as: 'store', query });
      expect([data, errors]).toEqual([{ options: null }, []]);
    }
  });
});

describe.each(['customer', 'store', 'store for a customer'] as const)('a %s reads', (as) => {
  test('what a line can be swapped for: active products of its plan, but not the variant itself', async () => {
    const query = options(DECAF, `lineId: "${lineOf(DECAF)}", first: 50`);
    const { data, errors, sent } = await world.ask({ as, query });
    expect(errors).toEqual([]);
    expect(sent).toHaveLength(3);
    expect(titlesOf(data)).toEqual([
      'Harbor House Blend 250 g',
      'Harbor House Blend 500 g',
      'Harbor House Blend 1 kg',
      'Night Watch Decaf 500 g',
      'Filter Papers 100 sheets',
      'Filter Papers 200 sheets',
    ]);
    expect(data.options.pageInfo).toEqual({ hasNextPage: false, endCursor: expect.any(String) });
  });

  test('everything about an option that is asked for', async () => {
    const selection = `__typename edges { __typename cursor node { v: productVariant { id again: title } productVariant { title sku }
      ... on SubscriptionLineOption { product { id title featuredImage { url } } p: sellingPlan { ...P @include(if: true) }
      price: currentPrice { __typename amount currencyCode } availableForSale } } }
      nodes { productVariant { title: id } } pageInfo { startCursor hasPreviousPage }`;
    const query = `${options(DECAF, 'first: 1', selection)} fragment P on SellingPlan { id name }`;
    const { data, errors } = await world.ask({ as, query });
    expect(errors).toEqual([]);
    const cursor = data.options.edges[0].cursor;
    expect(data.options).toEqual({
      __typename: 'SubscriptionLineOptionConnection',
      edges: [
        {
          __typename: 'SubscriptionLineOptionEdge',
          cursor,
          node: {
            v: { id: 'gid://platform/ProductVariant/810100101', again: '250 g' },
            productVariant: { title: '250 g', sku: 'HB-250' },
            product: {
              id: 'gid://platform/Product/8101001',
              title: 'Harbor House Blend',
              featuredImage: { url: expect.stringContaining('coffee-bag') },
            },
            p: { id: 'gid://platform/SellingPlan/830100102', name: 'Every 2 weeks' },
            price: { __typename: 'MoneyV2', amount: '12.6', currencyCode: 'USD' },
            availableForSale: true,
          },
        },
      ],
      nodes: [{ productVariant: { title: 'gid://platform/ProductVariant/810100101' } }],
      pageInfo: { startCursor: cursor, hasPreviousPage: false },
    });
  });
});

describe('the price', () => {
  const prices = options(WEEKLY, 'first: 2', 'nodes { currentPrice { amount } availableForSale }');
  const amounts = (data: { options: { nodes: { currentPrice: { amount: string } }[] } }) =>
    data.options.nodes.map(({ currentPrice }) => currentPrice.amount);

  test("is that of the contract's next order: billed orders count, and one that it came from", async () => {
    const contract = contractOf(WEEKLY);
    const ask = async () => amounts((await world.ask({ as: 'customer', query: prices })).data);
    expect([contract.billedCycles.length, contract.originOrderId]).toEqual([6, expect.any(Number)]);
    const plan = world.platform.store().sellingPlans.get(830100101);
    for (const [afterCycle, expected] of [
      [6, '11.9'],
      [7, '11.9'],
      [8, '12.6'],
    ] as const) {
      if (plan?.pricingPolicies[1]) plan.pricingPolicies[1].afterCycle = afterCycle;
      expect((await ask())[0]).toBe(expected);
    }
    contract.originOrderId = null;
    if (plan?.pricingPolicies[1]) plan.pricingPolicies[1].afterCycle = 7;
    expect(await ask()).toEqual(['12.6', '23.4']);
    // Skipping orders is none of them.
    contract.billedCycles = [];
    if (plan?.pricingPolicies[1]) plan.pricingPolicies[1].afterCycle = 1;
    expect(await ask()).toEqual(['12.6', '23.4']);
  });

  test('is not told in another currency than the store has, nor without a cycle: there is nothing to choose', async () => {
    const nothing = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
    const foreign = await world.ask({ as: 'store', query: options(CAD, 'first: 5') });
    expect([foreign.data, foreign.errors, foreign.sent.length]).toEqual([{ options: nothing }, [], 1]);
    for (const segment of contractOf(DECAF).schedule) segment.startAt = '2099-01-01T00:00:00Z';
    const ahead = await world.ask({ as: 'customer', query: options(DECAF, 'first: 5') });
    expect([ahead.data, ahead.sent.length]).toEqual([{ options: nothing }, 1]);
  });
});

describe('pages', () => {
  /** Every page, to the end: the titles of each. */
  async function pages(contract: number, size: number, more = ''): Promise<string[][]> {
    const all: string[][] = [];
    let after = '';
    for (let page = 0; page < 40; page += 1) {
      const query = options(contract, `first: ${size}${more}${after}`);
      const { data, errors, sent } = await world.ask({ as: 'customer', query });
      expect(errors).toEqual([]);
      expect(sent).toHaveLength(3);
      all.push(titlesOf(data));
      const { hasNextPage, endCursor } = data.options.pageInfo;
      if (!hasNextPage) return all;
      after = `, after: "${endCursor}"`;
    }
    throw new Error('the list has no end');
  }

  test.each([1, 2, 3, 50])('of %d bring each option once, none of a draft', async (size) => {
    const all = await pages(MONTHLY, size);
    expect(all.every((page) => page.length <= size)).toBe(true);
    expect(all.flat()).toEqual([
      'Harbor House Blend 250 g',
      'Harbor House Blend 500 g',
      'Harbor House Blend 1 kg',
      'Night Watch Decaf 250 g',
      'Night Watch Decaf 500 g',
      'Filter Papers 100 sheets',
      'Filter Papers 200 sheets',
    ]);
  });

  test('go on inside a product of many variants, and to variants that joined a group alone', async () => {
    const shop = world.platform.store();
    const [variant] = shop.variants.values();
    if (variant === undefined) throw new Error('no variant');
    for (let more = 0; more < 25; more += 1) {
      const id = variant.id * 1000 + more;
      shop.variants.set(id, { ...variant, id, title: `Tin ${more}`, position: 10 + more });
    }
    const group = shop.sellingPlanGroups.get(8301001);
    group?.variantIds.push(810100401, 810100101);
    for (const size of [4, 13, 50]) {
      const all = (await pages(MONTHLY, size)).flat();
      expect(all).toHaveLength(7 + 25 + 1);
      expect(new Set(all).size).toBe(all.length);
      expect(all.at(-1)).toBe('Enamel Mug Navy');
    }
  });

  test('of several groups list a product once, under the plan that it would get', async () => {
    const contract = contractOf(DECAF);
    const [line] = contract.content.lines;
    if (line === undefined) throw new Error('no line');
    contract.content.lines.push({ ...line, id: 'second', sellingPlanId: 830100201 });
    const query = options(
      DECAF,
      'first: 50',
      'nodes { productVariant { title } product { title } sellingPlan { name } } pageInfo { hasNextPage endCursor }',
    );
    const { data } = await world.ask({ as: 'customer', query });
    expect(
      new Set(data.options.nodes.map((one: { sellingPlan: { name: string } }) => one.sellingPlan.name)),
    ).toEqual(new Set(['Every 2 weeks']));
    const all = await pages(DECAF, 50);
    expect(all.map((page) => page.length)).toEqual([7, 0]);
    const prepaid = await pages(DECAF, 50, ', lineId: "gid://platform/SubscriptionLine/second"');
    expect(prepaid.flat()).toEqual(['Night Watch Decaf 500 g']);
  });
});

test('errors of the platform stand at each place of the option', async () => {
  const query = options(
    DECAF,
    'first: 2',
    'nodes { id: __typename productVariant { image { url } } sellingPlan { name } }',
  );
  const { result } = await world.ask({ as: 'store', query }, async (sent) => {
    const answer = await world.standIn(sent);
    if (!sent.document.includes('_svcOfProducts')) return answer;
    const plan = /_svcAt\d+(?=: node)/.exec(sent.document)?.[0] ?? '';
    const variant = [
      '_svcGroup',
      '_svcProducts',
      'edges',
      0,
      'node',
      '_svcVariants',
      'edges',
      1,
      'node',
      'image',
    ];
    return {
      ...answer,
      errors: [
        { message: 'No image.', path: variant },
        { message: 'No name.', path: [plan, 'name'] },
      ],
    };
  });
  expect(result.errors?.map(({ message, path }) => `${message} ${path?.join('.')}`)).toEqual([
    'No image. options.nodes.1.productVariant.image',
    'No name. options.nodes.0.sellingPlan.name',
    'No name. options.nodes.1.sellingPlan.name',
  ]);
});

test('a page that the platform cannot bring takes the list along', async () => {
  const { data, errors } = await world.ask(
    { as: 'store', query: options(DECAF, 'first: 2') },
    async (sent) =>
      sent.document.includes('_svcOfProducts')
        ? {
            data: { _svcGroup: null },
            errors: [{ message: 'Down.', path: ['_svcGroup', '_svcProducts', 'edges'] }],
          }
        : world.standIn(sent),
  );
  expect([data, errors]).toEqual([{ options: null }, ['undefined at options']]);
});

test('what an earlier group has listed is left out, whether the platform tells by product or by variant', () => {
  const [first, second] = ['gid://shopify/SellingPlanGroup/1', 'gid://shopify/SellingPlanGroup/2'];
  const groups = (...ids: string[]) => ({ nodes: ids.map((id) => ({ id })) });
  const variant = (id: string, ...ids: string[]) => ({
    cursor: id,
    node: { _svcId: id, _svcPrice: '1.00', _svcForSale: true, _svcGroups: groups(...ids) },
  });
  const page = <Edge>(...edges: Edge[]) => ({ pageInfo: { hasNextPage: false }, edges });
  const product = (id: string, joined: string[], ...variants: ReturnType<typeof variant>[]) => ({
    cursor: id,
    node: {
      _svcId: id,
      _svcStatus: 'ACTIVE',
      _svcGroups: groups(...joined),
      _svcVariants: page(...variants),
    },
  });
  const answer = {
    _svcGroup: {
      _svcLoose: { count: 0 },
      _svcProducts: page(
        product('both', [first, second], variant('by product', second)),
        product('new', [second], variant('by variant', first, second), variant('shown', second)),
      ),
    },
  };
  const position = { kind: 'products', group: second, after: null } as const;
  const { rows } = rowsOf(answer, { position, earlier: new Set([first]), except: undefined });
  expect(rows.map((row) => row.variant._svcId)).toEqual(['shown']);
});
