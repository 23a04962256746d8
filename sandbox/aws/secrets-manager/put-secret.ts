/**
 * CreateSecret and PutSecretValue create versions. The client's request token is the version's id, so a retry is
 * idempotent.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { AwsError } from '../aws-error.ts';
import { buildLambdaEnvironment } from '../build-lambda-environment.ts';
import {
  CURRENT_LABEL,
  deleteOldVersions,
  findVersionById,
  isSameContent,
  moveStagingLabel,
  type SecretContent,
  type SecretRecord,
  type SecretVersion,
} from './secret-record.ts';
import type { SecretsStore } from './secrets-store.ts';

type SecretsRequestFields = Readonly<Record<string, unknown>>;

const SECRET_NAME_PATTERN = /^[\w/+=.@-]{1,512}$/;
const MAX_CONTENT_BYTES = 65_536;

export function createSecret(store: SecretsStore, request: SecretsRequestFields): object {
  const secretName = parseSecretName(request.Name);
  const secretContent = parseSecretContent(request);
  const token = parseRequestToken(request);
  const existingSecret = store.findByName(secretName);
  if (existingSecret !== undefined) return respondToRetriedCreate(existingSecret, token, secretContent);
  const nowMs = store.now();
  const secret: SecretRecord = {
    name: secretName,
    arn: createSecretArn(secretName),
    description: typeof request.Description === 'string' ? request.Description : undefined,
    createdAtMs: nowMs,
    changedAtMs: nowMs,
    versions: [],
  };
  if (secretContent !== undefined)
    addVersion(secret, { token, content: secretContent, stages: [CURRENT_LABEL], nowMs });
  store.add(secret);
  store.persist();
  return { ARN: secret.arn, Name: secretName, ...(secretContent && { VersionId: token }) };
}

/**
 * Returns the existing secret to a retry, which has the same token and content. Any other request fails, because the
 * name is taken.
 */
function respondToRetriedCreate(
  secret: SecretRecord,
  token: string,
  content: SecretContent | undefined,
): object {
  if (secret.deletedAtMs !== undefined) {
    throw new AwsError(
      'InvalidRequestException',
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  }
  const version = findVersionById(secret, token);
  if (content === undefined || version === undefined || !isSameContent(version.content, content)) {
    throw new AwsError(
      'ResourceExistsException',
      `The operation failed because the secret ${secret.name} already exists.`,
    );
  }
  return { ARN: secret.arn, Name: secret.name, VersionId: token };
}

export function putSecretValue(store: SecretsStore, request: SecretsRequestFields): object {
  const secret = store.findLive(request.SecretId);
  const secretContent = parseSecretContent(request);
  if (secretContent === undefined) {
    throw new AwsError('InvalidRequestException', 'You must provide either SecretString or SecretBinary.');
  }
  const requestToken = parseRequestToken(request);
  const existingVersion = findVersionById(secret, requestToken);
  if (existingVersion !== undefined && !isSameContent(existingVersion.content, secretContent)) {
    throw new AwsError(
      'ResourceExistsException',
      `A resource with the ID you requested already exists: ${requestToken}.`,
    );
  }
  const version =
    existingVersion ??
    putVersion(store, { secret, token: requestToken, content: secretContent, stages: parseStages(request) });
  return { ARN: secret.arn, Name: secret.name, VersionId: requestToken, VersionStages: version.stages };
}

type NewVersion = {
  readonly token: string;
  readonly content: SecretContent;
  readonly stages: readonly string[];
};

function putVersion(
  store: SecretsStore,
  { secret, token, content, stages }: NewVersion & { secret: SecretRecord },
): SecretVersion {
  const nowMs = store.now();
  // A secret's first version is the current one, whatever labels it was given.
  const isFirstVersion = secret.versions.length === 0 && !stages.includes(CURRENT_LABEL);
  const addedVersion = addVersion(secret, {
    token,
    content,
    stages: isFirstVersion ? [...stages, CURRENT_LABEL] : stages,
    nowMs,
  });
  secret.changedAtMs = nowMs;
  deleteOldVersions(secret, nowMs);
  store.persist();
  return addedVersion;
}

function addVersion(
  secret: SecretRecord,
  { token, content, stages, nowMs }: NewVersion & { nowMs: number },
): SecretVersion {
  const version: SecretVersion = { versionId: token, content, stages: [], createdAtMs: nowMs };
  secret.versions.push(version);
  for (const stagingLabel of stages) moveStagingLabel(secret, stagingLabel, version);
  return version;
}

function parseSecretName(name: unknown): string {
  if (typeof name === 'string' && SECRET_NAME_PATTERN.test(name)) return name;
  throw new AwsError(
    'InvalidParameterException',
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
}

function parseSecretContent({ SecretString, SecretBinary }: SecretsRequestFields): SecretContent | undefined {
  if (SecretString === undefined && SecretBinary === undefined) return undefined;
  if (SecretString !== undefined && SecretBinary !== undefined) {
    throw new AwsError(
      'InvalidParameterException',
      'You must provide either SecretString or SecretBinary, but not both.',
    );
  }
  const storedContent = SecretString ?? SecretBinary;
  if (typeof storedContent !== 'string' || Buffer.byteLength(storedContent) > MAX_CONTENT_BYTES) {
    throw new AwsError('InvalidParameterException', 'The secret must be a text of at most 65536 bytes.');
  }
  return SecretString === undefined ? { SecretBinary: storedContent } : { SecretString: storedContent };
}

function parseRequestToken({ ClientRequestToken: token }: SecretsRequestFields): string {
  if (token === undefined) return randomUUID();
  if (typeof token === 'string' && token.length >= 32 && token.length <= 64) return token;
  throw new AwsError(
    'InvalidParameterException',
    'The ClientRequestToken must be between 32 and 64 characters long.',
  );
}

function parseStages({ VersionStages: stages }: SecretsRequestFields): string[] {
  if (stages === undefined) return [CURRENT_LABEL];
  if (Array.isArray(stages) && stages.length > 0 && stages.length <= 20) return stages.map(String);
  throw new AwsError('InvalidParameterException', 'VersionStages must have between 1 and 20 labels.');
}

function createSecretArn(name: string): string {
  const { AWS_REGION: region } = buildLambdaEnvironment({ name: 'runner', memoryMb: 0 });
  const randomSuffix = randomBytes(3).toString('hex');
  return `arn:aws:secretsmanager:${region}:000000000000:secret:${name}-${randomSuffix}`;
}
