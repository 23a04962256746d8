/**
 * Composes table and secrets with the AWS SDK. The SDK is slower than the service's own client, so only workers use it,
 * for which no client waits.
 */
import { createDynamoDbClient, createSecretsManagerClient } from '../../lib/config/aws-sdk-clients.ts';
import type { Environment } from '../../lib/config/environment.ts';
import type { ScanTable } from '../../lib/storage/scan.ts';
import { createSdkSecretsClient } from '../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../lib/storage/sdk-client/sdk-table.ts';
import { createTableScan } from '../../lib/storage/sdk-client/table-scan.ts';
import type { TableAndSecrets } from './compose-storage.ts';

/** Creates the same storage as `composeStorage`. */
export function composeSdkStorage({ tableName }: Environment): TableAndSecrets {
  return {
    table: createSdkTableClient({ client: createDynamoDbClient(), tableName }),
    secrets: createSdkSecretsClient({ client: createSecretsManagerClient() }),
  };
}

/** Creates the scan of the whole table, for the functions that have the permission to scan. */
export function composeTableScan({ tableName }: Environment): ScanTable {
  return createTableScan({ client: createDynamoDbClient(), tableName });
}
