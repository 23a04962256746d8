/** One started table serves many tests: each has its own part of it. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSdkTableClient } from '../lib/storage/sdk-client/sdk-table.ts';
import type { Item, Table } from '../lib/storage/table.ts';
import { emulatorClientSettings } from '../sandbox/aws/local-client-settings.ts';
import { startDynamoDbEmulator } from '../sandbox/aws/start-dynamodb.ts';

/** Starts a table. `part` returns a part of it that no other test writes to. */
export async function startTables() {
  const tableName = 'parts';
  const server = await startDynamoDbEmulator({ tableName, path: undefined });
  const client = new DynamoDBClient(emulatorClientSettings(server.url));
  const table = createSdkTableClient({ client, tableName });
  let parts = 0;
  return {
    part: (): Table => partOf(table, `${++parts}/`),
    async close() {
      client.destroy();
      await server.close();
    },
  };
}

/** The items whose partition starts with `prefix`, like a separate table; without the index. */
function partOf(table: Table, prefix: string): Table {
  const inside = <Key extends { readonly pk: string }>(key: Key): Key => ({ ...key, pk: prefix + key.pk });
  const outside = (item: Item): Item => ({ ...item, pk: item.pk.slice(prefix.length) });
  const mapped = (item: Item | undefined) => item && outside(item);
  return {
    get: async (key) => mapped(await table.get(inside(key))),
    batchGet: async (keys) => (await table.batchGet(keys.map(inside))).map(mapped),
    put: (item, condition) => table.put(inside(item), condition),
    async update(change) {
      const done = await table.update({ ...change, key: inside(change.key) });
      return done.outcome === 'done' ? { ...done, item: outside(done.item) } : done;
    },
    delete: (key, condition) => table.delete(inside(key), condition),
    async query({ values = {}, startKey, ...selection }) {
      const { items, nextKey } = await table.query({
        ...selection,
        values: { ...values, ':pk': `${prefix}${values[':pk']}` },
        ...(startKey && { startKey: inside(startKey) }),
      });
      return { items: items.map(outside), nextKey: mapped(nextKey) };
    },
  };
}
