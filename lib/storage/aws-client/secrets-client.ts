/** Reads and writes secrets in Secrets Manager, through the AWS SDK or the service's own client. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import type { Secrets } from '../secrets.ts';
import { type AwsCall, type AwsOutput, awsFailureFactsOf } from './aws-call.ts';
import { createAwsErrorConverters } from './aws-error-converters.ts';

const { withConvertedErrors, toServiceError } = createAwsErrorConverters('Secrets Manager');

/**
 * Creates the access to secrets. A secret that does not exist is undefined; other failures are the errors of aws-error-converters.ts.
 */
export function createSecretsClient(call: AwsCall): Secrets {
  const readLabels = async (name: string) => {
    const secret = await undefinedWhenAbsent(call('DescribeSecret', { SecretId: name }));
    return parseVersionByLabel(secret?.VersionIdsToStages);
  };
  return {
    versionIdByLabel: readLabels,
    currentVersionId: async (name) => (await readLabels(name)).AWSCURRENT,
    async read(name, versionId) {
      const secretInput = { SecretId: name, ...(versionId && { VersionId: versionId }) };
      const secretValue = await undefinedWhenAbsent(call('GetSecretValue', secretInput));
      if (typeof secretValue?.SecretString !== 'string' || typeof secretValue.VersionId !== 'string')
        return undefined;
      const json = parseSecretJson(secretValue.SecretString);
      return { versionId: secretValue.VersionId, json, ...toVersionCreationTime(secretValue.CreatedDate) };
    },
    addPending: (name, json) => addPendingVersion(call, name, json),
    async moveCurrent(name, { from, to }) {
      try {
        await call('UpdateSecretVersionStage', {
          SecretId: name,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: to,
          ...(from && { RemoveFromVersionId: from }),
        });
        return 'done';
      } catch (error) {
        if (/^Invalid(Parameter|Request)Exception$/.test(awsFailureFactsOf(error).name)) return 'refused';
        throw toServiceError(error);
      }
    },
  };
}

/** Adds a version with only the label AWSPENDING, and returns its id. Creates the secret if it does not exist. */
async function addPendingVersion(call: AwsCall, name: string, json: unknown): Promise<string> {
  // The request token becomes the id of the version, so a retry after a lost response does not add a second version.
  const putInput = {
    SecretId: name,
    SecretString: JSON.stringify(json),
    VersionStages: ['AWSPENDING'],
    ClientRequestToken: randomUUID(),
  };
  let putResponse = await undefinedWhenAbsent(call('PutSecretValue', putInput));
  if (putResponse === undefined) {
    const createInput = { Name: name, ClientRequestToken: randomUUID() };
    await withConvertedErrors(call('CreateSecret', createInput).catch(ignoreExistingSecret));
    putResponse = await withConvertedErrors(call('PutSecretValue', putInput));
  }
  if (typeof putResponse.VersionId !== 'string') throw toServiceError(new Error('no version id'));
  return putResponse.VersionId;
}

/** The SDK returns the time as a Date, the service's own client returns seconds. */
function toVersionCreationTime(createdAt: unknown): { readonly createdAtMs?: number } {
  if (createdAt instanceof Date) return { createdAtMs: createdAt.getTime() };
  return typeof createdAt === 'number' ? { createdAtMs: Math.round(createdAt * 1000) } : {};
}

function parseVersionByLabel(stages: unknown): Readonly<Record<string, string>> {
  if (typeof stages !== 'object' || stages === null) return {};
  const stageEntries = Object.entries(stages) as [string, unknown][];
  return Object.fromEntries(
    stageEntries.flatMap(([id, labels]) =>
      Array.isArray(labels) ? labels.map((label) => [String(label), id]) : [],
    ),
  );
}

function parseSecretJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Do not keep the parser's error as the cause: it quotes its input, and errors are logged.
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'a secret is not JSON' });
  }
}

function ignoreExistingSecret(error: unknown): void {
  if (awsFailureFactsOf(error).name !== 'ResourceExistsException') throw error;
}

async function undefinedWhenAbsent(callPromise: Promise<AwsOutput>): Promise<AwsOutput | undefined> {
  try {
    return await callPromise;
  } catch (error) {
    if (awsFailureFactsOf(error).name === 'ResourceNotFoundException') return undefined;
    throw toServiceError(error);
  }
}
