/**
 * Scans the whole table, for operators and for the search after an erasure. Functions that serve requests do not scan.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAttributes } from '../aws-client/attribute-values.ts';
import { createOutageErrors } from '../aws-client/outage.ts';
import { readItem, readItems } from '../aws-client/table-over.ts';
import type { Condition, Item, ItemKey } from '../table.ts';
import { callDynamoDb } from './sdk-calls.ts';

const { answered } = createOutageErrors('the table');

type ScanPage = { readonly items: readonly Item[]; readonly nextKey: ItemKey | undefined };
type ScanFilter = Omit<Condition, 'condition'> & { readonly filter: string };

/** Reads one page of the items that match the filter, with a consistent read, starting after `startKey`. */
export type ScanTable = (filter: ScanFilter, startKey?: ItemKey) => Promise<ScanPage>;

/** Creates the scan. Failures are the errors of outage.ts. */
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

/** Yields all items that match the filter, page by page. */
export async function* scanAll(scan: ScanTable, filter: ScanFilter): AsyncGenerator<Item> {
  let startKey: ItemKey | undefined;
  do {
    const page = await scan(filter, startKey);
    yield* page.items;
    startKey = page.nextKey;
  } while (startKey !== undefined);
}
