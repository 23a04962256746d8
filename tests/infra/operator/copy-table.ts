/** A table as it was: what point-in-time recovery gives, for the local one. */
import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { localAwsClient } from '../../../infra/local/aws-client.ts';

type Item = Record<string, AttributeValue>;
type Place = { readonly dynamoDbUrl: string; readonly tableName: string };

/** Copies every item; resolves with what puts the table back to them, and to nothing else. */
export async function copyTable({ dynamoDbUrl, tableName: TableName }: Place): Promise<() => Promise<void>> {
  const client = new DynamoDBClient(localAwsClient(dynamoDbUrl));
  const copy = await scan(client, TableName);
  return async () => {
    for (const { pk, sk } of await scan(client, TableName))
      await client.send(new DeleteItemCommand({ TableName, Key: { pk, sk } as Item }));
    for (const item of copy) await client.send(new PutItemCommand({ TableName, Item: item }));
    client.destroy();
  };
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
