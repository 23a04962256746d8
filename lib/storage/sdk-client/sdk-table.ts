import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTableClient } from '../aws-client/table-client.ts';
import type { Table } from '../table.ts';
import { createDynamoDbCall } from './sdk-calls.ts';

type Deps = { readonly client: DynamoDBClient; readonly tableName: string };

/**
 * Creates the access to the table through the AWS SDK. A condition that does not hold is the result `refused`; other
 * failures are TEMPORARILY_UNAVAILABLE, or INTERNAL_ERROR when DynamoDB rejects the request as invalid.
 */
export function createSdkTableClient({ client, tableName }: Deps): Table {
  return createTableClient({ call: createDynamoDbCall(client), tableName });
}
