/** Both AWS clients with the settings of functions, for an endpoint of the test. */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { AWS_SDK_SETTINGS } from '../../../../lib/config/aws-sdk-clients.ts';
import type { AwsCall } from '../../../../lib/storage/aws-client/aws-call.ts';
import { type AwsClientOptions, createAwsClient } from '../../../../lib/storage/aws-client/aws-client.ts';
import {
  createDynamoDbCall,
  createSecretsManagerCall,
} from '../../../../lib/storage/sdk-client/sdk-calls.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';

/** The services that functions store with. */
export type StoredBy = 'dynamodb' | 'secretsmanager';
export type Way = { readonly call: AwsCall; close(): void };

/** The small client, which pauses in no time; `pauses` are those it would have made. */
export function ownClient(service: StoredBy, url: string, changes: Partial<AwsClientOptions> = {}) {
  const { region, credentials } = emulatorClientSettings(url);
  const pauses: number[] = [];
  const client = createAwsClient({
    service,
    endpoint: new URL(url),
    region,
    credentials: () => credentials,
    now: Date.now,
    random: () => 0.5,
    wait: async (ms) => void pauses.push(ms),
    newId: randomUUID,
    // A busy machine is no outage.
    timeoutMs: 30_000,
    onCredentialsExpired: () => undefined,
    ...changes,
  });
  return { ...client, pauses };
}

/** The SDK's client. */
export function sdkClient(service: StoredBy, url: string): Way {
  const timeouts = { connectionTimeout: 30_000, requestTimeout: 30_000, throwOnRequestTimeout: true };
  const settings = { ...emulatorClientSettings(url), ...AWS_SDK_SETTINGS, requestHandler: timeouts };
  if (service === 'dynamodb') {
    const client = new DynamoDBClient(settings);
    return { call: createDynamoDbCall(client), close: () => client.destroy() };
  }
  const client = new SecretsManagerClient(settings);
  return { call: createSecretsManagerCall(client), close: () => client.destroy() };
}
