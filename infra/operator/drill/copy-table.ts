/** What point-in-time recovery does, for stand-ins: a table's items as they are now, to be written into another. */
import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Target } from '../target.ts';

type Place = Pick<Target, 'dynamoDb' | 'tableName'>;
export type Backup = readonly Record<string, AttributeValue>[];

export async function readItems({ dynamoDb, tableName: TableName }: Place): Promise<Backup> {
  const items: Record<string, AttributeValue>[] = [];
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await dynamoDb.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return items;
}

export async function writeItems({ dynamoDb, tableName: TableName }: Place, items: Backup): Promise<void> {
  for (const Item of items) await dynamoDb.send(new PutItemCommand({ TableName, Item }));
}
