/**
 * UpdateSecretVersionStage: moves a staging label. Its RemoveFromVersionId is the only condition of Secrets Manager,
 * and the service relies on it: a move from a version that does not have the label is refused.
 */

import { AwsError } from '../aws-error.ts';
import {
  CURRENT_LABEL,
  findVersionById,
  findVersionByStage,
  moveStagingLabel,
  removeStagingLabel,
  type SecretRecord,
} from './secret-record.ts';
import type { SecretsStore } from './secrets-store.ts';

export function updateSecretVersionStage(
  store: SecretsStore,
  request: Readonly<Record<string, unknown>>,
): object {
  const secret = store.findLive(request.SecretId);
  const {
    VersionStage: stage,
    MoveToVersionId: targetVersionId,
    RemoveFromVersionId: sourceVersionId,
  } = request;
  if (typeof stage !== 'string' || stage === '') {
    throw new AwsError('InvalidParameterException', 'You must provide a VersionStage.');
  }
  const targetVersion =
    targetVersionId === undefined ? undefined : requireVersionById(secret, targetVersionId);
  checkLabelledVersion(secret, stage, sourceVersionId);
  if (targetVersion !== undefined) moveStagingLabel(secret, stage, targetVersion);
  else removeStagingLabelFromAll(secret, stage);
  secret.changedAtMs = store.now();
  store.persist();
  return { ARN: secret.arn, Name: secret.name };
}

function requireVersionById(secret: SecretRecord, versionId: unknown) {
  const version = findVersionById(secret, String(versionId));
  if (version !== undefined) return version;
  throw new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for VersionId: ${versionId}`,
  );
}

/** Checks that the request names the version that has the label, or none when no version has it. */
function checkLabelledVersion(secret: SecretRecord, stage: string, sourceVersionId: unknown): void {
  const labelledVersionId = findVersionByStage(secret, stage)?.versionId;
  if (sourceVersionId === labelledVersionId) return;
  if (sourceVersionId === undefined) {
    throw new AwsError(
      'InvalidParameterException',
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${labelledVersionId}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
  throw new AwsError(
    'InvalidParameterException',
    `The staging label ${stage} is not attached to version ${sourceVersionId}; it is attached to ${labelledVersionId ?? 'none'}.`,
  );
}

function removeStagingLabelFromAll(secret: SecretRecord, stage: string): void {
  if (stage === CURRENT_LABEL) {
    throw new AwsError(
      'InvalidParameterException',
      `You can't remove the staging label ${CURRENT_LABEL}: move it to another version.`,
    );
  }
  const labelledVersion = findVersionByStage(secret, stage);
  if (labelledVersion !== undefined) removeStagingLabel(labelledVersion, stage);
}
