/** The table over the AWS SDK's client. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Table } from '../table.ts';
import { tableOver } from '../table-over.ts';
import { callDynamoDb } from './sdk-calls.ts';

type Deps = { readonly client: DynamoDBClient; readonly tableName: string };

/**
 * The table over the SDK's client. Every failure but a refused condition is TEMPORARILY_UNAVAILABLE; what DynamoDB
 * refuses as wrong is INTERNAL_ERROR.
 */
export function createTable({ client, tableName }: Deps): Table {
  return tableOver({ call: callDynamoDb(client), tableName });
}
