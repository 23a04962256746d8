/** Scans the whole table through the AWS SDK. Functions that serve requests do not import this file. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAttributes } from '../aws-client/attribute-values.ts';
import { createAwsErrorConverters } from '../aws-client/aws-error-converters.ts';
import { toItem, toItems } from '../aws-client/table-client.ts';
import type { ScanTable } from '../scan.ts';
import { createDynamoDbCall } from './sdk-calls.ts';

const { withConvertedErrors } = createAwsErrorConverters('the table');

/** Creates the scan. Failures are the errors of aws-error-converters.ts. */
export function createTableScan({
  client,
  tableName,
}: {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}): ScanTable {
  const callDynamoDb = createDynamoDbCall(client);
  return async ({ filter, names, values = {} }, startKey) => {
    const scanResponse = await withConvertedErrors(
      callDynamoDb('Scan', {
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: filter,
        ...(names && { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: toAttributes(values),
        ...(startKey && { ExclusiveStartKey: toAttributes(startKey) }),
      }),
    );
    return { items: toItems(scanResponse.Items), nextKey: toItem(scanResponse.LastEvaluatedKey) };
  };
}
