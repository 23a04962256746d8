/** `subscriptionIntervalInfo`: the contract and the groups of plans that its lines' products offer. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { takeNextId } from '../../../../sandbox/platform/state/opaque-id.ts';
import { neverCalled } from '../../world/harness.ts';
import { createResolveWorld } from '../../world/resolve-world.ts';

const contractGid = (number: number | string) => `gid://platform/SubscriptionContract/${number}`;
/** Two lines: Harbor House Blend and Filter Papers, both in one group. */
const [TWO_LINES, DECAF, BENS, ABSENT] = [9101002, 9101003, 9101004, 1].map(contractGid);
const SAVE = 'gid://platform/SellingPlanGroup/8301001';
const PREPAID = 'gid://platform/SellingPlanGroup/8301002';

const world = createResolveWorld();

const info = (id: string | undefined, selection: string) =>
  `{ subscriptionIntervalInfo(contractId: "${id}") { ${selection} } }`;
const ids = (data: { subscriptionIntervalInfo: { sellingPlanGroups: { nodes: { id: string }[] } } }) =>
  data.subscriptionIntervalInfo.sellingPlanGroups.nodes.map(({ id }) => id);

describe('is refused', () => {
  test.each([
    ['a foreign contract', BENS],
    ['an absent one', ABSENT],
    ['junk', 'junk'],
  ])('refuses a customer %s, with one request or none', async (_name, id) => {
    for (const as of ['customer', 'store for a customer'] as const) {
      const query = info(id, 'contract { id } sellingPlanGroups(first: 1) { nodes { id } }');
      const { data, errors, sent } = await world.ask({ as, query });
      expect([data, errors]).toEqual([
        { subscriptionIntervalInfo: null },
        ['FORBIDDEN at subscriptionIntervalInfo'],
      ]);
      expect(sent.length).toBeLessThanOrEqual(1);
    }
  });

  test.each(['products(first: 1) { nodes { id } }', 'merchantCode', 'appId'])(
    'to customers what they may not see of a group: %s',
    async (field) => {
      const query = info(DECAF, `sellingPlanGroups(first: 1) { nodes { ${field} } }`);
      const { errors } = await world.ask({ as: 'customer', query }, neverCalled);
      expect(errors).toEqual(['FIELD_NOT_AVAILABLE at undefined']);
    },
  );

  test.each([
    '(first: 1, last: 1)',
    '(first: -1)',
    '(first: 1, after: "junk")',
    '(first: 1, after: "")',
    '(last: 1, before: "")',
  ])('rejects the arguments %p of the groups', async (args) => {
    const { data, errors } = await world.ask({
      as: 'store',
      query: info(DECAF, `contract { id } sellingPlanGroups${args} { nodes { id } }`),
    });
    expect(data).toEqual({ subscriptionIntervalInfo: null });
    expect(errors).toEqual(['GRAPHQL_VALIDATION_FAILED at subscriptionIntervalInfo.sellingPlanGroups']);
  });
});

test('a store reads null for a contract that is not there', async () => {
  const { data, errors } = await world.ask({ as: 'store', query: info(ABSENT, 'contract { id }') });
  expect([data, errors]).toEqual([{ subscriptionIntervalInfo: null }, []]);
});

test('the contract alone takes one request', async () => {
  const { data, sent } = await world.ask({
    as: 'customer',
    query: info(DECAF, '__typename a: contract { id b: status }'),
  });
  expect(data.subscriptionIntervalInfo).toEqual({
    __typename: 'SubscriptionIntervalInfoPayload',
    a: { id: DECAF, b: 'PAUSED' },
  });
  expect(sent).toHaveLength(1);
});

describe.each(['customer', 'store', 'store for a customer'] as const)('a %s reads', (as) => {
  test('the groups of all lines, each once, in two requests', async () => {
    const query = info(
      TWO_LINES,
      `sellingPlanGroups(first: 10) { nodes { id name sellingPlans(first: 5) { nodes { id name billingPolicy {
        ... on SellingPlanRecurringBillingPolicy { interval intervalCount } } } } } }`,
    );
    const { data, errors, sent } = await world.ask({ as, query });
    expect(errors).toEqual([]);
    expect(sent).toHaveLength(2);
    expect(ids(data)).toEqual([SAVE]);
    const [group] = data.subscriptionIntervalInfo.sellingPlanGroups.nodes;
    expect(group.sellingPlans.nodes[1]).toEqual({
      id: 'gid://platform/SellingPlan/830100102',
      name: 'Every 2 weeks',
      billingPolicy: { interval: 'WEEK', intervalCount: 2 },
    });
  });

  test('has a page of 25 groups without a size', async () => {
    const groups = (args: string) =>
      world.ask({ as, query: info(DECAF, `sellingPlanGroups${args} { nodes { id } }`) });
    const { data, errors } = await groups('');
    expect(errors).toEqual([]);
    expect(ids(data)).toEqual(ids((await groups('(first: 25)')).data));
  });

  test('pages both ways, by aliases, fragments and variables', async () => {
    const query = `query ($id: ID!, $after: String, $reverse: Boolean, $shows: Boolean!) { info: subscriptionIntervalInfo(contractId: $id) {
      page: sellingPlanGroups(first: 1, after: $after, reverse: $reverse) { ...P pageInfo { hasNextPage hasPreviousPage endCursor } }
      last: sellingPlanGroups(last: 1) { ...P } } }
    fragment P on SellingPlanGroupConnection { __typename
      edges { at: cursor node { id } } edges { n: node @include(if: $shows) { name } } nodes @skip(if: $shows) { id } }`;
    const ask = async (variables: Record<string, unknown>) =>
      (await world.ask({ as, query, variables: { id: DECAF, ...variables } })).data.info;
    const first = await ask({ shows: true });
    const at = first.page.pageInfo.endCursor;
    expect(first).toEqual({
      page: {
        __typename: 'SellingPlanGroupConnection',
        edges: [{ at, node: { id: SAVE }, n: { name: 'Subscribe and save' } }],
        pageInfo: { hasNextPage: true, hasPreviousPage: false, endCursor: at },
      },
      last: {
        __typename: 'SellingPlanGroupConnection',
        edges: [{ at: expect.any(String), node: { id: PREPAID }, n: { name: 'Prepaid decaf' } }],
      },
    });
    const second = await ask({ shows: false, after: at });
    expect(second.page.nodes).toEqual([{ id: PREPAID }]);
    expect(second.page.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect((await ask({ shows: false, reverse: true })).page.nodes).toEqual([{ id: PREPAID }]);
  });
});

test('the cost shown to merchants is that of both requests', async () => {
  const cost = {
    requestedQueryCost: 3,
    actualQueryCost: 2,
    throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1990, restoreRate: 100 },
  };
  const query = info(DECAF, 'sellingPlanGroups(first: 1) { nodes { id } }');
  const { result } = await world.ask({ as: 'store', query }, async (sent) => ({
    ...(await world.standIn(sent)),
    cost,
  }));
  expect(result.extensions).toEqual({ cost: { ...cost, requestedQueryCost: 6, actualQueryCost: 4 } });
});

test('errors of the platform stand where the group does', async () => {
  const query = info(DECAF, 'sellingPlanGroups(last: 1) { edges { node { id summary } } }');
  const { result } = await world.ask({ as: 'store', query }, async (sent) => {
    const answer = await world.standIn(sent);
    if (!sent.document.includes('summary')) return answer;
    const at = (index: number) => ['_svcProducts', 0, 'sellingPlanGroups', 'edges', index, 'node', 'summary'];
    return {
      ...answer,
      errors: [0, 1].map((index) => ({ message: `No summary ${index}.`, path: at(index) })),
    };
  });
  expect(result.errors).toEqual([
    {
      message: 'No summary 1.',
      path: ['subscriptionIntervalInfo', 'sellingPlanGroups', 'edges', 0, 'node', 'summary'],
    },
  ]);
});

test('returns no payload when the groups of a product cannot be read', async () => {
  const query = info(DECAF, 'contract { id } sellingPlanGroups(first: 1) { nodes { id name } }');
  const { data, errors } = await world.ask({ as: 'store', query }, async (sent) =>
    sent.document.includes('_svcProducts')
      ? {
          data: { _svcProducts: [null] },
          errors: [{ message: 'Down.', path: ['_svcProducts', 0, 'sellingPlanGroups', 'nodes', 0, 'name'] }],
        }
      : world.standIn(sent),
  );
  expect([data, errors]).toEqual([
    { subscriptionIntervalInfo: null },
    ['undefined at subscriptionIntervalInfo.sellingPlanGroups.nodes.0.name'],
  ]);
});

test('names the list that has no size once, whatever the number of products', async () => {
  const query = info(TWO_LINES, 'sellingPlanGroups { nodes { sellingPlans { nodes { id } } } }');
  const { data, errors } = await world.ask({ as: 'store', query });
  expect([data, errors]).toEqual([
    { subscriptionIntervalInfo: null },
    ['BAD_REQUEST at subscriptionIntervalInfo.sellingPlanGroups.nodes.0.sellingPlans'],
  ]);
});

describe('a product in more groups than are asked for at first', () => {
  beforeEach(() => {
    const shop = world.platform.store();
    const [group] = shop.sellingPlanGroups.values();
    if (group === undefined || shop.sellingPlanGroups.size > 20) return;
    for (let more = 0; more < 22; more += 1) {
      const id = takeNextId(shop);
      shop.sellingPlanGroups.set(id, { ...group, id, name: `Group ${more}`, productIds: [8101002] });
    }
  });

  test('reads the further groups of a product once more', async () => {
    const query = info(DECAF, 'sellingPlanGroups(last: 250) { nodes { id } }');
    const { data, sent } = await world.ask({ as: 'customer', query });
    expect(ids(data)).toHaveLength(24);
    expect(sent).toHaveLength(3);
  });
});
