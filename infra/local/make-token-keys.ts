/** The rings of keys as the deployed stack first makes them: a seed each. */
import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** Makes each, unless the data folder has it. */
export async function makeTokenKeys(client: SecretsManagerClient, secretsPrefix: string): Promise<void> {
  for (const ring of ['token-keys', 'webhook-keys']) {
    const seed = randomBytes(48).toString('hex').slice(0, 64);
    const command = new CreateSecretCommand({
      Name: `${secretsPrefix}/${ring}`,
      SecretString: JSON.stringify({ seed }),
    });
    await client.send(command).catch((error: unknown) => {
      if (!(error instanceof ResourceExistsException)) throw error;
    });
  }
}
