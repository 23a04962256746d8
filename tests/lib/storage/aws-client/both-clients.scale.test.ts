/** The SDK and the small client send the same requests to AWS, and interpret responses in the same way. */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createSecretsClient } from '../../../../lib/storage/aws-client/secrets-client.ts';
import { createTableClient } from '../../../../lib/storage/aws-client/table-client.ts';
import type { Secrets } from '../../../../lib/storage/secrets.ts';
import type { Item, Table } from '../../../../lib/storage/table.ts';
import { startSecretsManagerEmulator } from '../../../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../../../../sandbox/aws/start-dynamodb.ts';
import { fullSize, propertyRuns } from '../../../full-size.ts';
import { randomAttributes } from '../random-items.ts';
import { ownClient, type StoredBy, sdkClient, type Way } from './clients.ts';
import { type Relay, refusal, startRelay } from './relay.ts';

const TABLE = 'both';
const parts = new AsyncDisposableStack();
const relays = {} as Record<StoredBy, Relay>;
type Client = { readonly table: Table; readonly secrets: Secrets };
const clients: Record<string, Client> = {};

async function relay(service: StoredBy, url: string): Promise<void> {
  relays[service] = parts.adopt(await startRelay(url), (one) => one.close());
}

function clientOf(make: (service: StoredBy, url: string) => Way): Client {
  const [dynamoDb, secretsManager] = (['dynamodb', 'secretsmanager'] as const).map((service) =>
    parts.adopt(make(service, relays[service].url), (one) => one.close()),
  ) as [Way, Way];
  return {
    table: createTableClient({ call: dynamoDb.call, tableName: TABLE }),
    secrets: createSecretsClient(secretsManager.call),
  };
}

beforeAll(async () => {
  const dynamoDb = await startDynamoDbEmulator({ tableName: TABLE, path: undefined });
  parts.defer(() => dynamoDb.close());
  const secretsManager = await startSecretsManagerEmulator({ path: undefined, now: Date.now });
  parts.defer(() => secretsManager.close());
  await relay('dynamodb', dynamoDb.url);
  await relay('secretsmanager', secretsManager.url);
  clients.sdk = clientOf(sdkClient);
  clients.own = clientOf(ownClient);
});
afterAll(() => parts.disposeAsync());
beforeEach(() => {
  for (const { calls, plannedFaults } of Object.values(relays)) {
    calls.length = 0;
    plannedFaults.length = 0;
  }
  // The SDK pauses for a share of a second.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

const NEWEST = { descending: true, limit: 2, keyCondition: 'pk = :pk' };

/** Every operation of the service on the table, once. */
async function useTable(table: Table): Promise<unknown[]> {
  const key = { pk: 'P', sk: 'S' };
  const absent = { condition: 'attribute_not_exists(pk)' };
  const done: unknown[] = [];
  const note = async (requestsOf: Promise<unknown>) => void done.push(await requestsOf);
  await note(table.delete(key));
  await note(table.get(key));
  await note(
    table.put({ ...key, count: 1, gone: undefined, deep: { list: [null, '', new Set(['a'])] } }, absent),
  );
  await note(table.put({ ...key, count: 2 }, absent));
  const change = { key, update: 'SET #count = #count + :one', names: { '#count': 'count' } };
  await note(table.update({ ...change, values: { ':one': 1 } }));
  await note(table.update({ ...change, condition: '#count = :is', values: { ':one': 1, ':is': 7 } }));
  for (const sk of ['T', 'U', 'V']) await note(table.put({ pk: 'P', sk, actionPk: 'A', actionSk: sk }));
  await note(table.batchGet([{ pk: 'P', sk: 'V' }, { pk: 'P', sk: 'no' }, key]));
  await note(table.query({ ...NEWEST, values: { ':pk': 'P' } }));
  await note(table.query({ ...NEWEST, values: { ':pk': 'P' }, startKey: { pk: 'P', sk: 'U' } }));
  await note(
    table.query({ keyCondition: 'actionPk = :a', values: { ':a': 'A' }, index: 'actions', limit: 1 }),
  );
  const filter = { condition: 'attribute_exists(actionPk)', consistent: true };
  await note(table.query({ keyCondition: 'pk = :pk', values: { ':pk': 'P' }, ...filter }));
  await note(
    table.delete(key, { condition: '#count = :no', names: { '#count': 'count' }, values: { ':no': 9 } }),
  );
  return done;
}

/** Every operation on Secrets Manager; version ids by their position. */
async function useSecrets(secrets: Secrets, name: string): Promise<unknown> {
  const done: unknown[] = [await secrets.read(name), await secrets.versionIdByLabel(name)];
  const first = await secrets.addPending(name, { text: 'ä' });
  const second = await secrets.addPending(name, { n: 2 });
  done.push(await secrets.read(name), await secrets.read(name, second), await secrets.currentVersionId(name));
  done.push(await secrets.moveCurrent(name, { from: second, to: first }));
  done.push(
    await secrets.moveCurrent(name, { from: first, to: second }),
    await secrets.versionIdByLabel(name),
  );
  done.push(await secrets.read(name, 'a'.repeat(36)));
  const text = JSON.stringify(done).replaceAll(first, 'first').replaceAll(second, 'second');
  // Each client's versions have their own time.
  return JSON.parse(text.replace(/"createdAtMs":1\d{12}/g, '"createdAtMs":"then"'));
}

const requestsOf = ({ calls }: Relay) => calls.map(({ target, input }) => ({ target, input }));

test('sends the same targets and inputs to the table, and returns the same, with both clients', async () => {
  const results: unknown[] = [];
  for (const { table } of Object.values(clients)) {
    results.push([await useTable(table), requestsOf(relays.dynamodb)]);
    relays.dynamodb.calls.length = 0;
  }
  expect(results).toHaveLength(2);
  expect(results[1]).toEqual(results[0]);
});

test('sends and returns the same for secrets with both clients', async () => {
  const results: unknown[] = [];
  for (const [client, { secrets }] of Object.entries(clients)) {
    const understood = await useSecrets(secrets, `secret/${client}`);
    const text = JSON.stringify(requestsOf(relays.secretsmanager)).replaceAll(client, 'client');
    results.push([understood, JSON.parse(text.replace(/[0-9a-f-]{36}/g, 'a version'))]);
    relays.secretsmanager.calls.length = 0;
  }
  expect(results[1]).toEqual(results[0]);
});

const CONCURRENCY = 20;
const SCALE_TIMEOUT_MS = 1_200_000;

test(
  `${fullSize(10_000)} random items go through both, each written by one and read by the other`,
  async () => {
    const { sdk, own } = clients as { sdk: Client; own: Client };
    const property = fc.asyncProperty(several, async (written) => {
      const items: Item[] = written.map((attributes, at) => ({ ...attributes, pk: 'random', sk: `${at}` }));
      const puts = items.map((item, at) => (at % 2 === 0 ? own : sdk).table.put(item));
      await Promise.all(puts);
      const [bySdk, byOwn] = [await sdk.table.batchGet(items), await own.table.batchGet(items)];
      expect(byOwn).toEqual(items);
      expect(bySdk).toEqual(items);
    });
    await fc.assert(property, propertyRuns(10_000 / CONCURRENCY));
  },
  SCALE_TIMEOUT_MS,
);

const several = fc.array(randomAttributes, { minLength: CONCURRENCY, maxLength: CONCURRENCY });

const ERRORS = [
  ['ProvisionedThroughputExceededException', 400],
  ['ThrottlingException', 400],
  ['RequestLimitExceeded', 400],
  ['LimitExceededException', 400],
  ['InternalServerError', 500],
  ['ServiceUnavailable', 503],
  ['NotImplemented', 501],
  ['ValidationException', 400],
  ['SerializationException', 400],
  ['AccessDeniedException', 400],
  ['ResourceNotFoundException', 400],
  ['ExpiredTokenException', 400],
  ['UnrecognizedClientException', 400],
  ['InvalidSignatureException', 400],
  ['SomethingNewException', 400],
  ['ConditionalCheckFailedException', 400],
] as const;
const key = { pk: 'a', sk: 'b' };

describe.each(ERRORS)('%s, status %d', (type, status) => {
  test.each(['get', 'put'] as const)('%s has as many tries and the same result', async (operation) => {
    const reported: unknown[] = [];
    for (const { table } of Object.values(clients)) {
      relays.dynamodb.calls.length = 0;
      relays.dynamodb.plannedFaults.splice(0, 9, refusal(type, { status }), refusal(type, { status }));
      const outcome = await table[operation](key).catch((error: object) => ({ ...error }));
      reported.push([outcome, relays.dynamodb.calls.length]);
    }
    expect(reported[1]).toEqual(reported[0]);
  });
});

describe.each(['reset before', 'reset after', 'cut'] as const)('%s', (fault) => {
  test.each([1, 2])(
    'has the same number of tries and the same result when it happens %d times',
    async (times) => {
      const reported: unknown[] = [];
      for (const [client, { table }] of Object.entries(clients)) {
        relays.dynamodb.calls.length = 0;
        relays.dynamodb.plannedFaults.splice(0, 9, ...Array(times).fill(fault));
        const item = { pk: `${fault} ${times}`, sk: client };
        const written = table.put(item, { condition: 'attribute_not_exists(pk)' });
        reported.push([await written.catch(({ code }) => code), relays.dynamodb.calls.length]);
        relays.dynamodb.plannedFaults.length = 0;
        expect(await table.get(item)).toEqual(fault === 'reset before' && times === 2 ? undefined : item);
      }
      expect(reported[1]).toEqual(reported[0]);
    },
  );
});
