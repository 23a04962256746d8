/**
 * The service's interface to Secrets Manager, which has no conditional write. A version never changes once it is
 * created, so the current version is determined outside it, by a stored VersionId (lib/storage/versioned-secret.ts).
 */

/** `madeAtMs`: when the version was created, by the clock of Secrets Manager. */
type Secret = { readonly versionId: string; readonly json: unknown; readonly madeAtMs?: number };

export type Secrets = {
  /**
   * Reads a version, or the current one without `versionId`.
   * @returns undefined when the secret or version does not exist
   */
  read(name: string, versionId?: string): Promise<Secret | undefined>;
  /** Adds a version with the label AWSPENDING; creates the secret if it does not exist. Returns its VersionId. */
  addPending(name: string, json: unknown): Promise<string>;
  /** Returns the VersionId with the label AWSCURRENT, if any. */
  currentVersionId(name: string): Promise<string | undefined>;
  /** Returns the VersionId of each label. */
  labels(name: string): Promise<Readonly<Record<string, string>>>;
  /** Moves AWSCURRENT from one version to another. Refused when `from` does not have it. */
  moveCurrent(name: string, move: { from: string | undefined; to: string }): Promise<'done' | 'refused'>;
};
