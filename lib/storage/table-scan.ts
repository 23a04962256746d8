/** Reading the whole table, for operators alone: no function of the service scans. */
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { outageOf } from './outage.ts';
import type { Condition, Item, ItemKey } from './table.ts';

const { answered } = outageOf('the table');

export type ScanPage = { readonly items: readonly Item[]; readonly nextKey: ItemKey | undefined };
export type ScanFilter = Omit<Condition, 'condition'> & { readonly filter: string };

/** One page of the items that pass the filter, consistently read, from behind `startKey`. */
export type ScanTable = (filter: ScanFilter, startKey?: ItemKey) => Promise<ScanPage>;

/** The scan over DynamoDB's client. Failures are those of outage.ts. */
export function createTableScan({
  client,
  tableName,
}: {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}): ScanTable {
  return async ({ filter, names, values = {} }, startKey) => {
    const command = new ScanCommand({
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression: filter,
      ...(names && { ExpressionAttributeNames: names }),
      ExpressionAttributeValues: marshall(values),
      ...(startKey && { ExclusiveStartKey: marshall(startKey) }),
    });
    const page = await answered(client.send(command));
    return {
      items: (page.Items ?? []).map((item) => unmarshall(item) as Item),
      nextKey: page.LastEvaluatedKey && (unmarshall(page.LastEvaluatedKey) as Item),
    };
  };
}

/** All items that pass the filter, page by page. */
export async function* scanAll(scan: ScanTable, filter: ScanFilter): AsyncGenerator<Item> {
  let startKey: ItemKey | undefined;
  do {
    const page = await scan(filter, startKey);
    yield* page.items;
    startKey = page.nextKey;
  } while (startKey !== undefined);
}
