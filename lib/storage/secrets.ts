/**
 * The interface to Secrets Manager. It has no conditional write, and a version never changes once it exists. So the
 * table names the current version of a secret, and a conditional write to the table decides a change
 * (versioned-secret.ts).
 */

/** A version of a secret. `createdAtMs` is by the clock of Secrets Manager. */
type SecretVersion = { readonly versionId: string; readonly json: unknown; readonly createdAtMs?: number };

export type Secrets = {
  /**
   * Reads a version, or the version with the label AWSCURRENT when `versionId` is undefined.
   * @returns undefined when the secret or the version does not exist
   */
  read(name: string, versionId?: string): Promise<SecretVersion | undefined>;
  /** Adds a version with the label AWSPENDING and returns its VersionId. Creates the secret if it does not exist. */
  addPending(name: string, json: unknown): Promise<string>;
  /**
   * Returns the VersionId with the label AWSCURRENT.
   * @returns undefined when the secret has none
   */
  currentVersionId(name: string): Promise<string | undefined>;
  /** Returns the version ids by their labels. */
  versionIdByLabel(name: string): Promise<Readonly<Record<string, string>>>;
  /** Moves the label AWSCURRENT from one version to another. Returns `refused` when version `from` does not have it. */
  moveCurrent(name: string, move: { from: string | undefined; to: string }): Promise<'done' | 'refused'>;
};
