/** The secret of the token-key ring as the deployed stack first makes it: a seed. */
import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** Makes it, unless the data folder has it. */
export async function makeTokenKeys(client: SecretsManagerClient, secretsPrefix: string): Promise<void> {
  const seed = randomBytes(48).toString('hex').slice(0, 64);
  const command = new CreateSecretCommand({
    Name: `${secretsPrefix}/token-keys`,
    SecretString: JSON.stringify({ seed }),
  });
  await client.send(command).catch((error: unknown) => {
    if (!(error instanceof ResourceExistsException)) throw error;
  });
}
