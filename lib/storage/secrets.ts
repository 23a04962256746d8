/**
 * Secrets Manager as the service uses it. It has no conditional write, but a version, once made, never
 * changes; so what counts is decided elsewhere, by naming a VersionId (lib/storage/versioned-secret.ts).
 */

/** `madeAtMs`: when the version was made, by the clock of Secrets Manager. */
type Secret = { readonly versionId: string; readonly json: unknown; readonly madeAtMs?: number };

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
