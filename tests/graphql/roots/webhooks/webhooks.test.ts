/**
 * Endpoints by GraphQL, over a table and a stream: what a key creates, reads and requests, and the secrets that it can
 * read only once.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { WebhookContext } from '../../../../graphql/plan/run-context.ts';
import { createTokenKeyReader } from '../../../../lib/credentials/token-keys.ts';
import { awaitAll } from '../../../../lib/domain/await-all.ts';
import { type KeyScope, keyScopes } from '../../../../lib/domain/key-scope.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { toStreamItem } from '../../../../lib/storage/stream/stream-record.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { findActionDefinition } from '../../../../lib/timeline/actions.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { createTimeline } from '../../../../lib/timeline/timeline.ts';
import { writeBacklog } from '../../../../lib/webhooks/deliver/backlog.ts';
import { createWebhookDeliveryWork } from '../../../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import {
  markNumberProcessed,
  readEndpointDeliveryState,
  skipCursorToNumber,
  writeEndpointDeliveryState,
} from '../../../../lib/webhooks/deliver/endpoint-delivery-state.ts';
import { openEndpointSecrets, WEBHOOK_KEY_RING_NAME } from '../../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpointRepository, type EndpointId } from '../../../../lib/webhooks/endpoints.ts';
import type { WebhookRequest, WebhookResponse } from '../../../../lib/webhooks/send-webhook.ts';
import { appendingOver } from '../../../appending.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { holdsRights, tableOf } from '../../../rights/guarded-table.ts';
import { actorOf, NOW_MS, neverCalled, runPlan, store } from '../../world/harness.ts';

const DAY_MS = 86_400_000;
let table: Table;
let nowMs = NOW_MS;
let sent: WebhookRequest[] = [];
let answer: WebhookResponse = { status: 204 };
/** Lookups of names fail, after a delay. */
let isUnreachable = false;
beforeEach(() => {
  table = createMemoryTable();
  nowMs = NOW_MS;
  sent = [];
  answer = { status: 204 };
  isUnreachable = false;
});
const now = () => nowMs;
const { shopId } = store;

const tokenKeys = createTokenKeyReader({
  secrets: { read: async (name: string) => ({ versionId: '1', json: { seed: name.padEnd(64, '.') } }) },
  ...{ secretsPrefix: 'test', ringName: WEBHOOK_KEY_RING_NAME, now, logger: { error: () => undefined } },
});
const parts: WebhookContext = {
  tokenKeys,
  random: (bytes) => randomBytes(bytes),
  newId: () => randomUUID(),
  guard: {
    async resolve(name) {
      if (isUnreachable) nowMs += 6_000;
      if (isUnreachable || name === 'nowhere.example') return [];
      return [{ address: name === 'inside.example' ? '10.0.0.1' : '93.184.216.34', family: 4 }];
    },
    allowsLoopback: false,
  },
  async send(request, timeoutMs) {
    sent.push(request);
    if ('failed' in answer) nowMs += timeoutMs;
    return answer;
  },
};

async function ask(
  query: string,
  variables: object = {},
  of: StoreRecord = store,
  scopes: readonly KeyScope[] = keyScopes,
) {
  const timeline = (over: Table) =>
    createTimeline({
      ...{
        table: over,
        scheduledTasks: createScheduledTaskRepository({ table: over, now }),
        logger: { error: () => undefined },
        now,
      },
      newId: () => randomUUID(),
    });
  const { result } = await runPlan({
    ...{ as: 'store', query, variables: { ...variables }, standIn: neverCalled, table, timeline, now },
    ...{
      store: of,
      loadWebhooks: async () => parts,
      actor: { ...actorOf('store', of), scopes } as ReturnType<typeof actorOf>,
    },
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  return { data: (result.data ?? {}) as any, errors: result.errors ?? [], text: JSON.stringify(result) };
}

const FIELDS = 'id url description types status createdAt lastDeliveredAt waitingCount oldestWaitingAt';
const CREATE = `mutation ($url: URL!, $types: [WebhookEventType!], $description: String) {
  webhookEndpointCreate(url: $url, types: $types, description: $description) {
    endpoint { ${FIELDS} } secret userErrors { field message code } } }`;
const create = async (variables: object = {}) =>
  (await ask(CREATE, { url: 'https://shop.example/hooks', ...variables })).data.webhookEndpointCreate;
const change = async (field: string, args: string, selection = `endpoint { ${FIELDS} }`) =>
  (await ask(`mutation { ${field}(${args}) { ${selection} userErrors { field message code } } }`)).data[
    field
  ];
const idOf = (gid: string) => (gid.split('/').at(-1) ?? '') as EndpointId;
const recordOf = async (gid: string) => {
  const found = await createEndpointRepository({ table, now, newId: parts.newId }).find(shopId, idOf(gid));
  if (found === undefined) throw new Error('There is no such endpoint.');
  return found;
};
const queueItems = async () => {
  const values = { ':pk': `WAKE#webhook-deliveries#${shopId % 8}` };
  return (await table.query({ keyCondition: 'pk = :pk', values })).items;
};
const place = async (...ids: string[]) => {
  const appending = appendingOver({ table, now });
  for (const id of ids) {
    await appending({
      shopId,
      id,
      contract: id,
      entry: { number: id, action: 'subscription_paused', type: 'subscription.paused' },
    });
  }
};

describe('an endpoint', () => {
  test('is made with a secret that is shown once and signs, and is listed from then on', async () => {
    const made = await create({ types: ['ORDER_CHARGED', 'ORDER_CHARGED'], description: 'ERP' });
    expect(made).toEqual({
      endpoint: {
        id: expect.stringMatching(/^gid:\/\/platform\/WebhookEndpoint\/[0-9a-f]{24}$/),
        url: 'https://shop.example/hooks',
        ...{ description: 'ERP', types: ['ORDER_CHARGED'], status: 'ENABLED', waitingCount: 0 },
        ...{ createdAt: expect.any(String), lastDeliveredAt: null, oldestWaitingAt: null },
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      userErrors: [],
    });
    expect(await openEndpointSecrets({ tokenKeys, now }, await recordOf(made.endpoint.id))).toEqual([
      made.secret,
    ]);
    const query = `query ($id: ID!) { webhookEndpoint(id: $id) { ${FIELDS} } webhookEndpoints(first: 5) { nodes { ${FIELDS} } } }`;
    const { data, errors } = await ask(query, { id: made.endpoint.id });
    expect(errors).toEqual([]);
    expect(data).toEqual({ webhookEndpoint: made.endpoint, webhookEndpoints: { nodes: [made.endpoint] } });
  });

  test.each([
    ['HTTPS only', 'URL_INVALID', 'http://shop.example/'],
    ['port 443', 'URL_INVALID', 'https://shop.example:8443/'],
    ['a user name or a password', 'URL_INVALID', 'https://ada:pw@shop.example/'],
    ['public addresses only', 'ADDRESS_NOT_PUBLIC', 'https://169.254.169.254/latest'],
    ['public addresses only', 'ADDRESS_NOT_PUBLIC', 'https://0x7f.1/'],
    ['public addresses only', 'ADDRESS_NOT_PUBLIC', 'https://[::ffff:10.0.0.1]/'],
    ['public addresses only', 'ADDRESS_NOT_PUBLIC', 'https://inside.example/'],
    ['has no address', 'ADDRESS_NOT_RESOLVED', 'https://nowhere.example/'],
    ['2,048 characters', 'INVALID', `https://shop.example/${'x'.repeat(2100)}`],
    ['2,048 characters', 'INVALID', `https://shop.example/${'ü'.repeat(400)}`],
  ])('refuses to create or move an endpoint that breaks the rule: %s (%s)', async (why, code, url) => {
    const refused = [{ field: ['url'], message: expect.stringContaining(why), code }];
    expect(await create({ url })).toEqual({ endpoint: null, secret: null, userErrors: refused });
    const { endpoint } = await create();
    expect(await change('webhookEndpointUpdate', `id: "${endpoint.id}", url: "${url}"`)).toEqual({
      endpoint: null,
      userErrors: refused,
    });
  });

  test('has an address as long as others allow', async () => {
    const url = `https://shop.example/hooks?token=${'x'.repeat(2000)}`;
    expect(await create({ url })).toMatchObject({ endpoint: { url }, userErrors: [] });
  });

  test('refuses a sixth endpoint, empty types and texts that are too long', async () => {
    const refused = async (variables: object) => (await create(variables)).userErrors;
    const message = expect.any(String);
    expect(await refused({ types: [] })).toEqual([{ field: ['types'], message, code: 'TYPES_EMPTY' }]);
    const long = { description: 'x'.repeat(256) };
    expect(await refused(long)).toEqual([{ field: ['description'], message, code: 'INVALID' }]);
    for (let made = 0; made < 5; made++) expect(await refused({})).toEqual([]);
    expect(await refused({})).toEqual([
      { field: null, message: expect.stringContaining('5 endpoints'), code: 'ENDPOINT_LIMIT_REACHED' },
    ]);
  });

  test('is changed in what is given alone: null is nothing of a description, and all types', async () => {
    const { endpoint } = await create({ types: ['ORDER_CHARGED'], description: 'ERP' });
    const update = (args: string) => change('webhookEndpointUpdate', `id: "${endpoint.id}", ${args}`);
    const first = { ...endpoint, status: 'DISABLED_BY_STORE' };
    expect((await update('enabled: false')).endpoint).toEqual(first);
    expect((await update('url: null, enabled: null')).endpoint).toEqual(first);
    expect((await update('description: null')).endpoint).toEqual({ ...first, description: null });
    expect((await update('types: null, enabled: true')).endpoint).toEqual({
      ...{ ...endpoint, description: null, types: null },
    });
  });

  test('gets another secret, and is gone once it is deleted', async () => {
    const { endpoint, secret } = await create();
    const rotated = await change('webhookEndpointRotateSecret', `id: "${endpoint.id}"`, 'secret');
    expect(await openEndpointSecrets({ tokenKeys, now }, await recordOf(endpoint.id))).toEqual([
      rotated.secret,
      secret,
    ]);
    const of = { shopId, id: idOf(endpoint.id), startsAt: 0 };
    await writeEndpointDeliveryState(table, await readEndpointDeliveryState(table, of));
    const gone = await change('webhookEndpointDelete', `id: "${endpoint.id}"`, 'deletedId');
    expect(gone).toEqual({ deletedId: endpoint.id, userErrors: [] });
    expect((await readEndpointDeliveryState(table, of)).version).toBe(0);
    const again = await change('webhookEndpointDelete', `id: "${endpoint.id}"`, 'deletedId');
    expect(again).toEqual({
      deletedId: null,
      userErrors: [{ field: ['id'], message: expect.any(String), code: 'ENDPOINT_NOT_FOUND' }],
    });
  });

  test('returns nothing for an endpoint of another store or an invalid id', async () => {
    const { endpoint } = await create();
    const other = { ...store, shopId: (shopId + 1) as ShopId };
    for (const id of [endpoint.id, 'gid://platform/WebhookEndpoint/1', 'gid://platform/Order/1', 'nothing']) {
      const of = id === endpoint.id ? other : store;
      const { data } = await ask('query ($id: ID!) { webhookEndpoint(id: $id) { id } }', { id }, of);
      expect([id, data.webhookEndpoint]).toEqual([id, null]);
      const list = 'query ($id: ID!) { webhookDeliveries(endpointId: $id, first: 1) { nodes { id } } }';
      expect((await ask(list, { id }, of)).errors[0]?.extensions?.code).toBe('GRAPHQL_VALIDATION_FAILED');
      const send = 'mutation ($id: ID!) { webhookEndpointTest(id: $id) { userErrors { field } } }';
      const { data: tried, errors } = await ask(send, { id }, of);
      // An id of another type fails the document's validation.
      expect([id, errors.length || tried.webhookEndpointTest.userErrors.length]).toEqual([id, 1]);
    }
  });
});

test('a retry under a key creates nothing more, and never returns the secret again', async () => {
  const query = `mutation { webhookEndpointCreate(url: "https://shop.example/") @idempotent(key: "k-1") {
    endpoint { id } secret userErrors { message } } }`;
  const first = (await ask(query)).data.webhookEndpointCreate;
  expect(first.secret).toMatch(/^whsec_/);
  const { data, text } = await ask(query);
  expect(data.webhookEndpointCreate).toEqual({ endpoint: first.endpoint, secret: null, userErrors: [] });
  expect(text).not.toContain('whsec_');
  const { items } = await table.query({ keyCondition: 'pk = :pk', values: { ':pk': `ENDPOINT#${shopId}` } });
  expect(items).toHaveLength(1);
});

test('a test is sent at once, signed, though not again in the same moment', async () => {
  const { endpoint } = await create();
  const send = () => change('webhookEndpointTest', `id: "${endpoint.id}"`, 'statusCode');
  expect(await send()).toEqual({ statusCode: 204, userErrors: [] });
  expect(sent).toMatchObject([{ url: endpoint.url, headers: { 'webhook-id': expect.any(String) } }]);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ type: 'endpoint.test' });
  expect(await send()).toEqual({
    statusCode: null,
    userErrors: [{ field: ['id'], message: expect.any(String), code: 'TESTED_TOO_SOON' }],
  });
  nowMs += 10_000;
  answer = { failed: 'TIMEOUT' };
  expect(await send()).toEqual({ statusCode: null, userErrors: [] });
});

test('allows one test of an unresponsive endpoint per store, however many endpoints it has or creates', async () => {
  answer = { failed: 'TIMEOUT' };
  const ids = [await create(), await create(), await create()].map(({ endpoint }) => endpoint.id);
  const startedAtMs = nowMs;
  const tests = ids.map(
    (id, index) => `a${index}: webhookEndpointTest(id: "${id}") { userErrors { field } }`,
  );
  const { data, errors } = await ask(`mutation { ${tests.join(' ')} }`);
  expect([errors, sent.length, nowMs - startedAtMs]).toEqual([[], 1, 5_000]);
  const refused = { userErrors: [{ field: ['id'] }] };
  expect(data).toEqual({ a0: { userErrors: [] }, a1: refused, a2: refused });
  await change('webhookEndpointDelete', `id: "${ids[0]}"`, 'deletedId');
  const { endpoint } = await create();
  await change('webhookEndpointTest', `id: "${endpoint.id}"`, 'statusCode');
  expect(sent).toHaveLength(1);
});

test('limits unresolvable names to the deadline of a request', async () => {
  const startedAtMs = nowMs;
  isUnreachable = true;
  const made = Array.from({ length: 10 }, (_, index) => {
    const url = `https://dead-${index}.example/`;
    return `a${index}: webhookEndpointCreate(url: "${url}") { userErrors { message } }`;
  });
  const { data } = await ask(`mutation { ${made.join(' ')} }`);
  expect(Object.keys(data)).toHaveLength(10);
  expect(data.a9.userErrors).toEqual(data.a0.userErrors);
  expect(nowMs - startedAtMs).toBeLessThan(27_000);
});

describe('deliveries', () => {
  const DELIVERY = 'id eventId type status attemptCount lastStatusCode nextAttemptAt createdAt';
  const list = async (id: string, args: string) => {
    const selection = `edges { cursor node { ${DELIVERY} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;
    const query = `query ($id: ID!) { webhookDeliveries(endpointId: $id, ${args}) { ${selection} } }`;
    const { data, errors } = await ask(query, { id });
    expect(errors).toEqual([]);
    return data.webhookDeliveries;
  };
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  const deliveriesOf = (page: any) => page.edges.map(({ node }: any) => `${node.eventId} ${node.status}`);

  /** Six events: the first is from before the endpoint; 2 is accepted, 3 is tried again with 5 behind it, 4 is parked. */
  async function prepareReplay() {
    await place('1');
    nowMs += 1;
    const { endpoint } = await create();
    await place('2', '3', '4', '5', '6');
    const { startsAt } = await recordOf(endpoint.id);
    const of = { shopId, endpointId: idOf(endpoint.id) };
    const head = await readEndpointDeliveryState(table, { shopId, id: of.endpointId, startsAt });
    for (let number = startsAt; number < startsAt + 4; number++)
      markNumberProcessed(head.processedNumbers, number);
    Object.assign(head, { lastAcceptedAtMs: nowMs, mayHaveParked: true });
    await writeEndpointDeliveryState(table, head);
    const times = { firstRefusedAtMs: nowMs, refusedAtMs: nowMs, nextAtMs: nowMs + 60_000, notBeforeMs: 0 };
    const base = { ...of, ...times, version: 0, refusals: 2, answer: 503, isForgiven: false };
    await writeBacklog(
      table,
      { ...base, of: '3', state: 'RETRYING', numbers: [startsAt + 1, startsAt + 3] },
      nowMs,
    );
    await writeBacklog(
      table,
      { ...base, of: '4', state: 'PARKED', numbers: [startsAt + 2], refusals: 6 },
      nowMs,
    );
    return { endpoint, startsAt };
  }

  test('returns the state of each delivery, and the backlog of the endpoint', async () => {
    const { endpoint } = await prepareReplay();
    const page = await list(endpoint.id, 'first: 10');
    expect(deliveriesOf(page)).toEqual(['2 DELIVERED', '3 WAITING', '4 PARKED', '5 WAITING', '6 WAITING']);
    expect(page.edges[1].node).toMatchObject({
      type: 'SUBSCRIPTION_PAUSED',
      attemptCount: 2,
      lastStatusCode: 503,
    });
    const [second, , fourth] = page.edges.map(
      ({ node }: { node: { nextAttemptAt: unknown } }) => node.nextAttemptAt,
    );
    expect([second, fourth]).toEqual([null, null]);
    expect(page.edges[0].node.attemptCount).toBeNull();
    const { data } = await ask(
      `query { webhookEndpoints(first: 1) { nodes { waitingCount oldestWaitingAt lastDeliveredAt } } }`,
    );
    expect(data.webhookEndpoints.nodes).toEqual([
      { waitingCount: 3, oldestWaitingAt: expect.any(String), lastDeliveredAt: expect.any(String) },
    ]);
  });

  test('come in pages, from both ends, either way round, and by where they stand', async () => {
    const { endpoint } = await prepareReplay();
    const { id } = endpoint;
    const first = await list(id, 'first: 2');
    expect([deliveriesOf(first), first.pageInfo.hasNextPage]).toEqual([['2 DELIVERED', '3 WAITING'], true]);
    const second = await list(id, `first: 5, after: "${first.pageInfo.endCursor}"`);
    expect([
      deliveriesOf(second).length,
      second.pageInfo.hasNextPage,
      second.pageInfo.hasPreviousPage,
    ]).toEqual([3, false, true]);
    expect(deliveriesOf(await list(id, 'last: 2'))).toEqual(['5 WAITING', '6 WAITING']);
    expect(deliveriesOf(await list(id, 'first: 2, reverse: true'))).toEqual(['6 WAITING', '5 WAITING']);
    expect(deliveriesOf(await list(id, `last: 1, before: "${first.edges[1].cursor}"`))).toEqual([
      '2 DELIVERED',
    ]);
    expect(deliveriesOf(await list(id, 'first: 9, status: PARKED'))).toEqual(['4 PARKED']);
    expect(deliveriesOf(await list(id, 'first: 0'))).toEqual([]);
    const reversed = await list(id, 'reverse: true');
    expect(reversed).toEqual(await list(id, 'first: 25, reverse: true'));
    const listed = (await ask('query { webhookEndpoints { nodes { id } } }')).data.webhookEndpoints;
    expect(listed).toEqual({ nodes: [{ id }] });
    for (const args of ['first: 101', 'first: -1', 'first: 1, last: 1', 'first: 1, after: "x"']) {
      const query = `query ($id: ID!) { webhookDeliveries(endpointId: $id, ${args}) { nodes { id } } }`;
      expect([args, (await ask(query, { id })).errors.length]).toEqual([args, 1]);
    }
  });

  test('resends deliveries one by one, and replays all since a time through the worker', async () => {
    const { endpoint, startsAt } = await prepareReplay();
    const [{ node }] = (await list(endpoint.id, 'first: 1')).edges;
    const resent = await change('webhookDeliveryResend', `id: "${node.id}"`, `delivery { ${DELIVERY} }`);
    const request = {
      status: 'WAITING',
      ...(DELIVERY.includes('nextAttemptAt') && { nextAttemptAt: expect.any(String) }),
    };
    expect(resent).toEqual({ delivery: { ...node, ...request }, userErrors: [] });
    expect((await recordOf(endpoint.id)).resends).toMatchObject([{ number: startsAt }]);
    for (const id of [`${node.id}9`, 'gid://platform/WebhookDelivery/a.0']) {
      const none = await change('webhookDeliveryResend', `id: "${id}"`, 'delivery { id }');
      const unknown = { field: ['id'], message: expect.any(String), code: 'DELIVERY_NOT_FOUND' };
      expect(none).toEqual({ delivery: null, userErrors: [unknown] });
    }
    const requests = Array.from({ length: 100 }, (_, number) => ({
      id: `w-${number}`,
      askedAtMs: nowMs,
      number,
    }));
    const endpoints = createEndpointRepository({ table, now, newId: parts.newId });
    await endpoints.requestReplay(await recordOf(endpoint.id), { resends: requests });
    const tooMany = await change('webhookDeliveryResend', `id: "${node.id}"`, 'delivery { id }');
    expect(tooMany.userErrors).toMatchObject([{ field: ['id'], code: 'RESEND_LIMIT_REACHED' }]);
    const since = (ms: number) => `id: "${endpoint.id}", since: "${new Date(ms).toISOString()}"`;
    const replayed = await change('webhookEndpointReplay', since(nowMs), 'eventCount endpoint { id }');
    expect(replayed).toEqual({ eventCount: 5, endpoint: { id: endpoint.id }, userErrors: [] });
    expect((await recordOf(endpoint.id)).replay).toMatchObject({ fromNumber: startsAt });
    // A new replay request does not narrow one that the worker has not processed yet.
    const earlier = { id: 'earlier', askedAtMs: nowMs, fromNumber: startsAt - 3 };
    await endpoints.requestReplay(await recordOf(endpoint.id), { replay: earlier });
    await change('webhookEndpointReplay', since(nowMs), 'eventCount');
    expect((await recordOf(endpoint.id)).replay).toMatchObject({ fromNumber: startsAt - 3 });
    await table.update({
      key: { pk: `DELIVERY#${shopId}`, sk: (await recordOf(endpoint.id)).id },
      ...{ update: 'SET replayId = :id', values: { ':id': (await recordOf(endpoint.id)).replay?.id } },
    });
    await change('webhookEndpointReplay', since(nowMs), 'eventCount');
    expect((await recordOf(endpoint.id)).replay).toMatchObject({ fromNumber: startsAt });
    for (const ms of [nowMs + 1000, nowMs - 31 * DAY_MS]) {
      const refused = await change('webhookEndpointReplay', since(ms), 'eventCount');
      expect(refused).toEqual({
        eventCount: null,
        userErrors: [{ field: ['since'], message: expect.any(String), code: 'SINCE_OUT_OF_RANGE' }],
      });
    }
    expect(await queueItems()).toMatchObject([{ shopId }]);
  });

  test('limits resends and replays per store, however many endpoints it creates', async () => {
    const { endpoint } = await prepareReplay();
    const [{ node }] = (await list(endpoint.id, 'first: 1')).edges;
    const since = `since: "${new Date(nowMs).toISOString()}"`;
    /** Sends the same request several times in one document and returns the number of each code. */
    const often = async (times: number, field: string) => {
      const all = Array.from({ length: times }, (_, at) => `a${at}: ${field} { userErrors { code } }`);
      const { data } = await ask(`mutation { ${all.join(' ')} }`);
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      return Object.values(data).flatMap((one: any) => one.userErrors.map((error: any) => error.code));
    };
    const unknown = 'gid://platform/WebhookEndpoint/0123456789abcdef01234567';
    const replay = (id: string) => `webhookEndpointReplay(id: "${id}", ${since})`;
    expect(await often(3, replay(unknown))).toEqual(Array(3).fill('ENDPOINT_NOT_FOUND'));
    expect(await often(8, replay(endpoint.id))).toEqual(Array(3).fill('REPLAY_LIMIT_REACHED'));
    const resend = `webhookDeliveryResend(id: "${node.id}")`;
    for (let documents = 0; documents < 10; documents++) expect(await often(10, resend)).toEqual([]);
    await change('webhookEndpointDelete', `id: "${endpoint.id}"`, 'deletedId');
    const secondEndpoint = await create();
    expect(await often(1, replay(secondEndpoint.endpoint.id))).toEqual(['REPLAY_LIMIT_REACHED']);
    await place('later');
    const [later] = (await list(secondEndpoint.endpoint.id, 'first: 1')).edges;
    expect(await often(1, `webhookDeliveryResend(id: "${later.node.id}")`)).toEqual(['RESEND_LIMIT_REACHED']);
    nowMs += 3_600_000;
    expect(await often(1, replay(secondEndpoint.endpoint.id))).toEqual([]);
  });

  test('adds the store to the work queue only for accepted requests', async () => {
    const { endpoint } = await prepareReplay();
    const [{ node }] = (await list(endpoint.id, 'first: 1')).edges;
    const since = `id: "${endpoint.id}", since: "${new Date(nowMs).toISOString()}"`;
    const replay = () => change('webhookEndpointReplay', since, 'eventCount');
    const resend = () => change('webhookDeliveryResend', `id: "${node.id}"`, 'delivery { id }');
    for (const ask of [...Array(6).fill(replay), resend]) {
      const before = await queueItems();
      const { userErrors } = await ask();
      const isGranted = userErrors.length === 0;
      expect((await queueItems())[0]?.id === before[0]?.id).toBe(!isGranted);
    }
    const requests = Array.from({ length: 100 }, (_, number) => ({
      id: `w-${number}`,
      askedAtMs: nowMs,
      number,
    }));
    await createEndpointRepository({ table, now, newId: parts.newId }).requestReplay(
      await recordOf(endpoint.id),
      {
        resends: requests,
      },
    );
    const before = await queueItems();
    expect((await resend()).userErrors).toHaveLength(1);
    expect(await queueItems()).toEqual(before);
  });

  test('are counted as they are, among the next thousand of the store; what lies behind those counts whole', async () => {
    const { endpoint } = await create({ types: ['ORDER_CHARGED', 'SUBSCRIPTION_NOTE_CHANGED'] });
    const { startsAt } = await recordOf(endpoint.id);
    const contract = '31' as ContractNumber;
    const put = (from: number, actions: readonly string[]) =>
      awaitAll(
        actions.map((action, index) => {
          const number = startsAt + from + index;
          const isNote = action === 'changed_elsewhere' && number === startsAt + 3;
          const type = isNote
            ? 'subscription.note_changed'
            : (findActionDefinition(action)?.webhook ?? 'none');
          const entry = { number: `${number}`, action, type };
          return table.put(
            toStreamItem({
              shopId,
              id: `e-${number}`,
              contract,
              entry,
              number,
              placedAtMs: nowMs + (from + index) * 1_000,
            }),
          );
        }),
      );
    const [reported, none, other] = [
      'billing_cycle_charged',
      'billing_cycles_charged',
      'subscription_paused',
    ];
    await put(0, [other, reported, none, 'changed_elsewhere', 'changed_elsewhere', reported]);
    const waiting = async () =>
      (await ask('{ webhookEndpoints(first: 1) { nodes { waitingCount oldestWaitingAt } } }')).data
        .webhookEndpoints.nodes[0];
    expect(Date.parse((await waiting()).oldestWaitingAt)).toBe(nowMs + 1_000);
    expect((await waiting()).waitingCount).toBe(3);
    const since = `id: "${endpoint.id}", since: "${new Date(nowMs).toISOString()}"`;
    nowMs += 60_000;
    expect((await change('webhookEndpointReplay', since, 'eventCount')).eventCount).toBe(3);
    await put(
      6,
      Array.from({ length: 1_000 }, () => other),
    );
    expect((await waiting()).waitingCount).toBe(3 + 6);
  });

  test('refuses to resend an event that an endpoint is not for, or that came before it', async () => {
    const { endpoint, startsAt } = await prepareReplay();
    await change('webhookEndpointUpdate', `id: "${endpoint.id}", types: [ORDER_CHARGED]`);
    for (const number of [startsAt - 1, startsAt]) {
      const id = `gid://platform/WebhookDelivery/${idOf(endpoint.id)}.${number}`;
      const { userErrors } = await change('webhookDeliveryResend', `id: "${id}"`, 'delivery { id }');
      expect(userErrors).toMatchObject([{ code: 'DELIVERY_NOT_FOUND' }]);
    }
    expect((await recordOf(endpoint.id)).resends).toBeUndefined();
  });

  test('returns deliveries and endpoints as nodes, each at its place, to keys that may manage them', async () => {
    const { endpoint, startsAt } = await prepareReplay();
    const { edges } = await list(endpoint.id, 'first: 2');
    const deliveries = edges.map(({ node }: { node: { id: string } }) => node);
    const [endpointNode] = (await ask(`{ webhookEndpoints(first: 1) { nodes { ${FIELDS} } } }`)).data
      .webhookEndpoints.nodes;
    const absent = [
      ...['gid://platform/WebhookEndpoint/0123456789abcdef', `${endpoint.id}0`],
      `gid://platform/WebhookDelivery/${idOf(endpoint.id)}.${startsAt - 1}`,
      `gid://platform/WebhookDelivery/0123456789abcdef.${startsAt}`,
      ...['gid://platform/WebhookDelivery/nothing', 'gid://platform/WebhookEndpointEdge/1'],
    ];
    // The statuses have different types, so one of them needs an alias.
    const typed = `... on WebhookEndpoint { ${FIELDS} } ... on WebhookDelivery { ${DELIVERY.replace('status', 'place: status')} }`;
    const query = `query ($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { __typename id } node(id: $id) { ${typed} }
      other: nodes(ids: $ids) { ${typed} } }`;
    const ids = [deliveries[1].id, ...absent, endpoint.id, deliveries[0].id];
    const nothing = absent.map(() => null);
    const { data, errors } = await ask(query, { ids, id: endpoint.id });
    expect(errors).toEqual([]);
    expect(data.nodes).toEqual([
      { __typename: 'WebhookDelivery', id: deliveries[1].id },
      ...nothing,
      { __typename: 'WebhookEndpoint', id: endpoint.id },
      { __typename: 'WebhookDelivery', id: deliveries[0].id },
    ]);
    const [first, second] = deliveries.map(({ status, ...rest }: { status: string }) => ({
      ...rest,
      place: status,
    }));
    expect(data.other).toEqual([second, ...nothing, endpointNode, first]);
    expect(data.node).toEqual(endpointNode);
    const none = { nodes: ids.map(() => null), other: ids.map(() => null), node: null };
    const foreign = await ask(query, { ids, id: endpoint.id }, { ...store, shopId: (shopId + 1) as ShopId });
    expect([foreign.data, foreign.errors]).toEqual([none, []]);
    const unscoped = await ask(query, { ids, id: endpoint.id }, store, ['READ', 'WRITE']);
    expect([unscoped.data, unscoped.errors]).toEqual([none, []]);
  });

  test('shows an endpoint as disabled by failures until it is changed', async () => {
    const { endpoint } = await create();
    await place('1');
    const record = await recordOf(endpoint.id);
    const head = await readEndpointDeliveryState(table, { shopId, id: record.id, startsAt: record.startsAt });
    skipCursorToNumber(head.processedNumbers, 1);
    head.disabled = { endpointVersion: record.version, reason: 'GONE', atMs: nowMs, isTold: true };
    await writeEndpointDeliveryState(table, head);
    const status = async () => (await ask('{ webhookEndpoints(first: 1) { nodes { status } } }')).data;
    expect((await status()).webhookEndpoints.nodes).toEqual([{ status: 'DISABLED_BY_FAILURES' }]);
    const { endpoint: changed } = await change(
      'webhookEndpointUpdate',
      `id: "${endpoint.id}", enabled: true`,
    );
    expect(changed.status).toBe('ENABLED');
  });
});

describe('with the worker that delivers', () => {
  type Call = {
    readonly url: string;
    readonly id: string;
    readonly signatures: string;
    readonly signedAt: string;
    readonly body: string;
  };
  let calls: Call[] = [];
  /** The endpoint's response, and the action of a test during its request. */
  let answers: (call: Call) => Promise<number> | number = () => 204;
  beforeEach(async () => {
    [calls, answers] = [[], () => 204];
    await table.put({ pk: `STORE#${shopId}`, sk: 'STORE', shopId, status: 'installed' });
  });
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const worker = () =>
    createWebhookDeliveryWork({
      ...{ tokenKeys, logger: quiet, now, random: () => 0, gidNamespace: 'platform' },
      table: tableOf('webhook-deliveries', table),
      async send({ url, headers, body }) {
        const signatures = headers['webhook-signature'] ?? '';
        const signedAt = headers['webhook-timestamp'] ?? '';
        const call = { url, id: headers['webhook-id'] ?? '', signatures, signedAt, body };
        calls.push(call);
        return { status: await answers(call) };
      },
    });
  const turn = () => worker()({ shopId, endAtMs: nowMs + 20_000, signal: new AbortController().signal });
  const deliver = async (
    contract: string,
    id: string,
    type: 'order.upcoming' | 'customer.erased' = 'order.upcoming',
  ) => {
    const order = { cycleIndex: 1, date: '2026-12-01T09:00:00Z' };
    const event = { type, atMs: nowMs, ...(type === 'order.upcoming' && { order }) };
    await appendingOver({ table, now })({ shopId, id, contract, event });
  };
  const idsAt = (url: string) => calls.filter((one) => one.url === url).map(({ id }) => id);
  const OLD = 'https://shop.example/hooks';
  const NEW = 'https://shop.example/mended';

  /** An endpoint with `a-1` of contract 1 parked, `a-2` behind it, and all of contract 2 accepted. */
  async function parked() {
    const { endpoint } = await create();
    answers = ({ id }) => (id.startsWith('a-') ? 500 : 204);
    await deliver('1', 'a-1');
    for (let tries = 0; tries < 6; tries++) {
      await deliver('2', `b-${tries}`);
      await turn();
      nowMs += 6 * 3_600_000;
    }
    await deliver('1', 'a-2');
    await turn();
    return endpoint.id as string;
  }
  const statuses = async (id: string, args: string) =>
    (
      await ask(
        `query ($id: ID!) { webhookDeliveries(endpointId: $id, ${args}) { nodes { id eventId status attemptCount lastStatusCode } } }`,
        { id },
      )
    ).data.webhookDeliveries.nodes;

  test('parks what is refused six times, shows it so, and delivers it in order when it is resent', async () => {
    const id = await parked();
    expect(calls.filter(({ id: one }) => one === 'a-1')).toHaveLength(6);
    const [first, second, ...others] = await statuses(id, 'first: 9, status: PARKED');
    expect([first, second, others]).toMatchObject([
      { eventId: 'a-1', status: 'PARKED', attemptCount: 6, lastStatusCode: 500 },
      { eventId: 'a-2', status: 'PARKED', attemptCount: null },
      [],
    ]);
    expect(
      (await ask('{ webhookEndpoints(first: 1) { nodes { status waitingCount } } }')).data.webhookEndpoints
        .nodes,
    ).toEqual([{ status: 'ENABLED', waitingCount: 0 }]);
    answers = () => 204;
    await change('webhookEndpointUpdate', `id: "${id}", url: "${NEW}"`);
    await deliver('1', 'a-3');
    await turn();
    expect(idsAt(NEW)).toEqual([]);
    const again = await change('webhookDeliveryResend', `id: "${first.id}"`, 'delivery { eventId status }');
    expect(again.delivery).toEqual({ eventId: 'a-1', status: 'WAITING' });
    expect(await statuses(id, 'first: 9, status: PARKED')).toMatchObject([
      { eventId: 'a-2' },
      { eventId: 'a-3' },
    ]);
    await turn();
    expect([idsAt(NEW), idsAt(OLD).filter((one) => one === 'a-2')]).toEqual([['a-1', 'a-2', 'a-3'], []]);
    expect(await statuses(id, 'first: 9, status: PARKED')).toEqual([]);
    expect((await statuses(id, 'last: 1'))[0]).toMatchObject({ eventId: 'a-3', status: 'DELIVERED' });
  });

  const update = (id: string, args: string) => change('webhookEndpointUpdate', `id: "${id}", ${args}`);
  /** A replay: what it says that it comes to, what then is listed as waiting, what was sent, and what is listed after. */
  async function replayed(id: string, sinceMs: number) {
    const args = `id: "${id}", since: "${new Date(sinceMs).toISOString()}"`;
    const { eventCount, endpoint } = await change(
      'webhookEndpointReplay',
      args,
      'eventCount endpoint { waitingCount }',
    );
    const listed = async (status: string) =>
      (await statuses(id, `first: 50, status: ${status}`)).map((one: { eventId: string }) => one.eventId);
    const waiting = await listed('WAITING');
    [calls, answers] = [[], () => 204];
    await turn();
    // Events of different contracts have no order.
    const ids = calls.map((call) => call.id).sort();
    return {
      eventCount,
      counted: endpoint.waitingCount,
      waiting,
      sent: ids,
      delivered: await listed('DELIVERED'),
    };
  }
  const deliveriesOf = (eventCount: number, ids: string[], delivered = ids) =>
    ({ eventCount, counted: ids.length, waiting: ids, sent: ids, delivered }) as const;

  test.each([
    ['that is older than the endpoint', async () => {}, deliveriesOf(4, ['r-1', 'r-2', 'r-3', 'r-4'])],
    [
      'that is older than the endpoint, of types that it is for',
      (id: string) => update(id, 'types: [CUSTOMER_ERASED]'),
      deliveriesOf(2, ['r-2', 'r-4']),
    ],
    [
      'of an endpoint that was off meanwhile',
      async (id: string) => {
        await update(id, 'enabled: false');
        await turn();
        await update(id, 'enabled: true');
      },
      deliveriesOf(4, ['r-1', 'r-2', 'r-3', 'r-4']),
    ],
  ])(
    'a replay %s: what it comes to, what waits, what is sent and what is listed are one',
    async (_what, before, expected) => {
      const sinceMs = nowMs;
      for (const [index, type] of (['order.upcoming', 'customer.erased'] as const).entries()) {
        await deliver('1', `r-${index + 1}`, type);
        nowMs += 1_000;
      }
      const { endpoint } = await create();
      expect(await statuses(endpoint.id, 'first: 9')).toEqual([]);
      await deliver('1', 'r-3');
      await deliver('2', 'r-4', 'customer.erased');
      await before(endpoint.id);
      expect(await replayed(endpoint.id, sinceMs)).toEqual(expected);
      expect(await replayed(endpoint.id, sinceMs)).toEqual(expected);
      // A later one does not hide what the first has sent.
      nowMs += 60_000;
      expect(await replayed(endpoint.id, nowMs)).toEqual({
        ...deliveriesOf(0, []),
        delivered: expected.delivered,
      });
    },
  );

  test('a replay takes what is parked with it, and leaves what was parked before it', async () => {
    const beganAtMs = nowMs;
    const id = await parked();
    const all = ['a-1', 'a-2', ...[0, 1, 2, 3, 4, 5].map((tries) => `b-${tries}`)];
    const byTurn = await replayed(id, nowMs);
    expect({ ...byTurn, delivered: [] }).toEqual(deliveriesOf(1, ['a-2'], []));
    expect(byTurn.delivered).not.toContain('a-1');
    expect(await statuses(id, 'first: 9, status: PARKED')).toMatchObject([{ eventId: 'a-1' }]);
    const { waiting, delivered, ...reported } = await replayed(id, beganAtMs);
    expect([waiting.sort(), delivered.sort()]).toEqual([all, all]);
    expect(reported).toEqual({ eventCount: 8, counted: 8, sent: all });
  });

  test('delivers refused events at once when the address is changed', async () => {
    const { endpoint } = await create();
    answers = ({ url }) => (url === OLD ? 503 : 204);
    for (const contract of ['1', '2', '3']) await deliver(contract, `c-${contract}`);
    for (let tries = 0; tries < 4; tries++) {
      await turn();
      nowMs += 3 * 3_600_000;
    }
    await turn();
    nowMs += 60_000;
    await turn();
    expect(idsAt(NEW)).toEqual([]);
    await change('webhookEndpointUpdate', `id: "${endpoint.id}", url: "${NEW}"`);
    await turn();
    expect(idsAt(NEW).sort()).toEqual(['c-1', 'c-2', 'c-3']);
  });

  test('a secret that is changed while an event is under way: either signs what it should', async () => {
    const { endpoint, secret } = await create();
    let rotated = '';
    answers = async () => {
      rotated ||= (await change('webhookEndpointRotateSecret', `id: "${endpoint.id}"`, 'secret')).secret;
      return 500;
    };
    await deliver('1', 'd-1');
    await turn();
    nowMs += 60_000;
    answers = () => 204;
    await turn();
    const at = (call: Call | undefined, ms: number, by: string) =>
      new Webhook(by).sign(call?.id ?? '', new Date(ms), call?.body ?? '');
    const [first, second] = calls;
    expect(first?.signatures).toBe(at(first, nowMs - 60_000, secret));
    expect(second?.signatures).toBe(`${at(second, nowMs, rotated)} ${at(second, nowMs, secret)}`);
  });

  test.each([
    [
      'switched off',
      async (id: string) => void (await change('webhookEndpointUpdate', `${id}, enabled: false`)),
    ],
    [
      'sent elsewhere',
      async (id: string) => void (await change('webhookEndpointUpdate', `${id}, url: "${NEW}"`)),
    ],
    [
      'given new secrets, twice',
      async (id: string) => {
        for (let times = 0; times < 2; times++) await change('webhookEndpointRotateSecret', id, 'secret');
      },
    ],
  ])(
    'an endpoint that is %s while its worker delivers: it counts within a second or so',
    async (what, alter) => {
      const { endpoint, secret } = await create();
      for (let number = 1; number <= 200; number++) await deliver(`${number % 40}`, `f-${number}`);
      const isSignedBy = (call: Call) => {
        const at = new Date(Number(call.signedAt) * 1000);
        return call.signatures.split(' ').includes(new Webhook(secret).sign(call.id, at, call.body));
      };
      answers = async () => {
        if (calls.length === 1) await alter(`id: "${endpoint.id}"`);
        nowMs += 50;
        return 204;
      };
      await turn();
      // Running deliveries continue, and so do those that start within that second.
      expect(calls.filter((call) => call.url === OLD && isSignedBy(call)).length).toBeLessThan(75);
      await turn();
      expect(calls.filter((call) => call.url === OLD && isSignedBy(call)).length).toBeLessThan(75);
      const reported = new Set(calls.map(({ id }) => id)).size;
      expect(reported).toBe(what === 'switched off' ? calls.length : 200);
    },
  );

  test('an endpoint that is deleted while its worker delivers gets no more, and nothing is left of it', async () => {
    for (const runsBefore of [0, 1]) {
      calls = [];
      answers = () => 204;
      const { endpoint } = await create();
      if (runsBefore > 0) {
        await deliver('0', `e-${runsBefore}`);
        await turn();
      }
      for (let number = 1; number <= 300; number++) await deliver('7', `e-${runsBefore}-${number}`);
      let underWay = 0;
      answers = async () => {
        if (underWay++ === 0) await change('webhookEndpointDelete', `id: "${endpoint.id}"`, 'deletedId');
        nowMs += 50;
        return 204;
      };
      await turn();
      expect(underWay).toBeLessThan(110);
      const { items } = await table.query({
        keyCondition: 'pk = :pk',
        values: { ':pk': `DELIVERY#${shopId}` },
      });
      expect([runsBefore, items]).toEqual([runsBefore, []]);
    }
  });
});

holdsRights();
