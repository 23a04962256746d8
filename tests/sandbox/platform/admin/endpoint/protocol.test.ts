import { describe, expect, test } from '@jest/globals';
import { ada, harbor, juniper, newPlatform } from '../harness.ts';

const body = JSON.stringify({ query: '{ shop { name } }' });

describe('what is refused before GraphQL', () => {
  test.each([
    ['no token', {}],
    ['a wrong token', { 'x-shopify-access-token': 'shpat_wrong' }],
  ])('returns 401 with a string for %s', async (_name, headers) => {
    const answer = await newPlatform().send(body, { headers });
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body).errors).toMatch(/^\[API\] Invalid API key or access token/);
  });

  test('returns 401 for another store’s token', async () => {
    const platform = newPlatform();
    const headers = { 'x-shopify-access-token': platform.store(juniper).accessToken };
    expect((await platform.send(body, { shop: harbor, headers })).status).toBe(401);
  });

  test.each([
    ['an unknown version', { version: '2031-01' }],
    ['an unknown shop', { shop: 'nobody.myshopify.com', headers: {} }],
  ])('returns 404 with a string for %s', async (_name, change) => {
    const answer = await newPlatform().api.handle({
      shop: harbor,
      version: '2026-07',
      headers: {},
      body,
      ...change,
    });
    expect(answer.status).toBe(404);
    expect(typeof JSON.parse(answer.body).errors).toBe('string');
  });

  test.each([
    ['2026-10', '2026-10'],
    // An expired version falls forward to the oldest that lives.
    ['2019-01', '2026-07'],
  ])('version %s is answered by %s, and the answer says so', async (version, answering) => {
    const platform = newPlatform();
    const headers = { 'x-shopify-access-token': platform.store().accessToken };
    const answer = await platform.api.handle({ shop: harbor, version, headers, body });
    expect([answer.status, answer.headers['x-shopify-api-version']]).toEqual([200, answering]);
  });

  test.each(['', '{', '"text"', '{"query": 1}', '[]'])(
    'returns 400 with a string for the body %j',
    async (broken) => {
      const answer = await newPlatform().send(broken);
      expect(answer.status).toBe(400);
      expect(typeof JSON.parse(answer.body).errors).toBe('string');
    },
  );
});

describe('documents that do not fit the subset', () => {
  test.each([
    ['{ shop { nickname } }', 'undefinedField'],
    ['{ shop }', 'selectionMismatch'],
    ['{ customer { id } }', 'missingRequiredArguments'],
    ['{ customer(id: "x", name: "y") { id } }', 'argumentNotAccepted'],
    ['{ ...nothing }', 'undefinedFragment'],
    ['query ($n: Int) { customer(id: $n) { id } }', 'variableMismatch'],
  ])('%s is %s', async (query, code) => {
    const answer = await newPlatform().ask(query);
    expect(answer.data).toBeUndefined();
    expect(answer.errors[0].extensions.code).toBe(code);
  });

  test('a document that is not GraphQL: 200 with errors', async () => {
    const answer = await newPlatform().send(JSON.stringify({ query: '{ shop {' }));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).errors[0].message).toMatch(/Syntax Error/);
  });

  test('variables that do not fit: INVALID_VARIABLE, nothing charged', async () => {
    const platform = newPlatform();
    const answer = await platform.ask('query ($id: ID!) { customer(id: $id) { id } }');
    expect(answer.errors[0].extensions.code).toBe('INVALID_VARIABLE');
    expect((await platform.ask('{ shop { name } }')).extensions.cost.throttleStatus.currentlyAvailable).toBe(
      1999,
    );
  });
});

describe('ids', () => {
  test.each(['gid://shopify/Product/1', '7001001', 'gid://platform/Customer/7001001'])(
    'customer(id: %j) is invalid',
    async (id) => {
      const answer = await newPlatform().ask('query ($id: ID!) { customer(id: $id) { id } }', { id });
      expect(answer.data).toEqual({ customer: null });
      expect(answer.errors[0].extensions.code).toBe('RESOURCE_NOT_FOUND');
    },
  );

  test('returns null without an error for an id that does not exist', async () => {
    expect(await newPlatform().data('{ customer(id: "gid://shopify/Customer/1") { id } }')).toEqual({
      customer: null,
    });
  });

  test('nodes keeps order and gaps', async () => {
    const ids = ['gid://shopify/Customer/1', ada, 'gid://shopify/Shop/81234567001'];
    const { nodes } = await newPlatform().data(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
      { ids },
    );
    expect(nodes).toEqual([null, { __typename: 'Customer', id: ada }, { __typename: 'Shop', id: ids[2] }]);
  });
});

test('the record names document, variables and cost', async () => {
  const query = 'query ($id: ID!) { customer(id: $id) { id } }';
  const answer = await newPlatform().send(JSON.stringify({ query, variables: { id: ada } }));
  expect(answer.record).toEqual({ query, variables: { id: ada }, cost: 1 });
});

test('a body may carry more than GraphQL knows, and name one of several operations', async () => {
  const query = 'query a { shop { id } } query b { shop { name } }';
  const answer = await newPlatform().send(JSON.stringify({ query, operationName: 'b', extra: true }));
  expect(JSON.parse(answer.body).data).toEqual({ shop: { name: 'Harbor Coffee' } });
});
