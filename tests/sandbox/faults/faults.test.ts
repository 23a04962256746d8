/** The proxies in front of table and secrets inject the faults of AWS. */
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../../../sandbox/aws/start-dynamodb.ts';
import { type RunningFaults, startFaults } from '../../../sandbox/faults/start-faults.ts';
import { createFaultControl, type FaultControl } from '../../faults/fault-control.ts';

const TABLE = 'faults';
const parts = new AsyncDisposableStack();
let running: RunningFaults;
let faults: FaultControl;
let real: DynamoDBClient;
beforeAll(async () => {
  const dynamoDb = parts.adopt(await startDynamoDbEmulator({ tableName: TABLE, path: undefined }), (one) =>
    one.close(),
  );
  const secrets = parts.adopt(await startSecretsManagerEmulator({ path: undefined, now: Date.now }), (one) =>
    one.close(),
  );
  real = parts.adopt(new DynamoDBClient(emulatorClientSettings(dynamoDb.url)), (client) => client.destroy());
  running = await startFaults({ dynamoDbUrl: dynamoDb.url, secretsManagerUrl: secrets.url });
  parts.defer(() => running.close());
  faults = createFaultControl({ faultsUrl: running.url });
});
beforeEach(() => faults.clear());
afterAll(() => parts.disposeAsync());

let number = 0;
const nextId = () => `item-${number++}`;

async function put(id: string, maxAttempts = 1): Promise<ServiceOutputTypes> {
  const client = new DynamoDBClient({
    ...emulatorClientSettings(running.endpoints.dynamoDbUrl),
    maxAttempts,
  });
  try {
    return await client.send(
      new PutItemCommand({ TableName: TABLE, Item: { pk: { S: id }, sk: { S: '1' } } }),
    );
  } finally {
    client.destroy();
  }
}

async function isStored(id: string): Promise<boolean> {
  const key = { pk: { S: id }, sk: { S: '1' } };
  return (await real.send(new GetItemCommand({ TableName: TABLE, Key: key }))).Item !== undefined;
}

test.each([
  ['throttle', 'ProvisionedThroughputExceededException', false],
  ['error', 'InternalServerError', false],
  ['cut-before', expect.any(String), false],
  ['cut-after', expect.any(String), true],
] as const)('fails a call of the table with the effect %s', async (effect, name, isDone) => {
  const id = nextId();
  await faults.add({ target: 'table', effect, count: 1 });
  await expect(put(id)).rejects.toMatchObject({ name });
  expect(await isStored(id)).toBe(isDone);
  await put(nextId());
});

test('a slow call is done in the end', async () => {
  const id = nextId();
  await faults.add({ target: 'table', effect: 'slow', count: 1 });
  await put(id);
  expect(await isStored(id)).toBe(true);
});

test('a fault of every try meets all tries of one call, and no other call', async () => {
  const id = nextId();
  await faults.add({ target: 'table', effect: 'error', count: 1, everyTry: true });
  await expect(put(id, 2)).rejects.toMatchObject({ name: 'InternalServerError' });
  await put(id, 1);
});

test('a fault of one try is over at the next', async () => {
  await faults.add({ target: 'table', effect: 'error', count: 1 });
  await put(nextId(), 2);
});

test('Secrets Manager returns its own error', async () => {
  const client = new SecretsManagerClient({
    ...emulatorClientSettings(running.endpoints.secretsManagerUrl),
    maxAttempts: 1,
  });
  await faults.add({ target: 'secrets', effect: 'throttle', count: 1 });
  const command = new CreateSecretCommand({ Name: 'a', SecretString: '{}' });
  await expect(client.send(command)).rejects.toMatchObject({ name: 'ThrottlingException' });
  await client.send(command);
  client.destroy();
});

test('counts the faults that happened', async () => {
  const before = (await faults.counts()).faults['table error'] ?? 0;
  await faults.add({ target: 'table', effect: 'error', count: 2 });
  await Promise.allSettled([put(nextId()), put(nextId())]);
  expect((await faults.counts()).faults['table error']).toBe(before + 2);
});

test('bad weather is a share of all calls, the same for the same seed', async () => {
  await faults.setRandomFaults({ target: 'table', rate: 1, seed: 1 });
  await expect(put(nextId())).rejects.toThrow();
  await faults.setRandomFaults({ target: 'table', rate: 0, seed: 1 });
  await put(nextId());
});

test.each([
  ['faults', { target: 'tables', effect: 'error' }, '"target" is one of: table, secrets.'],
  ['faults', { target: 'table', effect: 'broken' }, '"effect" is one of'],
  ['faults', { target: 'table', effect: 'error', count: 0 }, '"count" is a whole number'],
  ['faults', { target: 'table', effect: 'error', times: 1 }, '"times" is not known here.'],
  ['weather', { target: 'table', rate: 2 }, '"rate" is a number from 0 to 1.'],
  ['crashes', { place: 'nowhere' }, '"place" is any, or one of: start.after-put'],
])('rejects %s: %j with a message', async (path, body, message) => {
  const response = await fetch(`${running.url}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(JSON.stringify(message).slice(1, -1));
});
