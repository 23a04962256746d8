/** The secrets over the AWS SDK's client. */
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Secrets } from '../secrets.ts';
import { secretsOver } from '../secrets-over.ts';
import { callSecretsManager } from './sdk-calls.ts';

/** Secrets over the SDK's client. Failures but an absent secret are those of outage.ts. */
export function createSecrets({ client }: { readonly client: SecretsManagerClient }): Secrets {
  return secretsOver(callSecretsManager(client));
}
