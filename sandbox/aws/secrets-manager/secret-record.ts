/** Secrets and their versions, as the emulator stores them. */
import { AwsError } from '../aws-error.ts';

/** The staging labels that Secrets Manager itself assigns. */
export const CURRENT_LABEL = 'AWSCURRENT';
const PREVIOUS_LABEL = 'AWSPREVIOUS';

export type SecretVersion = {
  readonly versionId: string;
  readonly content: SecretContent;
  stages: string[];
  readonly createdAtMs: number;
};
/** Binary content in its transport encoding, base64. */
export type SecretContent = { readonly SecretString?: string; readonly SecretBinary?: string };

export type SecretRecord = {
  readonly name: string;
  readonly arn: string;
  readonly description?: string | undefined;
  readonly createdAtMs: number;
  changedAtMs: number;
  /** The time of a scheduled deletion. */
  deletedAtMs?: number | undefined;
  /** The versions in their order of creation. */
  versions: SecretVersion[];
};

export function findVersionById(secret: SecretRecord, versionId: string): SecretVersion | undefined {
  return secret.versions.find((version) => version.versionId === versionId);
}

/** Returns the version with this label; a label has at most one version. */
export function findVersionByStage(secret: SecretRecord, stage: string): SecretVersion | undefined {
  return secret.versions.find(({ stages }) => stages.includes(stage));
}

/** Moves a label to a version. The version that loses AWSCURRENT gets AWSPREVIOUS. */
export function moveStagingLabel(secret: SecretRecord, stage: string, targetVersion: SecretVersion): void {
  const labelledVersion = findVersionByStage(secret, stage);
  if (labelledVersion === targetVersion) return;
  if (labelledVersion !== undefined) removeStagingLabel(labelledVersion, stage);
  targetVersion.stages = [...targetVersion.stages, stage];
  if (stage !== CURRENT_LABEL) return;
  removeStagingLabel(targetVersion, PREVIOUS_LABEL);
  if (labelledVersion !== undefined) moveStagingLabel(secret, PREVIOUS_LABEL, labelledVersion);
}

export function removeStagingLabel(version: SecretVersion, stage: string): void {
  version.stages = version.stages.filter((label) => label !== stage);
}

/** Returns whether two requests contain the same secret. */
export function isSameContent(a: SecretContent, b: SecretContent): boolean {
  return a.SecretString === b.SecretString && a.SecretBinary === b.SecretBinary;
}

const MAX_UNLABELLED_VERSIONS = 100;
const MIN_VERSION_AGE_MS = 24 * 3600 * 1000;

/** Deletes versions without a label beyond a hundred, except those of the last 24 hours. */
export function deleteOldVersions(secret: SecretRecord, nowMs: number): void {
  const unlabelledVersions = secret.versions.filter(({ stages }) => stages.length === 0);
  const deletedVersions = unlabelledVersions
    .slice(0, -MAX_UNLABELLED_VERSIONS)
    .filter(({ createdAtMs }) => nowMs - createdAtMs > MIN_VERSION_AGE_MS);
  secret.versions = secret.versions.filter((version) => !deletedVersions.includes(version));
}

/** Returns the version that a request names by id, by label or by both; without either, the current one. */
export function requireVersion(
  secret: SecretRecord,
  { versionId, stage }: { versionId: string | undefined; stage: string | undefined },
): SecretVersion {
  const stageLabel = stage ?? (versionId === undefined ? CURRENT_LABEL : undefined);
  const version =
    versionId === undefined
      ? findVersionByStage(secret, stageLabel ?? CURRENT_LABEL)
      : findVersionById(secret, versionId);
  if (version === undefined) {
    const searchedText = versionId === undefined ? `staging label: ${stageLabel}` : `VersionId: ${versionId}`;
    throw new AwsError(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${searchedText}`,
    );
  }
  if (stageLabel !== undefined && !version.stages.includes(stageLabel)) {
    throw new AwsError(
      'InvalidRequestException',
      'You provided a VersionStage that is not associated to the provided VersionId.',
    );
  }
  return version;
}
