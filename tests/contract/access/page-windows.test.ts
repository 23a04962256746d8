/**
 * Customers' lists, and the service's own lists for keys, have a default page size of 25. Sizes that the platform
 * rejects are rejected for customers before a request is sent; a wrong cursor is reported with the service's message.
 */
import { describe, expect, test } from '@jest/globals';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import { seedCarla } from '../../../sandbox/platform/state/seed/seed-harbor.ts';
import { actorOf, NOW_MS, type PlanRequest, runPlan, store } from '../../graphql/world/harness.ts';
import { createOperationWorld, gid } from '../world/operation-world.ts';

type Requested = Pick<PlanRequest, 'query'> & Partial<PlanRequest>;

const { client, platform } = createOperationWorld();
const standIn: PlanRequest['standIn'] = (operation) => client(operation as AdminOperation);

async function ask(as: PlanRequest['as'], request: Requested) {
  // The store has all its points again.
  platform.holder.nowMs += 60_000;
  const now = () => platform.holder.nowMs;
  const { result, sent } = await runPlan({ as, standIn, now, ...request });
  const errors = (result.errors ?? []).map(({ message, extensions, path }) => ({
    ...{ message, path },
    code: extensions?.code,
  }));
  return { data: result.data, errors, sent: sent.length };
}

const CONTRACT = gid('SubscriptionContract', 9_101_001);
/** Has 30 contracts. */
const CARLA = 7_001_003;
const CUSTOMER = gid('Customer', 7_001_001);

/** Documents with a list in them; SIZE is replaced by its arguments. */
const LISTS = {
  'a list of the customer’s': `customer(id: "${CUSTOMER}") { subscriptionContracts(SIZE) { nodes { id } } }`,
  'a list in a list': `customer(id: "${CUSTOMER}") { subscriptionContracts(first: 2) { nodes { lines(SIZE) { nodes { id } } } } }`,
  'a list of an object’s': `subscriptionContract(id: "${CONTRACT}") { billingAttempts(SIZE) { nodes { id } } }`,
  'a root': `subscriptionBillingCycles(contractId: "${CONTRACT}", SIZE) { nodes { cycleIndex } }`,
};

type Size = { readonly written: string | undefined; readonly value: number | null | undefined };
const VALUES = [null, -2_147_483_648, -1, 0, 1, 250] as const;
const SIZES: readonly Size[] = [
  { written: undefined, value: undefined },
  ...VALUES.map((value) => ({ written: String(value), value: undefined })),
  ...[undefined, ...VALUES].map((value) => ({ written: '$', value })),
];

/** The document with these sizes, and its variables. */
function sized(list: string, sizes: Readonly<Record<'first' | 'last', Size>>) {
  const given = Object.entries(sizes).filter(([, { written }]) => written !== undefined);
  const written = given.map(([name, size]) => `${name}: ${size.written === '$' ? `$${name}` : size.written}`);
  const variables = given.filter(([, size]) => size.written === '$').map(([name]) => `$${name}: Int`);
  const head = variables.length === 0 ? 'query' : `query(${variables.join(', ')})`;
  const values = Object.entries(sizes).filter(([, { value }]) => value !== undefined);
  // GraphQL requires at least one argument in the parentheses.
  const pages = ['reverse: false', ...written].join(', ');
  return {
    query: `${head} { ${list.replace('SIZE', pages)} }`,
    variables: Object.fromEntries(values.map(([name, { value }]) => [name, value])),
  };
}

/** The numbers that the platform gets: literals and values of variables that are not null. */
const givenSizes = (...sizes: readonly Size[]): number[] =>
  sizes.flatMap(({ written, value }) =>
    written === '$' ? (value ?? []) : written ? (JSON.parse(written) ?? []) : [],
  );

describe.each(Object.entries(LISTS))('%s', (name, list) => {
  const isServiceList = name === 'a root';

  test('every pair of sizes is answered as the platform does, with 25 where there is none', async () => {
    const messages = new Set<string>();
    const withTwentyFive = await ask('store', { query: `{ ${list.replace('SIZE', 'first: 25')} }` });
    for (const first of SIZES) {
      for (const last of SIZES) {
        const request = sized(list, { first, last });
        const given = givenSizes(first, last);
        const key = await ask('store', request);
        const { data, errors, sent } = await ask('customer', request);
        if (given.length > 1 || given.some((size) => size < 0)) {
          const keysCode = isServiceList ? 'GRAPHQL_VALIDATION_FAILED' : 'BAD_REQUEST';
          expect({ request, codes: key.errors.map(({ code }) => code) }).toEqual({
            request,
            codes: [keysCode],
          });
          expect({ request, data, codes: errors.map(({ code }) => code), sent }).toEqual({
            ...{ request, data: undefined, sent: 0 },
            codes: ['GRAPHQL_VALIDATION_FAILED'],
          });
          messages.add(String(errors[0]?.message));
          continue;
        }
        const sizedByHand = given.length === 1 ? key : withTwentyFive;
        expect({ request, data, errors }).toEqual({ request, data: sizedByHand.data, errors: [] });
        if (given.length === 0 && !isServiceList) expect(key.errors).toMatchObject([{ code: 'BAD_REQUEST' }]);
        else expect({ request, key: key.data }).toEqual({ request, key: sizedByHand.data });
      }
    }
    expect(messages).toEqual(new Set(['Give first or last, not both.', 'first and last are at least 0.']));
  });

  test('reports a wrong cursor to customers in their language, to keys in the platform’s words', async () => {
    for (const place of ['after', 'before']) {
      const query = `{ ${list.replace('SIZE', `first: 1, ${place}: "of another list"`)} }`;
      const { errors } = await ask('customer', { query, acceptLanguage: 'de' });
      expect(errors).toMatchObject([
        {
          code: 'GRAPHQL_VALIDATION_FAILED',
          message: expect.stringContaining('beginnen Sie mit der ersten Seite'),
          path: expect.arrayContaining([expect.any(String)]),
        },
      ]);
      const english = await ask('customer', { query });
      expect(english.errors[0]?.message).toContain('start with the first page');
      const key = await ask('store', { query, acceptLanguage: 'de' });
      expect(key.errors).toMatchObject([
        {
          code: isServiceList ? 'GRAPHQL_VALIDATION_FAILED' : 'BAD_REQUEST',
          message: expect.stringMatching(/^Invalid cursor/),
        },
      ]);
    }
  });
});

test('sizes beyond a page are refused, whatever stands beside them', async () => {
  const [list] = Object.values(LISTS);
  const huge = [251, 2_147_483_647, 2_147_483_648].flatMap((value): Size[] => [
    { written: String(value), value: undefined },
    { written: '$', value },
  ]);
  const limits = ['QUERY_TOO_COMPLEX', 'GRAPHQL_VALIDATION_FAILED'];
  for (const one of huge) {
    for (const other of [...SIZES, ...huge]) {
      for (const sizes of [
        { first: one, last: other },
        { first: other, last: one },
      ]) {
        const { data, errors, sent } = await ask('customer', sized(list ?? '', sizes));
        expect([data, sent, errors.length > 0]).toEqual([undefined, 0, true]);
        expect(limits).toEqual(expect.arrayContaining(errors.map(({ code }) => code)));
      }
    }
  }
});

test('a change whose answer cannot be read is not made', async () => {
  const query = `mutation($n: Int) { subscriptionContractPause(subscriptionContractId: "${CONTRACT}") {
    contract { lines(first: $n, last: 1) { nodes { id } } } userErrors { message } } }`;
  const { data, errors, sent } = await ask('customer', { query, variables: { n: 1 } });
  expect([data, sent]).toEqual([undefined, 0]);
  expect(errors).toMatchObject([
    { code: 'GRAPHQL_VALIDATION_FAILED', message: 'Give first or last, not both.' },
  ]);
});

test('lists with a page size of their own keep it, and reject two sizes', async () => {
  const details = (lists: string) =>
    `query($n: Int) { subscriptionContractDetails(contractId: "${CONTRACT}") { ${lists} } }`;
  const sized =
    details(`billingCycles { nodes { cycleIndex } } last: billingCycles(last: 2) { nodes { cycleIndex } }
    open: billingCycles(first: $n) { nodes { cycleIndex } } contract { billingAttempts(first: $n) { nodes { id } } }`);
  const both = details('billingCycles(first: $n, last: 1) { nodes { cycleIndex } }');
  for (const as of ['customer', 'store'] as const) {
    const { data } = await ask(as, { query: sized });
    expect(data).toMatchObject({
      subscriptionContractDetails: {
        billingCycles: { nodes: { length: 6 } },
        last: { nodes: { length: 2 } },
        open: { nodes: { length: 6 } },
      },
    });
    const { errors } = await ask(as, { query: both, variables: { n: 1 } });
    expect(errors).toMatchObject([{ code: 'GRAPHQL_VALIDATION_FAILED' }]);
  }
});

describe('a list without a size', () => {
  type Page = { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean } };
  const PAGE = 'nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
  const world = createOperationWorld();
  seedCarla(world.platform.store(), NOW_MS, 30);
  const carlas = async (request: Requested) => {
    const actor = { ...actorOf('customer', store), customerId: CARLA } as ReturnType<typeof actorOf>;
    const answer = async (operation: unknown) => world.client(operation as AdminOperation);
    const now = () => world.platform.holder.nowMs;
    const { result } = await runPlan({ as: 'customer', actor, standIn: answer, now, ...request });
    world.platform.holder.nowMs += 60_000;
    return { errors: result.errors ?? [], page: Object.values(result.data?.customer ?? {})[0] as Page };
  };
  const contracts = (args: string, selection = PAGE) =>
    `customer(id: "${gid('Customer', CARLA)}") { subscriptionContracts${args} { ${selection} } }`;
  const idsOf = async (args: string) =>
    (await carlas({ query: `{ ${contracts(args)} }` })).page.nodes.map(({ id }) => id);

  test('goes on behind a cursor, and ends before one', async () => {
    const all = await idsOf('(first: 250)');
    expect(all).toHaveLength(30);
    expect(await idsOf('')).toEqual(all.slice(0, 25));
    expect(await idsOf('(reverse: true)')).toEqual(all.toReversed().slice(0, 25));
    const cursors = async (args: string, selection: string) =>
      (await carlas({
        query: `{ ${contracts(args, `nodes { id } edges { cursor } ${selection}`)} }`,
      })) as unknown as { page: { edges: { cursor: string }[] } };
    const edges = (await cursors('(first: 30)', 'pageInfo { hasNextPage }')).page.edges;
    const [fifth, twentyEighth] = [edges[4]?.cursor, edges[27]?.cursor];
    expect(await idsOf(`(after: "${fifth}")`)).toEqual(all.slice(5));
    expect(await idsOf(`(before: "${twentyEighth}")`)).toEqual(all.slice(2, 27));
    expect(await idsOf(`(after: "${fifth}", before: "${twentyEighth}")`)).toEqual(all.slice(5, 27));
    const mixed = `query($after: String) { ${contracts(`(after: $after, before: "${twentyEighth}")`)} }`;
    for (const [variables, ids] of [
      [{}, all.slice(2, 27)],
      [{ after: fifth }, all.slice(5, 27)],
    ] as const) {
      expect((await carlas({ query: mixed, variables })).page.nodes.map(({ id }) => id)).toEqual(ids);
    }
    const query = `query($first: Int, $last: Int, $after: String, $before: String) { ${contracts('(first: $first, last: $last, after: $after, before: $before)')} }`;
    for (const [variables, ids] of [
      [{}, all.slice(0, 25)],
      [{ first: null, before: null }, all.slice(0, 25)],
      [{ before: twentyEighth }, all.slice(2, 27)],
      [{ before: twentyEighth, first: 3 }, all.slice(0, 3)],
      [{ before: twentyEighth, last: 3 }, all.slice(24, 27)],
      [{ after: fifth, before: twentyEighth }, all.slice(5, 27)],
    ] as const) {
      const { errors, page } = await carlas({ query, variables });
      expect({ variables, errors, ids: page?.nodes.map(({ id }) => id) }).toEqual({
        variables,
        errors: [],
        ids,
      });
    }
  });

  test('is one with the same list elsewhere in the document', async () => {
    const fragment =
      'fragment More on Customer { subscriptionContracts { pageInfo { hasNextPage } } some: subscriptionContracts(first: $n) { nodes { id } } }';
    const twice = `query($n: Int) { customer(id: "${gid('Customer', CARLA)}") { subscriptionContracts { nodes { id } } some: subscriptionContracts(first: $n) { nodes { status } } ...More } } ${fragment}`;
    const { errors, page } = await carlas({ query: twice });
    expect(errors).toEqual([]);
    expect([page.nodes.length, page.pageInfo.hasNextPage]).toEqual([25, true]);
    const differing = `{ customer(id: "${gid('Customer', CARLA)}") { subscriptionContracts { nodes { id } } subscriptionContracts(first: 25) { nodes { id } } } }`;
    expect((await carlas({ query: differing })).errors).toMatchObject([
      { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ]);
  });

  test('counts as 25 in the objects of a document', async () => {
    const nested = (inner: string) =>
      `{ ${contracts('', `nodes { id lines { nodes { id } } billingAttempts { nodes { id ${inner} } } }`)} }`;
    expect((await carlas({ query: nested('') })).errors).toEqual([]);
    expect((await carlas({ query: nested('order { id lineItems { nodes { id } } }') })).errors).toMatchObject(
      [{ extensions: { code: 'QUERY_TOO_COMPLEX', limit: 'objects' } }],
    );
  });
});
