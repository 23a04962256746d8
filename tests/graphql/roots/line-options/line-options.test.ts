/** `subscriptionLineOptions`: what a line can be swapped for, what can be added, at which price. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toOptionRows } from '../../../../graphql/roots/line-options/option-rows.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { anyText } from '../../../any-text.ts';
import { newPlatform } from '../../../sandbox/platform/admin/harness.ts';
import { neverCalled } from '../../world/harness.ts';
import { createResolveWorld } from '../../world/resolve-world.ts';

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
      expect((await world.ask({ as: 'customer', query }, neverCalled)).errors).toEqual([
        'FIELD_NOT_AVAILABLE at undefined',
      ]);
    }
  });

  test.each(['customer', 'store'] as const)('refuses a %s a page of more than 50', async (as) => {
    const literal = await world.ask({ as, query: options(DECAF, 'first: 51') }, neverCalled);
    expect(literal.errors).toEqual(['QUERY_TOO_COMPLEX at undefined']);
    const query = options(DECAF, 'first: $n').replace('{', 'query ($n: Int) {');
    const variable = await world.ask({ as, query, variables: { n: 51 } }, neverCalled);
    expect(variable.errors).toEqual(['QUERY_TOO_COMPLEX at undefined']);
  });

  test.each(['after: "x"', 'first: -1', 'first: 1, after: "junk"', 'first: 1, after: "WzFd"'])(
    'rejects the arguments %s',
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
      const { result, errors } = await world.ask({ as, query: roots(6) }, neverCalled);
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
  test('lists what a line can be swapped for: active products of its plan, but not the variant itself', async () => {
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

  test('lists 25 options without a size', async () => {
    const listed = async (args: string) =>
      (await world.ask({ as, query: options(DECAF, `lineId: "${lineOf(DECAF)}"${args}`) })).data;
    expect(titlesOf(await listed(''))).toEqual(titlesOf(await listed(', first: 25')));
  });

  test('returns every selected field of an option', async () => {
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

  test('uses the price of the contract’s next order, after billed orders and the origin order', async () => {
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
    // The skipped orders are not counted.
    contract.billedCycles = [];
    if (plan?.pricingPolicies[1]) plan.pricingPolicies[1].afterCycle = 1;
    expect(await ask()).toEqual(['12.6', '23.4']);
  });

  test('lists no option when its price is unknown: in another currency than the store’s, or without a cycle', async () => {
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
      expect(sent.length).toBeLessThanOrEqual(4);
      all.push(titlesOf(data));
      const { hasNextPage, endCursor } = data.options.pageInfo;
      if (!hasNextPage) return all;
      after = `, after: "${endCursor}"`;
    }
    throw new Error('the list has no end');
  }

  test.each([1, 2, 3, 50])('lists each option once in pages of %d, and none of a draft', async (size) => {
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

  test('continues inside a product of many variants, and with variants that joined a group alone', async () => {
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

  test('continues inside a product that is in more groups than one request reads', async () => {
    const shop = world.platform.store();
    const { sellingPlanGroups: groups } = shop;
    const [variant] = shop.variants.values();
    const seeded = [...groups];
    const [first] = groups.values();
    if (variant === undefined || first === undefined) throw new Error('nothing to copy');
    groups.clear();
    for (let id = 1; id <= 10; id += 1) groups.set(id, { ...first, id, productIds: [variant.productId] });
    for (const [id, group] of seeded) groups.set(id, group);
    expect((await pages(MONTHLY, 2)).flat()).toHaveLength(7);
  });

  test('lists a product of several groups once, under the plan that it would get', async () => {
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

describe('a made-up cursor', () => {
  const GROUP = 'gid://shopify/SellingPlanGroup/8301001';
  const product = (id: number | string) => `gid://shopify/Product/${id}`;
  const [HOUSE, UNRELATED, DRAFT, ABSENT, FOREIGN] = [8101001, 8101004, 8101005, 8101999, 8202001];
  const [OF_HOUSE, OF_DECAF, OF_UNRELATED] = [810100101, 810100201, 810100401];
  const [OF_DRAFT, NO_VARIANT] = [810100501, 810199901];
  /** The cursor in the platform's format, which is not encrypted. */
  const at = (id: number | string) => Buffer.from(`last_id:${id}`).toString('base64url');
  const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const SELECTION =
    'nodes { productVariant { id } product { id } sellingPlan { id } currentPrice { amount } } pageInfo { hasNextPage startCursor endCursor }';
  const REFUSED = {
    data: { options: null },
    errors: [
      {
        message: 'The cursor does not belong to this list. Start with the first page.',
        path: ['options'],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ],
  };
  type Actor = Parameters<typeof world.ask>[0]['as'];
  type Answering = Parameters<typeof world.ask>[1];
  async function ask(cursor: string | undefined, as: Actor = 'customer', answering?: Answering) {
    return askIn('first: 50, after: $cursor', cursor, as, answering);
  }
  async function askIn(
    args: string,
    cursor: string | undefined,
    as: Actor = 'customer',
    answering?: Answering,
  ) {
    const query = `query($cursor: String) ${options(DECAF, args, SELECTION)}`;
    const { result, sent } = await world.ask({ as, query, variables: { cursor } }, answering);
    return { data: result.data, errors: result.errors, sent };
  }
  const refusedBy = ({ data, errors }: Awaited<ReturnType<typeof ask>>) => ({ data, errors });

  test.each(['customer', 'store', 'store for a customer'] as const)(
    'does not reveal to a %s whether a product exists',
    async (as) => {
      const archived = world.platform.store().products.get(8101003);
      if (archived) archived.status = 'ARCHIVED';
      const ids = [
        ...[DRAFT, 8101003, UNRELATED, ABSENT, FOREIGN].map(product),
        ...[product('x'), product(0), product('9'.repeat(19)), product('9'.repeat(20)), 'junk', ''],
        'gid://platform/Product/8101001',
        'gid://elsewhere/Product/8101001',
        'gid://shopify/Order/8101001',
      ];
      for (const id of ids) {
        for (const after of [at(OF_HOUSE), at(OF_DRAFT), at(OF_UNRELATED), at(NO_VARIANT), null]) {
          for (const args of ['first: 50, after: $cursor', 'last: 50, before: $cursor']) {
            const reported = await askIn(args, cursorOf(['product', GROUP, after, id, at(HOUSE)]), as);
            expect([id, after, refusedBy(reported)]).toEqual([id, after, REFUSED]);
          }
        }
      }
    },
  );

  test('returns no message of the platform about a variant or a product', async () => {
    const texts = [
      at(OF_DECAF),
      at(OF_DRAFT),
      at(NO_VARIANT),
      at('x'),
      'junk',
      '',
      ' ',
      '\u{d800}',
      'x'.repeat(9999),
    ];
    for (const after of texts) {
      for (const parts of [
        ['product', GROUP, after, product(HOUSE), at(HOUSE)],
        ['products', GROUP, after],
        ['variants', GROUP, after],
      ]) {
        for (const args of ['first: 50, after: $cursor', 'last: 50, before: $cursor'])
          expect([parts, refusedBy(await askIn(args, cursorOf(parts)))]).toEqual([parts, REFUSED]);
      }
    }
    const parts = ['product', GROUP, at(810100103), product(HOUSE), at(NO_VARIANT)];
    expect(refusedBy(await ask(cursorOf(parts)))).toEqual(REFUSED);
  });

  test('returns the same for a made-up cursor and for a group that is gone, but not for a platform failure', async () => {
    const lost =
      (data: object, errors: object[] = []) =>
      async (sent: Parameters<typeof world.standIn>[0]) =>
        sent.document.includes('_svcOfProducts')
          ? ({ data, errors } as Awaited<ReturnType<typeof world.standIn>>)
          : world.standIn(sent);
    const honest = [
      ['products', GROUP, at(HOUSE)],
      ['variants', GROUP, null],
      ['product', GROUP, at(OF_HOUSE), product(HOUSE), at(HOUSE)],
    ] as const;
    const failure = { message: 'Down.', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
    const denied = { message: 'No.', path: ['_svcProduct'], extensions: { code: 'ACCESS_DENIED' } };
    for (const parts of honest) {
      const gone = lost({ _svcGroup: null, _svcProduct: null });
      expect(refusedBy(await ask(cursorOf(parts), 'customer', gone))).toEqual(REFUSED);
      const failed = lost({ _svcGroup: null, _svcProduct: null }, [{ ...failure, path: ['_svcGroup'] }]);
      expect((await ask(cursorOf(parts), 'customer', failed)).errors).toMatchObject([
        { extensions: { code: 'PLATFORM_UNAVAILABLE' } },
      ]);
    }
    const [, , inside] = honest;
    // Otherwise an access error would reveal which products exist.
    for (const isMember of [true, false]) {
      const data = { _svcGroup: { _svcLoose: { count: 0 }, _svcApplies: isMember }, _svcProduct: null };
      expect(refusedBy(await ask(cursorOf(inside), 'customer', lost(data, [denied])))).toEqual(REFUSED);
      const failed = lost(data, [{ ...failure, path: ['_svcProduct'] }]);
      const { errors } = await ask(cursorOf(inside), 'customer', failed);
      const code = isMember ? 'PLATFORM_UNAVAILABLE' : 'GRAPHQL_VALIDATION_FAILED';
      expect(errors).toMatchObject([{ extensions: { code } }]);
    }
    expect((await ask(undefined, 'customer', lost({ _svcGroup: null }))).errors).toHaveLength(1);
  });

  test('refuses a made-up cursor, or returns only what the list has anyway', async () => {
    const shop = world.platform.store();
    const [line] = contractOf(DECAF).content.lines;
    const [variant] = shop.variants.values();
    if (line === undefined || variant === undefined) throw new Error('nothing to copy');
    contractOf(DECAF).content.lines.push({ ...line, id: 'second', sellingPlanId: 830100201 });
    for (let more = 0; more < 12; more += 1) {
      const id = variant.id * 1000 + more;
      shop.variants.set(id, { ...variant, id, title: `Tin ${more}`, position: 10 + more });
    }
    shop.variants.set(OF_DRAFT + 1, { ...variant, id: OF_DRAFT + 1, productId: DRAFT, position: 2 });
    shop.sellingPlanGroups.get(8301001)?.variantIds.push(OF_UNRELATED, OF_DRAFT);
    type Listed = {
      options: { nodes: unknown[]; pageInfo: { endCursor: string | null; startCursor: string | null } };
    };
    const listed = new Set<string>();
    const honest: string[] = [];
    for (let after: string | undefined; ; after = honest.at(-1)) {
      const { nodes, pageInfo } = ((await ask(after)).data as Listed).options;
      for (const node of nodes) listed.add(JSON.stringify(node));
      if (pageInfo.endCursor === null || pageInfo.endCursor === after) break;
      honest.push(pageInfo.endCursor);
    }
    expect(listed.size).toBe(7 + 12 + 1);
    expect(honest.length).toBeGreaterThan(1);

    const ids = [
      HOUSE,
      8101002,
      UNRELATED,
      DRAFT,
      ABSENT,
      FOREIGN,
      OF_HOUSE,
      OF_DECAF,
      OF_UNRELATED,
      OF_DRAFT,
      NO_VARIANT,
    ];
    const odd = fc.constantFrom<unknown>(null, true, 7, '', 'junk', '\u{d800}', 'x'.repeat(3000), [], {}, [
      GROUP,
    ]);
    const usually = (...parts: unknown[]) =>
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...parts) }, { weight: 1, arbitrary: odd });
    const kind = usually('products', 'product', 'product', 'variants', 'Product');
    const group = usually(
      ...[GROUP, GROUP, GROUP, GROUP.replace('8301001', '8301002')],
      ...[GROUP.replace('8301001', '8301099'), GROUP.replace('shopify', 'platform')],
    );
    const place = usually(null, ...ids.map(at));
    const named = usually(
      ...ids.map(product),
      ...[
        product('x'),
        product('9'.repeat(19)),
        'gid://platform/Product/8101001',
        'gid://shopify/Order/8101001',
      ],
    );
    const more = fc.array(odd, { maxLength: 2 });
    const made = fc
      .tuple(fc.tuple(kind, group, place, named, place), fc.constantFrom(5, 5, 5, 3, 0, 1, 2, 4), more)
      .map(([parts, length, rest]) => [...parts.slice(0, length), ...(length === 5 ? [] : rest)]);
    const pairs = [
      [HOUSE, OF_HOUSE],
      [8101002, OF_DECAF],
      [UNRELATED, OF_UNRELATED],
      [DRAFT, OF_DRAFT],
    ] as const;
    const inside = fc
      .tuple(group, fc.constantFrom(...pairs), place)
      .map(([of, [id, variantId], back]) => ['product', of, at(variantId), product(id), back]);
    const short = fc.tuple(fc.constantFrom('products', 'variants'), group, place);
    const cursor = fc.oneof(
      { weight: 12, arbitrary: fc.oneof(made, inside, short, fc.jsonValue({ maxDepth: 2 })).map(cursorOf) },
      { weight: 1, arbitrary: fc.constantFrom(...honest) },
      { weight: 1, arbitrary: anyText() },
    );
    let refused = 0;
    const ways = fc.constantFrom(
      ['first: 50, after: $cursor', 'endCursor'],
      ['last: 50, before: $cursor', 'startCursor'],
      ['last: 50, before: $cursor, reverse: true', 'startCursor'],
      ['first: 50, before: $cursor', 'endCursor'],
    ) as fc.Arbitrary<readonly [string, 'endCursor' | 'startCursor']>;
    const check = async (first: string, [args, further]: readonly [string, 'endCursor' | 'startCursor']) => {
      let cursor: string | null = first;
      for (let page = 0; page < 2 && cursor !== null; page += 1) {
        const reported = await askIn(args, cursor);
        if ((reported.data as Listed | null)?.options == null) {
          expect(refusedBy(reported)).toEqual(REFUSED);
          refused += 1;
          return;
        }
        expect(reported.errors ?? []).toEqual([]);
        const { nodes, pageInfo } = (reported.data as Listed).options;
        expect(nodes.filter((node) => !listed.has(JSON.stringify(node)))).toEqual([]);
        cursor = pageInfo[further];
      }
    };
    await fc.assert(fc.asyncProperty(cursor, ways, check), { seed: 15, numRuns: 240 });
    expect([refused > 60, refused < 220]).toEqual([true, true]);
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

test('returns no list when the platform cannot return a page', async () => {
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

test('leaves out what an earlier group has listed, by product or by variant', () => {
  const [first, second] = ['gid://shopify/SellingPlanGroup/1', 'gid://shopify/SellingPlanGroup/2'];
  const groups = (...ids: string[]) => ({ nodes: ids.map((id) => ({ id })) });
  const variant = (id: string, ...ids: string[]) => ({
    cursor: id,
    node: { _svcId: id, _svcPrice: '1.00', _svcForSale: true, _svcGroups: groups(...ids) },
  });
  const page = <Edge>(...edges: Edge[]) => ({
    pageInfo: { hasNextPage: false, hasPreviousPage: false },
    edges,
  });
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
  const position = { kind: 'products', group: second, fromCursor: null, isBackward: false } as const;
  const { rows } = toOptionRows(answer, {
    position,
    earlierGroupIds: new Set([first]),
    currentVariantId: undefined,
    allowedGroupIds: undefined,
  });
  expect(rows.map((row) => row.variant._svcId)).toEqual(['shown']);
});
