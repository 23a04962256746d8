/** Names that every object of JavaScript has: in a document and its variables they are names like any other. */
import { describe, expect, test } from '@jest/globals';
import { ADA, type PlanRequest, runPlan } from '../world/harness.ts';
import { createResolveWorld } from '../world/resolve-world.ts';

const INHERITED = ['constructor', 'hasOwnProperty', 'toString', '__defineGetter__', 'toJSON'] as const;
/** The placeholder of the tested name in the documents. */
const PLAIN = 'plain';
const CONTRACT = 'gid://platform/SubscriptionContract/9101001';

const renamed = <T>(value: T, name: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll(PLAIN, name)) as T;
/** With every key, inherited or not, and in its order. */
const text = (value: unknown) => JSON.stringify(value);

type TestRequest = Pick<PlanRequest, 'query' | 'variables' | 'operationName'>;

const customer = `customer(id: "gid://platform/Customer/${ADA}")`;
const contract = `subscriptionContract(id: "${CONTRACT}")`;
const NAMED: Readonly<Record<string, TestRequest>> = {
  'a root': { query: `{ plain: ${customer} { id } }` },
  'a root that is refused': { query: `{ plain: customer(id: "gid://platform/Customer/1") { id } }` },
  'a root that is not there': {
    query: `{ plain: ${customer} @include(if: false) { id } other: ${customer} { id } }`,
  },
  'the name of the root type': { query: '{ plain: __typename }' },
  'a field': { query: `{ ${customer} { plain: id } }` },
  'a field that is not there': { query: `{ ${customer} { plain: id @include(if: false) displayName } }` },
  'an object that is not there': {
    query: `{ ${contract} { plain: customer @include(if: false) { id } customer { id } originOrder { plain: id @skip(if: true) id } } }`,
  },
  'an object': { query: `{ ${contract} { plain: lines(first: 1) { plain: nodes { plain: id } } } }` },
  'what is answered here': {
    query: `{ ${contract} { plain: portalUrl currentPause { plain: __typename } events(first: 1) { plain: nodes { plain: id } } } }`,
  },
  'a list that is answered here': { query: `{ ${contract} { plain: events(first: 1) { nodes { id } } } }` },
  'entries by their ids': { query: `{ plain: nodes(ids: ["${CONTRACT}"]) { plain: id } }` },
  'plans to change to': {
    query: `{ plain: subscriptionIntervalInfo(contractId: "${CONTRACT}") { plain: __typename } }`,
  },
  'a fragment': {
    query: `{ ${contract} { ...plain } } fragment plain on SubscriptionContract { id status }`,
  },
  'an operation': {
    query: `query plain { ${customer} { id } } query other { __typename }`,
    operationName: 'plain',
  },
  'a mutation': {
    query: `mutation { plain: subscriptionContractPause(subscriptionContractId: "${CONTRACT}") { plain: contract { plain: id portalUrl } userErrors { plain: code } } }`,
  },
};

describe.each(Object.entries(NAMED))('as the name of %s', (_place, request) => {
  const world = createResolveWorld();

  test.each(INHERITED)('%s', async (name) => {
    const ask = async (request: TestRequest) => {
      const { result } = await world.ask({ as: 'customer', ...request });
      return result;
    };
    await ask(request);
    // A change that was made once is no change any more.
    const expected = await ask(request);
    expect(text(await ask(renamed(request, name)))).toBe(text(renamed(expected, name)));
  });
});

const VARIABLES: Readonly<Record<string, TestRequest>> = {
  'an id': {
    query: `query($plain: ID!) { customer(id: $plain) { id } }`,
    variables: { plain: `gid://platform/Customer/${ADA}` },
  },
  'an id that is left out': {
    query:
      'query($plain: ID) { subscriptionBillingCycles(contractId: $plain, first: 1) { nodes { cycleIndex } } }',
  },
  'a page': {
    query: `query($plain: Int) { ${customer} { subscriptionContracts(first: $plain) { nodes { id } } } }`,
    variables: { plain: 3 },
  },
  'a page that is left out': {
    query: `query($plain: Int) { ${customer} { subscriptionContracts(first: $plain, last: 1) { nodes { id } } } }`,
  },
  'a default': {
    query: `query($plain: Int = 2) { ${customer} { subscriptionContracts(first: $plain) { nodes { id } } } }`,
  },
  'a condition': {
    query: `query($plain: Boolean!) { ${customer} { id @include(if: $plain) } }`,
    variables: { plain: true },
  },
  'the condition of a root': {
    query: `query($plain: Boolean = false) { ${customer} @skip(if: $plain) { id } other: ${customer} { id } }`,
    variables: { plain: true },
  },
  'an argument of ours': {
    query: `query($plain: String) { ${contract} { events(first: 1, query: $plain) { nodes { id } } } }`,
  },
  'one of the wrong type': {
    query: `query($plain: Int!) { ${customer} { subscriptionContracts(first: $plain) { nodes { id } } } }`,
    variables: { plain: 'x' },
  },
  'one that nobody declared': { query: `{ ${customer} { id } }`, variables: { plain: 'x' } },
};

describe.each(Object.entries(VARIABLES))('as a variable for %s', (_place, request) => {
  const given = request.variables ?? {};

  test.each(INHERITED)('%s', async (name) => {
    const ask = async (request: TestRequest) => {
      const data = {
        customer: { id: 'gid://shopify/Customer/1' },
        other: { id: 'gid://shopify/Customer/1' },
      };
      const { result, sent } = await runPlan({ as: 'customer', ...request, standIn: () => ({ data }) });
      return { result, sent: sent.map(({ document, variables }) => ({ document, variables })) };
    };
    const expected = await ask(request);
    const variables = JSON.parse(JSON.stringify(given).replaceAll(PLAIN, name));
    const response = await ask({ ...request, query: request.query.replaceAll(PLAIN, name), variables });
    expect(text(response)).toBe(text(expected).replaceAll(PLAIN, name));
  });
});

describe('as the name of an input field', () => {
  const query = 'mutation($input: CustomerInput!) { customerUpdate(input: $input) { userErrors { field } } }';

  test.each(INHERITED)('%s', async (name) => {
    const variables = JSON.parse(
      `{ "input": { "id": "gid://platform/Customer/${ADA}", "${name}": { "note": "x" } } }`,
    );
    const data = { customerUpdate: { userErrors: [] } };
    const { result, sent } = await runPlan({ as: 'store', query, variables, standIn: () => ({ data }) });
    expect(sent).toEqual([]);
    expect(result.errors?.[0]).toMatchObject({
      message: expect.stringContaining(`Field "${name}" is not defined`),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });
});
