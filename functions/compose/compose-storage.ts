/**
 * Composes table and secrets with the service's own small AWS client, which is faster than the SDK, for functions that
 * serve requests.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { readAwsEnvironment } from '../../lib/config/aws-environment.ts';
import { AWS_ATTEMPT_TIMEOUT_MS } from '../../lib/config/aws-limits.ts';
import type { Environment } from '../../lib/config/environment.ts';
import { createAwsClient } from '../../lib/storage/aws-client/aws-client.ts';
import { createSecretsClient } from '../../lib/storage/aws-client/secrets-client.ts';
import { createTableClient } from '../../lib/storage/aws-client/table-client.ts';
import type { Secrets } from '../../lib/storage/secrets.ts';
import type { Table } from '../../lib/storage/table.ts';

export type TableAndSecrets = { readonly table: Table; readonly secrets: Secrets };

/** Creates the storage. Calls `onCredentialsExpired` when AWS no longer accepts the container's credentials. */
export function composeStorage(
  { tableName }: Environment,
  onCredentialsExpired: () => void,
): TableAndSecrets {
  const { region, credentials, endpoints } = readAwsEnvironment();
  const clientOptions = {
    region,
    credentials,
    now: Date.now,
    random: Math.random,
    wait: async (ms: number) => wait(ms),
    newId: randomUUID,
    timeoutMs: AWS_ATTEMPT_TIMEOUT_MS,
    onCredentialsExpired,
  };
  const { dynamodb, secretsmanager } = endpoints;
  const dynamoDb = createAwsClient({ ...clientOptions, service: 'dynamodb', endpoint: dynamodb });
  const secretsManager = createAwsClient({
    ...clientOptions,
    service: 'secretsmanager',
    endpoint: secretsmanager,
  });
  return {
    table: createTableClient({ call: dynamoDb.call, tableName }),
    secrets: createSecretsClient(secretsManager.call),
  };
}
