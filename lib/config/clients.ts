/** The AWS SDK's clients of the scheduled work. Their endpoints come from the SDK's own variables. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { MAX_TRIES, TRY_TIMEOUT_MS } from './aws-limits.ts';

/**
 * As the small client has it.
 * @internal A test holds both clients to the same tries.
 */
export const SDK_SETTINGS = {
  maxAttempts: MAX_TRIES,
  requestHandler: {
    connectionTimeout: TRY_TIMEOUT_MS,
    requestTimeout: TRY_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
};

/** The DynamoDB client: a try takes 1 s at most, and there are two. */
export function createDynamoDbClient(): DynamoDBClient {
  return new DynamoDBClient(SDK_SETTINGS);
}

/** The Secrets Manager client: a try takes 1 s at most, and there are two. */
export function createSecretsManagerClient(): SecretsManagerClient {
  return new SecretsManagerClient(SDK_SETTINGS);
}
