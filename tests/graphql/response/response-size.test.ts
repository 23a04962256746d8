/** A short document with a very large response gets an error before the response is built. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { createPreparedDocuments } from '../../../graphql/compile/prepare-document.ts';
import { handleGraphql } from '../../../graphql/endpoint/execute-request.ts';
import { introspectAdmin } from '../../../graphql/roots/introspection/introspect-admin.ts';
import { keyScopes } from '../../../lib/domain/key-scope.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { type ContractNumber, formatEventNumber, toEventItem } from '../../../lib/timeline/event-record.ts';
import { ADA, NOW_MS, neverCalled, runPlan, store } from '../world/harness.ts';
import { createResolveWorld } from '../world/resolve-world.ts';

const ADAS = '9101001';
const TOO_COMPLEX = {
  message: expect.stringContaining('Request fewer objects'),
  extensions: { code: 'QUERY_TOO_COMPLEX', limit: 'answer bytes', max: 5 * 1024 * 1024 },
};
const world = createResolveWorld();
const aliases = (field: string, count = 60) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
const inContract = (selection: string) =>
  `subscriptionContract(id: "gid://platform/SubscriptionContract/${ADAS}") { ${selection} }`;

beforeAll(async () => {
  for (let sequence = 0; sequence < 240; sequence++) {
    const createdAtMs = NOW_MS - 1000;
    const contract = ADAS as ContractNumber;
    const number = formatEventNumber({ createdAtMs, sequence, contract });
    const record = {
      number,
      contract,
      createdAtMs,
      shopId: store.shopId as ShopId,
      action: 'subscription_paused',
      actor: { kind: 'CUSTOMER', customerId: ADA },
      id: 'entry-1',
      requestId: 'request-1',
      details: {},
      changes: [],
      outcome: 'DONE',
    } as const;
    await world.table.put(toEventItem(record));
  }
});

describe('an answer that grows where it is put together', () => {
  const contracts =
    'customer { subscriptionContracts(first: 30) { nodes { id status createdAt updatedAt } } }';
  const actors = `... on SubscriptionEvent { ${aliases(`actor { ${contracts} }`)} }`;
  const events = (of: string) => `events(first: 240) { nodes { ${of} } }`;

  test('is refused, and nothing of it is told', async () => {
    const { result } = await world.ask({ as: 'store', query: `{ ${inContract(events(actors))} }` });
    expect(result).toEqual({ errors: [TOO_COMPLEX] });
  });

  test('is refused for entries that are asked for by their ids', async () => {
    const { data } = await world.ask({ as: 'store', query: `{ ${inContract(events('id'))} }` });
    const ids = data.subscriptionContract.events.nodes.map(({ id }: { id: string }) => id);
    const query = `query($ids: [ID!]!) { nodes(ids: $ids) { ${actors} } }`;
    const { result } = await world.ask({ as: 'store', query, variables: { ids } });
    expect(result).toEqual({ errors: [TOO_COMPLEX] });
  });

  test('behind a change is told as a change whose outcome is to be read', async () => {
    const id = `gid://platform/SubscriptionContract/${ADAS}`;
    const note = `subscriptionContractNoteUpdate(contractId: "${id}", note: "x") { contract { ${events(actors)} } }`;
    const { result } = await world.ask({ as: 'store for a customer', query: `mutation { ${note} }` });
    expect(result).toMatchObject({
      data: { subscriptionContractNoteUpdate: null },
      errors: [{ path: ['subscriptionContractNoteUpdate'], extensions: { code: 'OUTCOME_UNKNOWN' } }],
    });
  });

  test('is answered below that', async () => {
    const query = `{ ${inContract(events(`... on SubscriptionEvent { ${aliases(`actor { ${contracts} }`, 2)} }`))} }`;
    const { data, errors } = await world.ask({ as: 'store', query });
    expect(errors).toEqual([]);
    expect(data.subscriptionContract.events.nodes).toHaveLength(240);
  });
});

describe('introspection', () => {
  const ask = (query: string) => runPlan({ as: 'store', query, standIn: neverCalled });

  test.each([
    ['with aliases', `{ __schema { ${aliases('types { name description fields { name description } }')} } }`],
    [
      'in many roots',
      `{ ${aliases('__schema { types { name description fields { name description } } }')} }`,
    ],
    [
      'of types in types',
      '{ __type(name: "Node") { possibleTypes { interfaces { possibleTypes { interfaces { possibleTypes { fields { name } } } } } } } }',
    ],
  ])('%s is refused if it is too large', async (_how, query) => {
    expect((await ask(query)).result).toEqual({ errors: [TOO_COMPLEX] });
  });

  test('by the tools is answered', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const options = { descriptions: true, inputValueDeprecation: true, specifiedByUrl: true };
    const { result } = await ask(getIntrospectionQuery(options));
    expect(result.errors).toBeUndefined();
    expect(result.data).toHaveProperty('__schema.types');
  });
});

/** The answer as it would leave the process, with the platform's text as the whole of its data. */
async function answerOver(query: string, data: object) {
  const deps = {
    surface: 'admin',
    documents: createPreparedDocuments(),
    introspect: introspectAdmin,
    namespaces: { client: 'platform', platform: 'shopify' },
    now: () => NOW_MS,
    wait: async () => undefined,
    table: world.table,
    timeline: {},
    logger: { info: () => undefined },
    sendAdminOperation: async ({ acceptsDataText }: { acceptsDataText?: boolean }) => ({
      errors: [],
      cost: undefined,
      ...(acceptsDataText ? { data: {}, dataText: JSON.stringify(data) } : { data: structuredClone(data) }),
    }),
  } as never;
  const exchange = {
    actor: { kind: 'store', shopId: 1, keyId: 'key', scopes: keyScopes, store: store as StoreRecord },
    graphql: { query, operationName: undefined, variables: {} },
    request: { method: 'POST' },
    requestId: 'request-1',
    startedAtMs: NOW_MS,
    responseHeaders: { 'content-type': 'application/json' },
    logFields: {},
  };
  const answer = await handleGraphql(deps)({ exchange } as never);
  return { answer, lambdaBytes: Buffer.byteLength(JSON.stringify(answer)) };
}

describe('an answer of the platform that cannot go out as a Lambda response', () => {
  const LAMBDA_BYTES = 6 * 1024 * 1024;
  const customers = (count: number) => ({
    customers: {
      nodes: Array.from({ length: count }, (_, index) => ({ id: `gid://shopify/Customer/${index}` })),
    },
  });
  const customer = (text: string) => ({ customer: { id: 'gid://shopify/Customer/1', note: text } });

  test.each([
    ['passed on as text', '{ customers(first: 250) { nodes { id } } }', customers(160_000)],
    [
      'of wide characters',
      '{ customer(id: "gid://platform/Customer/1") { id note } }',
      customer('€'.repeat(2_200_000)),
    ],
    [
      'of quotation marks',
      '{ customer(id: "gid://platform/Customer/1") { id note } }',
      customer('"'.repeat(1_700_000)),
    ],
    [
      'that is read',
      '{ customer(id: "gid://platform/Customer/1") { id note portalUrl } }',
      customer('"'.repeat(1_700_000)),
    ],
  ])('%s', async (_how, query, data) => {
    const { answer, lambdaBytes } = await answerOver(query, data);
    expect(lambdaBytes).toBeLessThan(LAMBDA_BYTES);
    expect(JSON.parse(answer.body ?? '')).toEqual({
      errors: [{ ...TOO_COMPLEX, message: expect.stringContaining('smaller pages') }],
    });
  });

  test('a change is not told as if it had not been sent', async () => {
    const query =
      'mutation { customerUpdate(input: { id: "gid://platform/Customer/1" }) { customer { note } } }';
    const { answer } = await answerOver(query, { customerUpdate: customer('"'.repeat(1_700_000)) });
    expect(JSON.parse(answer.body ?? '')).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'OUTCOME_UNKNOWN' } }],
    });
  });

  test('a large one that can goes out', async () => {
    const text = 'x'.repeat(4_000_000);
    const { answer } = await answerOver(
      '{ customer(id: "gid://platform/Customer/1") { id note } }',
      customer(text),
    );
    expect(JSON.parse(answer.body ?? '').data.customer.note).toHaveLength(text.length);
  });
});
