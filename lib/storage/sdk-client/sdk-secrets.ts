import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretsClient } from '../aws-client/secrets-client.ts';
import type { Secrets } from '../secrets.ts';
import { createSecretsManagerCall } from './sdk-calls.ts';

/**
 * Creates the access to secrets through the AWS SDK. A secret that does not exist is undefined; other failures are the
 * errors of aws-error-converters.ts.
 */
export function createSdkSecretsClient({ client }: { readonly client: SecretsManagerClient }): Secrets {
  return createSecretsClient(createSecretsManagerCall(client));
}
