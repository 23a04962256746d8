/** Stores the emulator's secrets in memory, and in one file if a path is given. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AwsError } from '../aws-error.ts';
import type { SecretRecord } from './secret-record.ts';

export type SecretsStore = {
  readonly now: () => number;
  all(): readonly SecretRecord[];
  /**
   * Returns the secret by its name, its ARN, or its ARN without the random end.
   * @throws AwsError ResourceNotFoundException when there is none
   */
  find(id: unknown): SecretRecord;
  /**
   * Returns the secret as `find` does.
   * @throws AwsError also InvalidRequestException when the secret is marked for deletion
   */
  findLive(id: unknown): SecretRecord;
  findByName(name: string): SecretRecord | undefined;
  add(secret: SecretRecord): void;
  remove(secret: SecretRecord): void;
  /** Writes all secrets to the file. Call it after each change, before the response. */
  persist(): void;
};

/**
 * Opens the store with the secrets of its file, if it has one.
 * @throws Error that names the file when it cannot be read
 */
export function createSecretsStore({
  path,
  now,
}: {
  path: string | undefined;
  now: () => number;
}): SecretsStore {
  let secrets = path === undefined ? [] : readStoredSecrets(path);
  const requireSecret = (id: unknown) => {
    const secretById = secrets.find(({ name, arn }) => id === name || id === arn || id === arn.slice(0, -7));
    if (secretById !== undefined) return secretById;
    throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  };
  return {
    now,
    find: requireSecret,
    findLive(id) {
      const foundSecret = requireSecret(id);
      if (foundSecret.deletedAtMs === undefined) return foundSecret;
      throw new AwsError(
        'InvalidRequestException',
        "You can't perform this operation on the secret because it was marked for deletion.",
      );
    },
    all: () => secrets,
    findByName: (name) => secrets.find((secret) => secret.name === name),
    add(secret) {
      secrets.push(secret);
    },
    remove(secret) {
      secrets = secrets.filter((each) => each !== secret);
    },
    persist() {
      if (path === undefined) return;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

function readStoredSecrets(path: string): SecretRecord[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SecretRecord[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${path} cannot be read. Remove the data folder and start again.`, { cause: error });
  }
}
