/**
 * UpdateSecretVersionStage: moves a label. Its RemoveFromVersionId is the only condition that Secrets Manager
 * knows, so the service leans on it: a move from a version that does not hold the label is refused.
 */

import { AwsError } from '../aws-error.ts';
import {
  CURRENT,
  detach,
  moveStage,
  type SecretRecord,
  versionById,
  versionByStage,
} from './secret-record.ts';
import type { SecretsStore } from './secrets-store.ts';

export function updateSecretVersionStage(
  store: SecretsStore,
  request: Readonly<Record<string, unknown>>,
): object {
  const secret = store.findLive(request.SecretId);
  const { VersionStage: stage, MoveToVersionId: to, RemoveFromVersionId: from } = request;
  if (typeof stage !== 'string' || stage === '') {
    throw new AwsError('InvalidParameterException', 'You must provide a VersionStage.');
  }
  const target = to === undefined ? undefined : findExistingVersion(secret, to);
  requireHolder(secret, stage, from);
  if (target !== undefined) moveStage(secret, stage, target);
  else removeStage(secret, stage);
  secret.changedAtMs = store.now();
  store.persist();
  return { ARN: secret.arn, Name: secret.name };
}

function findExistingVersion(secret: SecretRecord, versionId: unknown) {
  const version = versionById(secret, String(versionId));
  if (version !== undefined) return version;
  throw new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for VersionId: ${versionId}`,
  );
}

/** The request must name the version that holds the label, and none if nothing holds it. */
function requireHolder(secret: SecretRecord, stage: string, from: unknown): void {
  const holder = versionByStage(secret, stage)?.versionId;
  if (from === holder) return;
  if (from === undefined) {
    throw new AwsError(
      'InvalidParameterException',
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${holder}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
  throw new AwsError(
    'InvalidParameterException',
    `The staging label ${stage} is not attached to version ${from}; it is attached to ${holder ?? 'none'}.`,
  );
}

function removeStage(secret: SecretRecord, stage: string): void {
  if (stage === CURRENT) {
    throw new AwsError(
      'InvalidParameterException',
      `You can't remove the staging label ${CURRENT}: move it to another version.`,
    );
  }
  const holder = versionByStage(secret, stage);
  if (holder !== undefined) detach(holder, stage);
}
