/** Answers of the platform that are passed on as text: which ones, and how their text is changed. */
import { describe, expect, test } from '@jest/globals';
import { createIdRewriter } from '../../../graphql/compile/rewrite-ids.ts';
import { classifyAdminResponse } from '../../../lib/platform/admin-api/admin-response.ts';
import { ADA, type PlanRequest, runPlan } from '../world/harness.ts';

const me = `gid://shopify/Customer/${ADA}`;
const LINE = {
  id: 'gid://shopify/SubscriptionLine/0000-1',
  title: 'gid://shopify/Product/1',
  productId: 'gid://shopify/Product/100',
};
const CUSTOMER = {
  id: me,
  displayName: null,
  subscriptionContracts: {
    nodes: [{ id: 'gid://shopify/SubscriptionContract/7', lines: { nodes: [LINE] } }],
  },
};

const ask = (request: Pick<PlanRequest, 'query' | 'as'> & Partial<PlanRequest>) =>
  runPlan({ standIn: () => ({ data: { customer: CUSTOMER } }), acceptsDataText: true, ...request });

const CONTRACTS = `subscriptionContracts(first: 1) { nodes { id lines(first: 1) { nodes { id title productId } } } }`;

test("ids are rewritten in a customer's answer, texts that look like ids are not", async () => {
  const query = `query($id: ID!) { customer(id: $id) { id displayName ${CONTRACTS} } }`;
  const variables = { id: `gid://platform/Customer/${ADA}` };
  const { result, isText } = await ask({ as: 'customer', query, variables });
  expect(isText).toBe(true);
  expect(result).toEqual({
    data: {
      customer: {
        id: `gid://platform/Customer/${ADA}`,
        displayName: null,
        subscriptionContracts: {
          nodes: [
            {
              id: 'gid://platform/SubscriptionContract/7',
              lines: {
                nodes: [
                  {
                    id: 'gid://platform/SubscriptionLine/0000-1',
                    title: 'gid://shopify/Product/1',
                    productId: 'gid://platform/Product/100',
                  },
                ],
              },
            },
          ],
        },
      },
    },
  });
});

test('a store sees what its request has cost, a customer does not', async () => {
  const query = `{ customer(id: "gid://platform/Customer/${ADA}") { id } }`;
  const asStore = await ask({ as: 'store', query });
  expect(asStore.isText).toBe(true);
  expect(asStore.result.extensions).toEqual({ cost: expect.objectContaining({ requestedQueryCost: 3 }) });
  const asCustomer = await ask({ as: 'customer', query });
  expect(asCustomer.result).toEqual({ data: { customer: expect.anything() } });
});

describe('a response is read', () => {
  const customer = (fields: string) => `{ customer(id: "gid://platform/Customer/${ADA}") { ${fields} } }`;
  test.each<[string, PlanRequest['as'], string]>([
    [
      'for an owner',
      'customer',
      customer('subscriptionContracts(first: 1) { nodes { originOrder { id } } }'),
    ],
    [
      'for a proof',
      'customer',
      '{ subscriptionContract(id: "gid://platform/SubscriptionContract/7") { id } }',
    ],
    ['for a field of our own', 'store', customer('id portalUrl')],
    ['for a metafield', 'store', customer('metafield(namespace: "a", key: "b") { value }')],
    [
      'if the key of an id names something else too',
      'store',
      customer('id subscriptionContracts(first: 1) { nodes { id: status } }'),
    ],
    ['for ids of any type', 'store', `{ node(id: "gid://platform/Customer/${ADA}") { id } }`],
    ['for the name of the root type', 'store', `{ __typename ${customer('id').slice(1)}`],
  ])('%s', async (_why, as, query) => {
    const { sent, isText } = await ask({ as, query, standIn: () => ({ data: {} }) }).catch(
      (error: unknown) => {
        throw new Error(`${query}: ${error}`);
      },
    );
    expect(sent.length).toBeGreaterThan(0);
    expect(isText).toBe(false);
  });

  test.each([
    ['a scalar that may hold objects', { type: 'JSON', kind: 'plain' }],
    ['a list of ids', { type: '[ID!]', kind: 'id' }],
  ] as const)('reads the response for %s', (_what, field) => {
    const shape = { key: 'found', shape: undefined, serviceFields: [], isOrderContact: false };
    const root = (of: object) =>
      ({
        special: undefined,
        clientPathByPlatformKey: new Map([['found', []]]),
        shape: { ...shape, ...of },
      }) as never;
    const upstream = { text: '{ found }' };
    expect(createIdRewriter([root({ type: 'ID!', kind: 'id' })], upstream)).toBeDefined();
    expect(createIdRewriter([root(field)], upstream)).toBeUndefined();
  });

  test('reads the response if another root is refused', async () => {
    const ownRoot = `self: customer(id: "gid://platform/Customer/${ADA}") { id }`;
    const { result, isText } = await ask({
      as: 'customer',
      query: `{ ${ownRoot} other: customer(id: "gid://platform/Customer/1") { id } }`,
      standIn: () => ({ data: { self: { id: me } } }),
    });
    expect(isText).toBe(false);
    expect(result).toMatchObject({
      data: { self: { id: `gid://platform/Customer/${ADA}` }, other: null },
      errors: [{ path: ['other'], extensions: { code: 'FORBIDDEN' } }],
    });
  });

  test('reads the response if it contains an error', async () => {
    const query = `{ customer(id: "gid://platform/Customer/${ADA}") { id note } }`;
    const errors = [{ message: 'boom', path: ['customer', 'note'] }];
    const { result, isText } = await ask({
      as: 'store',
      query,
      standIn: () => ({ data: { customer: { id: me, note: null } }, errors }),
    });
    expect(isText).toBe(false);
    expect(result.errors).toHaveLength(1);
  });

  test('reads the response if the caller does not accept text', async () => {
    const query = `{ customer(id: "gid://platform/Customer/${ADA}") { id } }`;
    expect((await ask({ as: 'store', query, acceptsDataText: false })).isText).toBe(false);
  });
});

describe('the text of the data', () => {
  const cost =
    '{"requestedQueryCost":1,"actualQueryCost":1,"throttleStatus":{"maximumAvailable":9,"currentlyAvailable":8,"restoreRate":1}}';
  const EXTENSIONS = `"extensions":{"cost":${cost}}`;
  const read = (body: string, status = 200) =>
    classifyAdminResponse({ status, retryAfter: undefined, body }, true) as {
      response?: { dataText?: string };
    };

  test('is what stands between head and costs', () => {
    const { response } = read(`{"data":{"shop":{"id":"x"}},${EXTENSIONS}}`);
    expect(response).toMatchObject({ dataText: '{"shop":{"id":"x"}}', data: {}, errors: [] });
    expect(response).toHaveProperty('cost.requestedQueryCost', 1);
  });

  test.each([
    ['an escape', `{"data":{"shop":{"id":"\\"},${EXTENSIONS.replaceAll('"', '\\"')}"}},${EXTENSIONS}}`],
    ['an error behind', `{"data":{"shop":null},${EXTENSIONS},"errors":[{"message":"m","path":["shop"]}]}`],
    ['an error between', `{"data":{"shop":null},"errors":[{"message":"m","path":["shop"]}],${EXTENSIONS}}`],
    ['an error before', `{"errors":[{"message":"m","path":["shop"]}],"data":{"shop":null},${EXTENSIONS}}`],
    ['costs before', `{${EXTENSIONS},"data":{"shop":{}}}`],
    ['costs in the data', `{"data":{"shop":{},${EXTENSIONS}}}`],
    ['no costs', '{"data":{"shop":{}}}'],
    ['blanks', `{ "data": {"shop":{}}, ${EXTENSIONS}}`],
    ['other extensions first', `{"data":{"shop":{}},"extensions":{"more":1,"cost":${cost}}}`],
  ])('returns no text for a response with %s', (_what, body) => {
    const { response } = read(body);
    expect(response).toMatchObject({ data: { shop: JSON.parse(body).data.shop } });
    expect(response).not.toHaveProperty('dataText');
  });

  test.each([
    ['half an answer', `{"data":{"shop":{"id":`],
    ['an answer that ends too early', `{"data":{"shop":{}},"extensions":{"cost":{"requested`],
    ['a page', '<html></html>'],
  ])('%s is none', (_what, body) => {
    expect(read(body)).toMatchObject({ kind: 'unavailable' });
  });

  test('returns no text for a response with another status', () => {
    expect(read(`{"data":{"shop":{}},${EXTENSIONS}}`, 503)).toMatchObject({ kind: 'unavailable' });
  });
});
