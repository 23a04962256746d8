/** Creates the secrets that a deploy creates: a seed for each key ring, and the tombstone key. */
import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** Creates the secrets that the data folder does not have yet. */
export async function createStackSecrets(client: SecretsManagerClient, secretsPrefix: string): Promise<void> {
  for (const [secretName, secretField] of [
    ['token-keys', 'seed'],
    ['webhook-keys', 'seed'],
    ['tombstone-key', 'key'],
  ] as const) {
    const secretText = randomBytes(48).toString('hex').slice(0, 64);
    const createCommand = new CreateSecretCommand({
      Name: `${secretsPrefix}/${secretName}`,
      SecretString: JSON.stringify({ [secretField]: secretText }),
    });
    await client.send(createCommand).catch((error: unknown) => {
      if (!(error instanceof ResourceExistsException)) throw error;
    });
  }
}
