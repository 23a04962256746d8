/** The emulator of Secrets Manager behind the real client. */
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll } from '@jest/globals';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../../../sandbox/aws/secrets-manager/secrets-manager.ts';

export const now = () => Date.UTC(2026, 10, 21);
const server = await startSecretsManagerEmulator({ path: undefined, now });
export const client = new SecretsManagerClient(emulatorClientSettings(server.url));
afterAll(async () => {
  client.destroy();
  await server.close();
});

let count = 0;
export const newName = () => `subscriptions/test/${++count}`;
export const token = (letter: string) => letter.repeat(32);

/** A secret with a current version A and a pending one B. */
export async function withPending(): Promise<string> {
  const Name = newName();
  await client.send(new CreateSecretCommand({ Name, SecretString: 'a', ClientRequestToken: token('A') }));
  await client.send(
    new PutSecretValueCommand({
      SecretId: Name,
      SecretString: 'b',
      ClientRequestToken: token('B'),
      VersionStages: ['AWSPENDING'],
    }),
  );
  return Name;
}

export async function stagesOf(SecretId: string) {
  return (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages;
}

export function move(SecretId: string, MoveToVersionId: string, RemoveFromVersionId?: string) {
  return client.send(
    new UpdateSecretVersionStageCommand({
      SecretId,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId,
      ...(RemoveFromVersionId && { RemoveFromVersionId }),
    }),
  );
}
