/** The emulator of DynamoDB, through the service's own table. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { createSdkTableClient } from '../../../lib/storage/sdk-client/sdk-table.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startDynamoDbEmulator } from '../../../sandbox/aws/start-dynamodb.ts';

const dir = mkdtempSync(join(tmpdir(), 'dynamodb-'));
afterAll(() => rmSync(dir, { recursive: true }));

const tableName = 'subscriptions-test';

function tableOf(url: string) {
  return createSdkTableClient({ client: new DynamoDBClient(emulatorClientSettings(url)), tableName });
}

test('the table takes conditional writes and answers queries of its index', async () => {
  const dynamoDb = await startDynamoDbEmulator({ tableName, path: undefined });
  const table = tableOf(dynamoDb.url);
  const item = { pk: 'P', sk: 'S', actionPk: 'A', actionSk: '1', shopId: 7 };
  expect(await table.put(item, { condition: 'attribute_not_exists(pk)' })).toBe('done');
  expect(await table.put(item, { condition: 'attribute_not_exists(pk)' })).toBe('refused');
  await table.put({ pk: 'P', sk: 'other' });
  const found = await table.query({
    index: 'actions',
    keyCondition: 'actionPk = :actions',
    values: { ':actions': 'A' },
  });
  expect(found.items).toEqual([item]);
  await dynamoDb.close();
});

test('a data folder keeps the items', async () => {
  const path = join(dir, 'kept');
  const first = await startDynamoDbEmulator({ tableName, path });
  await tableOf(first.url).put({ pk: 'P', sk: 'S', stored: true });
  await first.close();
  const second = await startDynamoDbEmulator({ tableName, path });
  expect(await tableOf(second.url).get({ pk: 'P', sk: 'S' })).toMatchObject({ stored: true });
  await second.close();
});

test('a client that goes away in the middle of a request does no harm', async () => {
  const dynamoDb = await startDynamoDbEmulator({ tableName, path: undefined });
  const { port } = new URL(dynamoDb.url);
  const socket = connect(Number(port), '127.0.0.1');
  await new Promise<void>((resolve) => {
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => resolve());
  });
  socket.resetAndDestroy();
  expect(await tableOf(dynamoDb.url).get({ pk: 'P', sk: 'S' })).toBeUndefined();
  await dynamoDb.close();
});

test('reports new timeline entries, and no other items', async () => {
  const dynamoDb = await startDynamoDbEmulator({ tableName, path: undefined });
  const table = tableOf(dynamoDb.url);
  let entries = 0;
  const reported = new Promise<void>((resolve) =>
    dynamoDb.onNewEntry(() => {
      entries += 1;
      resolve();
    }),
  );
  await table.put({ pk: 'TIMELINE#7#9', sk: 'HEAD' });
  await table.put({ pk: 'STREAM#7', sk: '1', of: 'TIMELINE#7#9' });
  const entry = { pk: 'TIMELINE#7#9', sk: '1767225600000#1' };
  await table.put(entry);
  expect(await table.put(entry, { condition: 'attribute_not_exists(pk)' })).toBe('refused');
  await reported;
  await dynamoDb.close();
  expect(entries).toBe(1);
});
