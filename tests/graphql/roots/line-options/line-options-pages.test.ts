/** `subscriptionLineOptions` is paged as every connection: from both ends, between cursors, and in reverse. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { newPlatform } from '../../../sandbox/platform/admin/harness.ts';
import { createResolveWorld } from '../../world/resolve-world.ts';

const [MONTHLY, DECAF] = [9101002, 9101003];
const MUG = 810100401;
const SIZES = [1, 2, 4, 13, 50];
/** Contract, proof of the line's product, a page; one more where a page from the end enters a group. */
const MAX_REQUESTS = 4;

type Edge = { readonly cursor: string; readonly node: { readonly productVariant: { readonly id: string } } };
type PageInfo = Readonly<Record<'hasNextPage' | 'hasPreviousPage', boolean>> &
  Readonly<Record<'startCursor' | 'endCursor', string | null>>;
type Page = { readonly edges: readonly Edge[]; readonly pageInfo: PageInfo };

const world = createResolveWorld();
beforeEach(() => {
  world.platform.holder.state = newPlatform({ contracts: 30 }).holder.state;
});

function contractOf(number: number): ContractRecord {
  const found = world.platform.store().contracts.get(number);
  if (found === undefined) throw new Error(`no contract ${number}`);
  return found;
}

/** Products with more variants than a page has, in two groups, and variants that joined a group alone. */
function fillGroups(): void {
  const shop = world.platform.store();
  const [variant] = shop.variants.values();
  const [line] = contractOf(DECAF).content.lines;
  if (variant === undefined || line === undefined) throw new Error('nothing to copy');
  for (let more = 0; more < 25; more += 1) {
    const id = variant.id * 1000 + more;
    shop.variants.set(id, { ...variant, id, title: `Tin ${more}`, position: 10 + more });
  }
  shop.sellingPlanGroups.get(8301001)?.variantIds.push(MUG, variant.id);
  contractOf(DECAF).content.lines.push({ ...line, id: 'second', sellingPlanId: 830100201 });
}

type Sizes = { readonly first?: number; readonly last?: number; readonly reverse?: boolean };
type Arguments = Sizes & { readonly after?: string; readonly before?: string };

async function pageOf(contract: number, window: Arguments): Promise<Page> {
  const query = `query ($first: Int, $last: Int, $after: String, $before: String, $reverse: Boolean) {
    options: subscriptionLineOptions(contractId: "gid://platform/SubscriptionContract/${contract}",
      first: $first, last: $last, after: $after, before: $before, reverse: $reverse) {
      edges { cursor node { productVariant { id } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
  const { data, errors, sent } = await world.ask({ as: 'customer', query, variables: window });
  expect(errors).toEqual([]);
  expect(sent.length).toBeLessThanOrEqual(MAX_REQUESTS);
  const page: Page = data.options;
  expect(page.edges.length).toBeLessThanOrEqual(window.first ?? window.last ?? 25);
  if (page.edges.length > 0) {
    expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor);
    expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor);
  }
  return page;
}

/** Reads from the window's page to the end of the list, or to its start with `last`; edges in the order of the list. */
async function walk(contract: number, window: Arguments): Promise<Edge[]> {
  const isFromEnd = window.last !== undefined;
  const edges: Edge[] = [];
  let current = window;
  for (let count = 0; count < 80; count += 1) {
    const { edges: found, pageInfo } = await pageOf(contract, current);
    edges.splice(isFromEnd ? 0 : edges.length, 0, ...found);
    const cursor = isFromEnd ? pageInfo.startCursor : pageInfo.endCursor;
    if (!(isFromEnd ? pageInfo.hasPreviousPage : pageInfo.hasNextPage) || cursor === null) return edges;
    current = { ...current, [isFromEnd ? 'before' : 'after']: cursor };
  }
  throw new Error('the list has no end');
}

const idsOf = (edges: readonly Edge[]) => edges.map(({ node }) => node.productVariant.id);

type Store = readonly [name: string, contract: number, prepare: () => void, length: number];
const STORES: readonly Store[] = [
  ['seeded', MONTHLY, () => {}, 7],
  ['full', DECAF, fillGroups, 7 + 25 + 1],
];

describe.each(STORES)('in a store whose groups are %s', (_name, contract, prepare, length) => {
  let all: Edge[];
  beforeEach(async () => {
    prepare();
    all = await walk(contract, { first: 50 });
    expect(new Set(idsOf(all)).size).toBe(length);
    expect(all).toHaveLength(length);
  });

  test.each(SIZES)('pages of the last %i bring the same options with the same cursors', async (size) => {
    expect(await walk(contract, { last: size })).toEqual(all);
  });

  test.each(SIZES)('pages of the first and last %i in reverse bring the reversed list', async (size) => {
    expect(await walk(contract, { first: size, reverse: true })).toEqual(all.toReversed());
    expect(await walk(contract, { last: size, reverse: true })).toEqual(all.toReversed());
  });

  test.each(SIZES)(
    'pages of %i after and before each cursor bring what follows and precedes it',
    async (size) => {
      // Each page of the long list takes three requests, so every fourth of its cursors is tried.
      const step = length > 10 ? 4 : 1;
      for (let index = 0; index < length; index += step) {
        const { cursor } = all[index] as Edge;
        expect(idsOf(await walk(contract, { first: size, after: cursor }))).toEqual(
          idsOf(all.slice(index + 1)),
        );
        expect(idsOf(await walk(contract, { last: size, before: cursor }))).toEqual(
          idsOf(all.slice(0, index)),
        );
      }
    },
  );

  test.each([2, 50])('pages of %i between two cursors bring what lies between them', async (size) => {
    for (const [from, to] of [
      [0, 4],
      [1, 2],
      [2, length - 1],
    ] as const) {
      const bounds = { after: all[from]?.cursor ?? '', before: all[to]?.cursor ?? '' };
      const between = idsOf(all.slice(from + 1, to));
      expect(idsOf(await walk(contract, { first: size, ...bounds }))).toEqual(between);
      expect(idsOf(await walk(contract, { last: size, ...bounds }))).toEqual(between);
    }
    const [fourth = ''] = [all[3]?.cursor];
    expect(idsOf(await walk(contract, { first: size, before: fourth }))).toEqual(idsOf(all.slice(0, 3)));
    expect(idsOf(await walk(contract, { last: size, after: fourth }))).toEqual(idsOf(all.slice(4)));
  });

  test('says truly whether there is more at both ends', async () => {
    const [second, last] = [all[1]?.cursor ?? '', all.at(-1)?.cursor ?? ''];
    const ends = async (window: Arguments) => {
      const { hasPreviousPage, hasNextPage } = (await pageOf(contract, window)).pageInfo;
      return [hasPreviousPage, hasNextPage];
    };
    expect(await ends({ first: 1 })).toEqual([false, true]);
    expect(await ends({ last: 1 })).toEqual([true, false]);
    expect(await ends({ first: 1, reverse: true })).toEqual([false, true]);
    expect(await ends({ first: 1, after: second })).toEqual([true, true]);
    expect(await ends({ last: 1, before: last })).toEqual([true, true]);
    expect(await ends({ first: 0 })).toEqual([false, true]);
    expect(await ends({ last: 0 })).toEqual([true, false]);
  });
});

test('refuses a cursor in `before` that the list does not reach after the one in `after`', async () => {
  const all = await walk(MONTHLY, { first: 50 });
  const bounds = `after: "${all[4]?.cursor}", before: "${all[1]?.cursor}"`;
  const id = `gid://platform/SubscriptionContract/${MONTHLY}`;
  const query = `{ options: subscriptionLineOptions(contractId: "${id}", first: 50, ${bounds}) { nodes { availableForSale } } }`;
  const { data, errors } = await world.ask({ as: 'customer', query });
  expect([data, errors]).toEqual([{ options: null }, ['GRAPHQL_VALIDATION_FAILED at options']]);
});

test('without a size, a cursor in `before` brings the 25 options that precede it', async () => {
  fillGroups();
  const all = await walk(DECAF, { first: 50 });
  const page = await pageOf(DECAF, { before: all[3]?.cursor ?? '' });
  expect(idsOf(page.edges)).toEqual(idsOf(all.slice(0, 3)));
});

test.each([
  ['first: 1, last: 1', 'GRAPHQL_VALIDATION_FAILED'],
  ['last: -1', 'GRAPHQL_VALIDATION_FAILED'],
  ['last: 51', 'QUERY_TOO_COMPLEX'],
  ['last: 1, before: "junk"', 'GRAPHQL_VALIDATION_FAILED'],
  ['first: 1, before: "WzFd"', 'GRAPHQL_VALIDATION_FAILED'],
  ['last: 1, after: "x"', 'GRAPHQL_VALIDATION_FAILED'],
])('refuses %s with %s', async (args, code) => {
  const id = `gid://platform/SubscriptionContract/${DECAF}`;
  const query = `{ subscriptionLineOptions(contractId: "${id}", ${args}) { nodes { availableForSale } } }`;
  const { errors } = await world.ask({ as: 'store', query });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(code);
});
