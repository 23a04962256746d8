/** Copies a table's earlier state, like point-in-time recovery, for the local table. */
import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';

type Item = Record<string, AttributeValue>;
type Place = { readonly dynamoDbUrl: string; readonly tableName: string };

/** Copies every item; resolves with what puts the table back to them, and to nothing else, as often as it is called. */
export async function copyTable({ dynamoDbUrl, tableName: TableName }: Place): Promise<() => Promise<void>> {
  const copy = await withClient(dynamoDbUrl, (client) => scan(client, TableName));
  return () =>
    withClient(dynamoDbUrl, async (client) => {
      const copied = new Set(copy.map(nameOf));
      const now = await scan(client, TableName);
      for (const { pk, sk } of now.filter((item) => !copied.has(nameOf(item))))
        await client.send(new DeleteItemCommand({ TableName, Key: { pk, sk } as Item }));
      const same = new Set(now.map((item) => JSON.stringify(item)));
      for (const item of copy.filter((one) => !same.has(JSON.stringify(one))))
        await client.send(new PutItemCommand({ TableName, Item: item }));
    });
}

/** Returns every item. */
export function readItems({ dynamoDbUrl, tableName }: Place): Promise<Item[]> {
  return withClient(dynamoDbUrl, (client) => scan(client, tableName));
}

const nameOf = ({ pk, sk }: Item) => `${pk?.S} ${sk?.S}`;

async function withClient<T>(url: string, work: (client: DynamoDBClient) => Promise<T>): Promise<T> {
  const client = new DynamoDBClient(emulatorClientSettings(url));
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

async function scan(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: from }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}
