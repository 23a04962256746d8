/** The real AWS clients of a function. Their endpoints come from the SDK's own variables. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Time-outs are short: a sign-in or a query has a deadline of its own, and a second try costs little. */
const CONNECTION = { connectionTimeout: 1000, requestTimeout: 1000, throwOnRequestTimeout: true };
const MAX_ATTEMPTS = 2;

/** The DynamoDB client: a try takes 1 s at most, and there are two. */
export function createDynamoDbClient(): DynamoDBClient {
  return new DynamoDBClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: CONNECTION });
}

/** The Secrets Manager client: a try takes 1 s at most, and there are two. */
export function createSecretsManagerClient(): SecretsManagerClient {
  return new SecretsManagerClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: CONNECTION });
}
