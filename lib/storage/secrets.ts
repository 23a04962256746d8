/**
 * Secrets Manager as the service uses it. It has no conditional write, but a version, once made, never
 * changes; so what counts is decided elsewhere, by naming a VersionId (lib/storage/versioned-secret.ts).
 */
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { ServiceError } from '../errors/service-error.ts';
import { outageOf } from './outage.ts';

const { answered, unavailable } = outageOf('Secrets Manager');

export type Secret = { readonly versionId: string; readonly json: unknown };

export type Secrets = {
  /** A version, or the current one without `versionId`. Undefined: there is no such secret or version. */
  read(name: string, versionId?: string): Promise<Secret | undefined>;
  /** A new version labelled AWSPENDING; the secret is made if absent. Returns its VersionId. */
  addPending(name: string, json: unknown): Promise<string>;
  /** The VersionId that holds AWSCURRENT, if any. */
  currentVersionId(name: string): Promise<string | undefined>;
  /** The VersionId that holds each label. */
  labels(name: string): Promise<Readonly<Record<string, string>>>;
  /** Moves AWSCURRENT from one version to another. Refused: `from` does not hold it. */
  moveCurrent(name: string, move: { from: string | undefined; to: string }): Promise<'done' | 'refused'>;
};

/** Secrets over the SDK's client. Failures but an absent secret are those of outage.ts. */
export function createSecrets({ client }: { readonly client: SecretsManagerClient }): Secrets {
  const labels = async (name: string) => {
    const secret = await absentOr(client.send(new DescribeSecretCommand({ SecretId: name })));
    const stages = Object.entries(secret?.VersionIdsToStages ?? {});
    return Object.fromEntries(stages.flatMap(([id, held]) => held.map((label) => [label, id])));
  };
  return {
    labels,
    currentVersionId: async (name) => (await labels(name)).AWSCURRENT,
    async read(name, versionId) {
      const command = new GetSecretValueCommand({
        SecretId: name,
        ...(versionId && { VersionId: versionId }),
      });
      const value = await absentOr(client.send(command));
      if (value?.SecretString === undefined || value.VersionId === undefined) return undefined;
      return { versionId: value.VersionId, json: parseSecret(value.SecretString) };
    },
    addPending: (name, json) => addPending(client, name, json),
    async moveCurrent(name, { from, to }) {
      const command = new UpdateSecretVersionStageCommand({
        SecretId: name,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: to,
        ...(from && { RemoveFromVersionId: from }),
      });
      try {
        await client.send(command);
        return 'done';
      } catch (error) {
        if (error instanceof Error && /^Invalid(Parameter|Request)Exception$/.test(error.name))
          return 'refused';
        throw unavailable(error);
      }
    },
  };
}

/** A version that is no label's but AWSPENDING's; the secret is made if there is none. */
async function addPending(client: SecretsManagerClient, name: string, json: unknown): Promise<string> {
  const command = new PutSecretValueCommand({
    SecretId: name,
    SecretString: JSON.stringify(json),
    VersionStages: ['AWSPENDING'],
  });
  let put = await absentOr(client.send(command));
  if (put === undefined) {
    await answered(client.send(new CreateSecretCommand({ Name: name })).catch(ignoreExisting));
    put = await answered(client.send(command));
  }
  if (put.VersionId === undefined) throw unavailable(new Error('no version id'));
  return put.VersionId;
}

function parseSecret(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes what it read, and errors are logged.
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'a secret is not JSON' });
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof ResourceExistsException)) throw error;
}

async function absentOr<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw unavailable(error);
  }
}
