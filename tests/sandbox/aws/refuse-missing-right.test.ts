/** Each function may do on this machine what it may do on AWS, and nothing else. */
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessKeyIdOfFunction } from '../../../sandbox/aws/check-function-rights.ts';
import { deriveCredentials } from '../../../sandbox/aws/credentials.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../../../sandbox/aws/start-dynamodb.ts';
import type { ListeningServer } from '../../../sandbox/listen.ts';

const TableName = 'rights';
const keyOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'b' } });
const DENIED = { name: 'AccessDeniedException' };
let dynamoDb: ListeningServer;
let secretsManager: ListeningServer;
beforeAll(async () => {
  dynamoDb = await startDynamoDbEmulator({ tableName: TableName, path: undefined });
  secretsManager = await startSecretsManagerEmulator({ path: undefined, now: Date.now });
});
afterAll(() => Promise.all([dynamoDb.close(), secretsManager.close()]));

/** The settings of a client in a function; without a name, of an operator's. */
function settingsOf(name: string | undefined, { url }: ListeningServer) {
  const settings = { ...emulatorClientSettings(url), maxAttempts: 1 };
  if (name === undefined) return settings;
  return { ...settings, credentials: deriveCredentials(accessKeyIdOfFunction(name)) };
}

const onTable = (name?: string) => new DynamoDBClient(settingsOf(name, dynamoDb));
const onSecrets = (name?: string) => new SecretsManagerClient(settingsOf(name, secretsManager));

test('a function may read the table, and not scan it, as an operator may', async () => {
  const client = onTable('admin-graphql');
  await client.send(new GetItemCommand({ TableName, Key: keyOf('LINK#a') }));
  await expect(client.send(new ScanCommand({ TableName }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining('admin-graphql is not authorized to perform dynamodb:Scan'),
  });
  await onTable().send(new ScanCommand({ TableName }));
});

test('it reads and writes within its families, and nothing that only looks like one', async () => {
  const client = onTable('customer-graphql');
  const update = {
    TableName,
    UpdateExpression: 'SET x = :x',
    ExpressionAttributeValues: { ':x': { S: 'x' } },
  };
  await client.send(new UpdateItemCommand({ ...update, Key: keyOf('GRANT#1') }));
  for (const pk of ['STORE#1', 'KEYS#1', 'grant#1', 'GRANT', 'GRANTS#1', ' GRANT#1'])
    await expect(client.send(new UpdateItemCommand({ ...update, Key: keyOf(pk) }))).rejects.toMatchObject(
      DENIED,
    );
});

test('a batch is judged by every key in it', async () => {
  const client = onTable('customer-graphql');
  const batch = (...pks: string[]) =>
    client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: pks.map(keyOf) } } }));
  await batch('SESSIONS#1', 'STORE#1', 'GRANT#1');
  await expect(batch('SESSIONS#1', 'STORE#1', 'KEYS#1')).rejects.toMatchObject(DENIED);
});

test('an index is read by its own leading key, and no query names another than it reads', async () => {
  const client = onTable('customer-graphql');
  const query = (KeyConditionExpression: string, pk: string, IndexName?: string) => {
    const ExpressionAttributeValues = { ':pk': { S: pk } };
    return client.send(
      new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues, IndexName }),
    );
  };
  await query('actionPk = :pk', 'ACTION#1', 'actions');
  await query('pk = :pk', 'TIMELINE#1');
  await expect(query('actionPk = :pk', 'TIMELINE#1', 'actions')).rejects.toMatchObject(DENIED);
  await expect(query('pk = :pk', 'ACTION#1')).rejects.toMatchObject(DENIED);
  await expect(query('pk = :pk', 'STORE#1')).rejects.toMatchObject(DENIED);
});

test('a function may read its own secrets, write a grant, and nothing of the others', async () => {
  const names = ['a/b/token-keys', 'a/b/stores/81234567001/platform', 'a/b/stores/81234567001/admin-keys'];
  for (const Name of names) await onSecrets().send(new CreateSecretCommand({ Name, SecretString: '{}' }));
  const [ring, grant, adminKeys] = names;
  const client = onSecrets('customer-graphql');
  await client.send(new GetSecretValueCommand({ SecretId: ring }));
  await client.send(new PutSecretValueCommand({ SecretId: grant, SecretString: '{}' }));
  for (const refused of [
    new GetSecretValueCommand({ SecretId: adminKeys }),
    new GetSecretValueCommand({ SecretId: `${ring}-old` }),
  ])
    await expect(client.send(refused)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  const put = new PutSecretValueCommand({ SecretId: ring, SecretString: '{}' });
  await expect(client.send(put)).rejects.toMatchObject({ name: 'AccessDeniedException' });
});
