/** Queries through the plan: what is sent, and what of the answer leaves the process. */
import { describe, expect, test } from '@jest/globals';
import type { AdminResponse } from '../../../lib/platform/admin-api/admin-response.ts';
import { neverCalled, runPlan } from '../world/harness.ts';

const ADA = 'gid://platform/Customer/7001001';
const ADA_UPSTREAM = 'gid://shopify/Customer/7001001';
const BEN_UPSTREAM = 'gid://shopify/Customer/7001002';
const CONTRACT = 'gid://platform/SubscriptionContract/11';
const CONTRACT_UPSTREAM = 'gid://shopify/SubscriptionContract/11';
const cost = {
  requestedQueryCost: 5,
  actualQueryCost: 4,
  throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1990, restoreRate: 100 },
};
const forbidden = (...path: (string | number)[]) => ({
  message: 'This is not available.',
  path,
  extensions: { code: 'FORBIDDEN' },
});
const ownedBy = (customer: string | null) => [
  { id: CONTRACT_UPSTREAM, _svcSubscriptionContract: customer && { id: customer } },
];
const answering = (answer: Partial<AdminResponse>) => () => answer;

describe('a customer', () => {
  test('reads the own contracts in one request, ids rewritten both ways', async () => {
    const query = `query ($id: ID!, $n: Int) {
      customer(id: $id) { id subscriptionContracts(first: $n) { nodes { id portalUrl } } }
    }`;
    const standIn = answering({
      cost,
      data: {
        customer: {
          id: ADA_UPSTREAM,
          subscriptionContracts: { nodes: [{ id: CONTRACT_UPSTREAM, _svcContract: CONTRACT_UPSTREAM }] },
        },
      },
    });
    const { result, sent } = await runPlan({
      as: 'customer',
      query,
      variables: { id: ADA, n: 5 },
      standIn,
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.variables).toEqual({ _svcArg0: ADA_UPSTREAM, _svcArg1: 5, _svcRun0: true });
    expect(sent[0]?.document.trim()).toBe(
      'query($_svcArg0: ID!, $_svcRun0: Boolean!, $_svcArg1: Int) { customer(id: $_svcArg0) @include(if: $_svcRun0) ' +
        '{ id subscriptionContracts(first: $_svcArg1) { nodes { id _svcContract: id _svcStatus: status } } } }',
    );
    const portalUrl = 'https://harbor-coffee.example/account/pages/90210001/subscriptions/11';
    expect(result).toEqual({
      data: { customer: { id: ADA, subscriptionContracts: { nodes: [{ id: CONTRACT, portalUrl }] } } },
    });
  });

  test('has dates without an offset or seconds sent as UTC, wherever they stand in the document', async () => {
    const query = `query ($from: DateTime!, $whole: SubscriptionBillingCyclesDateRangeSelector, $late: DateTime = "2026-12-03T00:00") {
      ${[
        '{ startDate: "2026-12-01T00:00:00", endDate: $from }',
        '$whole',
        '{ startDate: $late, endDate: $late }',
      ]
        .map(
          (range, index) =>
            `r${index}: subscriptionBillingCycles(contractId: "${CONTRACT}", first: 1, billingCyclesDateRangeSelector: ${range}) { nodes { cycleIndex } }`,
        )
        .join(' ')}
    }`;
    const [from, startDate, endDate] = [
      '2026-12-09T08:00:00.5',
      '2026-12-01T00:00:00',
      '2026-12-02T09:00:00+02:00',
    ];
    const variables = { from, whole: { startDate, endDate } };
    const { sent } = await runPlan({
      as: 'customer',
      query,
      variables,
      standIn: answering({ cost, data: {} }),
    });
    // The service's own variables are dates of November.
    const dates = JSON.stringify(sent).match(/2026-12[-\dT:.+Z]*/g);
    expect([...new Set(dates)].sort()).toEqual([
      '2026-12-01T00:00:00Z',
      '2026-12-02T09:00:00+02:00',
      '2026-12-03T00:00:00Z',
      '2026-12-09T08:00:00.5Z',
    ]);
  });

  test.each([
    ['another customer', 'gid://platform/Customer/7001002'],
    ['an absent one', 'gid://platform/Customer/999'],
    ['what is no id', 'junk'],
    ['an id of another type', 'gid://platform/Order/1'],
  ])('asking for %s is refused without a request', async (_name, id) => {
    const query = 'query ($id: ID!) { customer(id: $id) { id } }';
    const { result } = await runPlan({ as: 'customer', query, variables: { id }, standIn: neverCalled });
    expect(result).toEqual({ data: { customer: null }, errors: [forbidden('customer')] });
  });

  test.each([
    ['foreign', ownedBy(BEN_UPSTREAM), { id: CONTRACT_UPSTREAM, status: 'ACTIVE' }],
    ['without a customer', ownedBy(null), { id: CONTRACT_UPSTREAM, status: 'ACTIVE' }],
    ['absent', [null], null],
  ])('returns the same for a contract that is %s', async (_name, _svcOwned, subscriptionContract) => {
    const query = `query ($id: ID!) { subscriptionContract(id: $id) { id status } me: customer(id: "${ADA}") { id } }`;
    const data = { subscriptionContract, me: { id: ADA_UPSTREAM }, _svcOwned };
    const errors = [{ message: 'secret of Ben', path: ['subscriptionContract', 'status'] }];
    const { result, sent } = await runPlan({
      as: 'customer',
      query,
      variables: { id: CONTRACT },
      standIn: answering({ data, errors, cost }),
    });
    expect(sent).toHaveLength(1);
    expect(result).toEqual({
      data: { subscriptionContract: null, me: { id: ADA } },
      errors: [forbidden('subscriptionContract')],
    });
  });

  test('leaves an order that was transferred out of a list, and returns null for it elsewhere', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { lastOrder { id } subscriptionContracts(first: 1) {
      nodes { orders(first: 3) { nodes { id email } edges { node { id } } } } } } }`;
    const own = {
      id: 'gid://shopify/Order/1',
      email: 'ada@example.com',
      _svcOrderOwner: { id: ADA_UPSTREAM },
    };
    const foreign = {
      id: 'gid://shopify/Order/2',
      email: 'ben@example.com',
      _svcOrderOwner: { id: BEN_UPSTREAM },
    };
    const nobodys = { id: 'gid://shopify/Order/3', email: 'who@example.com', _svcOrderOwner: null };
    const orders = { nodes: [foreign, own, nobodys], edges: [{ node: foreign }, { node: own }] };
    const customer = { lastOrder: foreign, subscriptionContracts: { nodes: [{ orders }] } };
    const { result } = await runPlan({
      as: 'customer',
      query,
      variables: { id: ADA },
      standIn: answering({ data: { customer } }),
    });
    const displayed = { id: 'gid://platform/Order/1' };
    expect(result.data).toEqual({
      customer: {
        lastOrder: null,
        subscriptionContracts: {
          nodes: [
            {
              orders: {
                nodes: [
                  { ...displayed, email: 'ada@example.com' },
                  { id: 'gid://platform/Order/3', email: null },
                ],
                edges: [{ node: displayed }],
              },
            },
          ],
        },
      },
    });
  });

  test('returns no order without a customer when its status page is selected, because the page has the recipient', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { subscriptionContracts(first: 1) {
      nodes { orders(first: 2) { nodes { id statusPageUrl } } } } } }`;
    const url = 'https://shop.example/orders/1';
    const order = (id: number, owner: object | null) => ({
      ...{ id: `gid://shopify/Order/${id}`, statusPageUrl: url, _svcOrderOwner: owner },
    });
    const orders = {
      nodes: [order(1, null), order(2, { id: ADA_UPSTREAM }), order(3, { id: BEN_UPSTREAM })],
    };
    const { result } = await runPlan({
      ...{ as: 'customer', query, variables: { id: ADA } },
      standIn: answering({ data: { customer: { subscriptionContracts: { nodes: [{ orders }] } } } }),
    });
    const visible = [{ id: 'gid://platform/Order/2', statusPageUrl: url }];
    expect(result.data).toEqual({
      customer: { subscriptionContracts: { nodes: [{ orders: { nodes: visible } }] } },
    });
  });

  test('reads the other roots once more when a contract is absent', async () => {
    const query = `query ($id: ID!) {
      subscriptionBillingCycles(contractId: $id, first: 1) { nodes { cycleIndex } } me: customer(id: "${ADA}") { id }
    }`;
    const notFound = {
      message: 'Invalid id',
      path: ['subscriptionBillingCycles'],
      extensions: { code: 'RESOURCE_NOT_FOUND' },
    };
    const answers = [
      { data: null, errors: [notFound] },
      { data: { me: { id: ADA_UPSTREAM }, _svcOwned: [null] }, errors: [] },
    ];
    const { result, sent } = await runPlan({
      as: 'customer',
      query,
      variables: { id: CONTRACT },
      standIn: () => answers.shift() ?? {},
    });
    expect(sent.map(({ variables }) => variables._svcRun0)).toEqual([true, false]);
    expect(result).toEqual({
      data: { subscriptionBillingCycles: null, me: { id: ADA } },
      errors: [forbidden('subscriptionBillingCycles')],
    });
  });

  test.each([
    ['{ shop { name } }', 'shop'],
    ['{ __schema { types { name } } }', '__schema'],
    [`{ customer(id: "${ADA}") { ...F } } fragment F on Customer { x: note }`, 'note'],
  ])('%s is not available', async (query, name) => {
    const { result } = await runPlan({ as: 'customer', query, standIn: neverCalled });
    expect(result.errors?.[0]).toMatchObject({
      message: `Field "${name}" is not available to customer accounts`,
      extensions: { code: 'FIELD_NOT_AVAILABLE' },
    });
    expect(result).not.toHaveProperty('data');
  });
});

describe("a store's server", () => {
  test('reads any customer, and returns the cost', async () => {
    const query = `{ customer(id: "${ADA}") { id note } }`;
    const data = { customer: { id: ADA_UPSTREAM, note: 'see gid://shopify/Product/1' } };
    const { result } = await runPlan({ as: 'store', query, standIn: answering({ data, cost }) });
    expect(result).toEqual({
      data: { customer: { id: ADA, note: 'see gid://shopify/Product/1' } },
      extensions: { cost },
    });
  });

  test('an id of the platform itself is refused', async () => {
    const query = `{ customer(id: "${ADA_UPSTREAM}") { id } }`;
    const { result } = await runPlan({ as: 'store', query, standIn: neverCalled });
    expect(result.errors?.[0]?.extensions?.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test.each(['store', 'store for a customer', 'customer'] as const)(
    'tells a %s that billing cycles need a contract',
    async (as) => {
      const query = '{ subscriptionBillingCycles(first: 1) { nodes { cycleIndex } } }';
      const { result } = await runPlan({ as, query, standIn: neverCalled });
      expect(result.data).toEqual({ subscriptionBillingCycles: null });
      expect(result.errors?.[0]?.message).toContain('"contractId" is required: give the id of the contract');
    },
  );

  test.each(['store', 'store for a customer'] as const)('a %s may ask for 250 ids at a time', async (as) => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const ask = (count: number) =>
      runPlan({
        as,
        query,
        variables: {
          ids: Array.from({ length: count }, (_, index) => `gid://platform/Product/${index + 1}`),
        },
        standIn: ({ variables }) => ({
          data: {
            nodes: Object.values(variables)
              .flat()
              .map(() => null),
          },
        }),
      });
    expect((await ask(250)).sent).toHaveLength(1);
    const { result, sent } = await ask(251);
    expect(sent).toEqual([]);
    expect(result).toMatchObject({
      errors: [
        {
          message: expect.stringMatching(/251 ids.*limit is 250/),
          extensions: { code: 'QUERY_TOO_COMPLEX', limit: 'ids', max: 250, actual: 251 },
        },
      ],
    });
  });

  test('reports what the store has not granted in the service’s text, at its path', async () => {
    const denied = {
      message: 'Access denied for name field. Required access: `read_shop` access scope. App 123',
      path: ['shop', 'name'],
      extensions: { code: 'ACCESS_DENIED' },
    };
    const { result } = await runPlan({
      as: 'store',
      query: '{ shop { name } }',
      standIn: answering({ data: { shop: { name: null } }, errors: [denied] }),
    });
    expect(result.errors).toEqual([
      {
        message: expect.stringContaining('Missing is read_shop'),
        path: ['shop', 'name'],
        extensions: { code: 'STORE_ACCESS_MISSING', missing: ['read_shop'] },
      },
    ]);
  });

  test('introspection is answered here', async () => {
    const query =
      'query ($n: String!) { __schema { queryType { name } } __type(name: $n) { kind } __typename }';
    const { result } = await runPlan({ as: 'store', query, variables: { n: 'Order' }, standIn: neverCalled });
    expect(result).toEqual({
      data: {
        __schema: { queryType: { name: 'QueryRoot' } },
        __type: { kind: 'OBJECT' },
        __typename: 'QueryRoot',
      },
    });
  });
});

describe("a store's server acting for a customer", () => {
  test.each([
    [`{ customer(id: "${ADA}") { id } }`, { customer: null }, { customer: null }, []],
    [`{ node(id: "${ADA}") { id } }`, { node: null }, { node: null }, []],
    [`{ nodes(ids: ["${ADA}"]) { id } }`, { nodes: [null] }, { nodes: [null] }, []],
    [
      '{ subscriptionContracts(first: 1) { nodes { id } } }',
      { _svcNarrow0: null },
      null,
      ['subscriptionContracts'],
    ],
    ['{ orders(first: 1) { nodes { id } } }', { _svcNarrow0: null }, null, ['orders']],
  ])(
    'returns null for a customer who does not exist, and refuses their lists: %s',
    async (query, answered, data, refused) => {
      const standIn = answering({ data: answered });
      const { result } = await runPlan({ as: 'store for a customer', query, standIn });
      expect(result).toMatchObject({ data });
      expect(result.errors ?? []).toEqual(refused.map((root) => forbidden(root)));
    },
  );

  test('lists of the store are read through the customer, and never searched', async () => {
    const query =
      '{ orders(first: 1) { nodes { id } } found: orders(first: 1, query: "email:x") { nodes { id } } }';
    const data = { _svcNarrow0: { orders: { nodes: [{ id: 'gid://shopify/Order/1' }] } } };
    const { result, sent } = await runPlan({
      as: 'store for a customer',
      query,
      standIn: answering({ data, cost }),
    });
    expect(sent[0]?.document).toContain(
      '_svcNarrow0: customer(id: $_svcCustomer) @include(if: $_svcRun0) { orders: orders(first: 1, sortKey: PROCESSED_AT)',
    );
    expect(sent[0]?.variables).toMatchObject({ _svcCustomer: ADA_UPSTREAM, _svcRun0: true, _svcRun1: false });
    // The list is non-null in the platform's schema, so its error nulls the whole response; no cost is reported.
    expect(result).toEqual({ data: null, errors: [forbidden('found')] });
  });

  test('nodes are answered by position, each refusal by itself', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const ids = ['gid://platform/SubscriptionContract/12', CONTRACT, 'junk', 'gid://platform/Product/5'];
    const data = {
      nodes: [
        { id: 'gid://shopify/SubscriptionContract/12' },
        { id: CONTRACT_UPSTREAM },
        { id: 'gid://shopify/Product/5' },
      ],
      _svcOwned: [
        { id: 'gid://shopify/SubscriptionContract/12', _svcSubscriptionContract: { id: BEN_UPSTREAM } },
        ...ownedBy(ADA_UPSTREAM),
      ],
    };
    const { result } = await runPlan({
      as: 'store for a customer',
      query,
      variables: { ids },
      standIn: answering({ data, cost }),
    });
    expect(result).toEqual({
      data: { nodes: [null, { id: CONTRACT }, null, { id: 'gid://platform/Product/5' }] },
      errors: [forbidden('nodes', 0), forbidden('nodes', 2)],
    });
  });
});
