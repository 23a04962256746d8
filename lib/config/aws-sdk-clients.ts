/** Creates the AWS SDK's clients, for the workers. The SDK itself reads its endpoints from environment variables. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { AWS_ATTEMPT_TIMEOUT_MS, MAX_AWS_ATTEMPTS } from './aws-limits.ts';

/**
 * The same timeout and number of attempts as in the service's own client.
 * @internal A test compares the number of attempts of both clients.
 */
export const AWS_SDK_SETTINGS = {
  maxAttempts: MAX_AWS_ATTEMPTS,
  requestHandler: {
    connectionTimeout: AWS_ATTEMPT_TIMEOUT_MS,
    requestTimeout: AWS_ATTEMPT_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
};

/** Creates the client for DynamoDB, with at most two attempts of 1 s each. */
export function createDynamoDbClient(): DynamoDBClient {
  return new DynamoDBClient(AWS_SDK_SETTINGS);
}

/** Creates the client for Secrets Manager, with at most two attempts of 1 s each. */
export function createSecretsManagerClient(): SecretsManagerClient {
  return new SecretsManagerClient(AWS_SDK_SETTINGS);
}
