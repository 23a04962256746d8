/** Scans the whole table. Only operators use it; no function of the service scans. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAttributes } from '../aws-client/attribute-values.ts';
import { outageOf } from '../aws-client/outage.ts';
import { readItem, readItems } from '../aws-client/table-over.ts';
import type { Condition, Item, ItemKey } from '../table.ts';
import { callDynamoDb } from './sdk-calls.ts';

const { answered } = outageOf('the table');

type ScanPage = { readonly items: readonly Item[]; readonly nextKey: ItemKey | undefined };
type ScanFilter = Omit<Condition, 'condition'> & { readonly filter: string };

/** Reads one page of the items that pass the filter, consistently, after `startKey`. */
export type ScanTable = (filter: ScanFilter, startKey?: ItemKey) => Promise<ScanPage>;

/** Creates the scan over DynamoDB's client. Failures are those of outage.ts. */
export function createTableScan({
  client,
  tableName,
}: {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}): ScanTable {
  const call = callDynamoDb(client);
  return async ({ filter, names, values = {} }, startKey) => {
    const page = await answered(
      call('Scan', {
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: filter,
        ...(names && { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: toAttributes(values),
        ...(startKey && { ExclusiveStartKey: toAttributes(startKey) }),
      }),
    );
    return { items: readItems(page.Items), nextKey: readItem(page.LastEvaluatedKey) };
  };
}

/** Yields all items that pass the filter, page by page. */
export async function* scanAll(scan: ScanTable, filter: ScanFilter): AsyncGenerator<Item> {
  let startKey: ItemKey | undefined;
  do {
    const page = await scan(filter, startKey);
    yield* page.items;
    startKey = page.nextKey;
  } while (startKey !== undefined);
}
