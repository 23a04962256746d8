import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secretsOver } from '../aws-client/secrets-over.ts';
import type { Secrets } from '../secrets.ts';
import { callSecretsManager } from './sdk-calls.ts';

/** Creates the secrets over the SDK's client. Failures other than an absent secret are those of outage.ts. */
export function createSecrets({ client }: { readonly client: SecretsManagerClient }): Secrets {
  return secretsOver(callSecretsManager(client));
}
