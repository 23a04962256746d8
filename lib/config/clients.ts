/** Creates the AWS SDK's clients of the scheduled work. The SDK reads their endpoints from its own variables. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { MAX_TRIES, TRY_TIMEOUT_MS } from './aws-limits.ts';

/**
 * The same limits as in the small client.
 * @internal A test compares the tries of both clients.
 */
export const SDK_SETTINGS = {
  maxAttempts: MAX_TRIES,
  requestHandler: {
    connectionTimeout: TRY_TIMEOUT_MS,
    requestTimeout: TRY_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
};

/** Creates the DynamoDB client: at most two tries of 1 s each. */
export function createDynamoDbClient(): DynamoDBClient {
  return new DynamoDBClient(SDK_SETTINGS);
}

/** Creates the Secrets Manager client: at most two tries of 1 s each. */
export function createSecretsManagerClient(): SecretsManagerClient {
  return new SecretsManagerClient(SDK_SETTINGS);
}
