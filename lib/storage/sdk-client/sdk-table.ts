import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableOver } from '../aws-client/table-over.ts';
import type { Table } from '../table.ts';
import { callDynamoDb } from './sdk-calls.ts';

type Deps = { readonly client: DynamoDBClient; readonly tableName: string };

/**
 * Creates the table over the SDK's client. Failures other than a refused condition are TEMPORARILY_UNAVAILABLE, or
 * INTERNAL_ERROR when DynamoDB rejects the request as invalid.
 */
export function createTable({ client, tableName }: Deps): Table {
  return tableOver({ call: callDynamoDb(client), tableName });
}
