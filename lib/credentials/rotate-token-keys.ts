/**
 * Rotates the ring of token keys in three steps: a new key is published, signs once every container knows it, and is
 * retired when none of its tokens can be valid. The move of AWSCURRENT resolves races.
 */
import type { KeyId } from '../domain/tokens/key-id.ts';
import type { Secrets } from '../storage/secrets.ts';
import { parseRingEntries, type RingEntry } from './key-ring.ts';

export type RotationStep = 'publish' | 'sign' | 'retire';
type RotateTokenKeysDeps = {
  readonly secrets: Pick<Secrets, 'read' | 'addPending' | 'moveCurrent' | 'currentVersionId'>;
  readonly secretsPrefix: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Writes leaked keys into the stores, where every request checks them. */
  readonly refuseKeys: (kids: readonly KeyId[]) => Promise<unknown>;
};
type KeyRingDeps = Pick<RotateTokenKeysDeps, 'secrets' | 'secretsPrefix'>;
/** A key of the ring, without its secret. */
export type RingKeyView = Omit<RingEntry, 'secret'>;

/** The step is not possible now; the message states why, and when it will be. */
export class RotationRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RotationRefused';
  }
}

const MINUTE_MS = 60_000;
/**
 * How long a published key waits before it signs. Containers read the ring every 5 minutes; three times that is a safe
 * margin.
 */
const MIN_WAIT_BEFORE_SIGNING_MS = 15 * MINUTE_MS;
/** A token is valid for at most 365 days, and a container signs with an old ring for a few more minutes. */
const RETIRE_KEY_AFTER_MS = 366 * 24 * 60 * MINUTE_MS;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 6;

/**
 * Reads the ring's keys.
 * @throws RotationRefused when there is no ring
 */
export async function readTokenKeys(deps: KeyRingDeps): Promise<RingKeyView[]> {
  return (await readKeyRingSecret(deps)).entries.map(({ secret: _secret, ...view }) => view);
}

/** Returns the next step: a published key has to sign; then due keys are retired; else one is published. */
export function chooseRotationStep(keys: readonly RingKeyView[], nowMs: number): RotationStep {
  if (keys.some(({ use }) => use === 'publish')) return 'sign';
  return keys.some((key) => isKeyRetirable(key, nowMs)) ? 'retire' : 'publish';
}

/**
 * Performs one step of the rotation and returns the ring's keys after it. The step `leaked` replaces all keys by a new
 * one: the stores refuse the old keys before the ring changes, so every session ends. After a crash between the two,
 * the old keys stay refused, and sign-ins fail until the step is repeated.
 * @throws RotationRefused when the step is too early, or the ring was changed concurrently
 */
export async function rotateTokenKeys(
  deps: RotateTokenKeysDeps,
  step: RotationStep | 'leaked',
): Promise<RingKeyView[]> {
  const { versionId, entries } = await readKeyRingSecret(deps);
  const keys = computeRotatedEntries(entries, step, deps);
  const secretName = keyRingSecretName(deps);
  const pendingVersionId = await deps.secrets.addPending(secretName, { keys });
  if (step === 'leaked') await deps.refuseKeys(entries.map(({ kid }) => kid as KeyId));
  const moveOutcome = await deps.secrets.moveCurrent(secretName, { from: versionId, to: pendingVersionId });
  // A move whose response was lost looks refused when it is retried.
  if (moveOutcome === 'refused' && (await deps.secrets.currentVersionId(secretName)) !== pendingVersionId)
    throw new RotationRefused('Somebody else changed the ring meanwhile. Look at it, then try again.');
  return keys.map(({ secret: _secret, ...view }) => view);
}

function computeRotatedEntries(
  entries: readonly RingEntry[],
  step: RotationStep | 'leaked',
  deps: RotateTokenKeysDeps,
): readonly RingEntry[] {
  const nowMs = deps.now();
  switch (step) {
    case 'leaked':
      return [createRingEntry(deps, 'sign')];
    case 'publish': {
      const publishedEntry = entries.find(({ use }) => use === 'publish');
      if (publishedEntry)
        throw new RotationRefused(`Key ${publishedEntry.kid} is published already: the next step is sign.`);
      return [...entries, createRingEntry(deps, 'publish')];
    }
    case 'sign':
      return startSigningWithPublishedKey(entries, nowMs);
    case 'retire':
      return removeRetirableKeys(entries, nowMs);
  }
}

function startSigningWithPublishedKey(entries: readonly RingEntry[], nowMs: number): readonly RingEntry[] {
  const publishedEntry = entries.find(({ use }) => use === 'publish');
  if (publishedEntry === undefined)
    throw new RotationRefused('No key is published: the first step is publish.');
  const earliestSigningAtMs = Date.parse(publishedEntry.since) + MIN_WAIT_BEFORE_SIGNING_MS;
  if (nowMs < earliestSigningAtMs) {
    const earliestSigningText = new Date(earliestSigningAtMs).toISOString();
    throw new RotationRefused(
      `Not every container knows key ${publishedEntry.kid} yet. It may sign from ${earliestSigningText} on.`,
    );
  }
  const sinceText = new Date(nowMs).toISOString();
  return entries.map((entry) => {
    if (entry === publishedEntry) return { ...entry, use: 'sign', since: sinceText };
    return entry.use === 'sign' ? { ...entry, use: 'verify', since: sinceText } : entry;
  });
}

function removeRetirableKeys(entries: readonly RingEntry[], nowMs: number): readonly RingEntry[] {
  const remainingEntries = entries.filter((entry) => !isKeyRetirable(entry, nowMs));
  if (remainingEntries.length < entries.length) return remainingEntries;
  const retirableFromTimesMs = entries
    .filter(({ use }) => use === 'verify')
    .map(({ since }) => Date.parse(since) + RETIRE_KEY_AFTER_MS);
  throw new RotationRefused(
    retirableFromTimesMs.length === 0
      ? 'No key has stopped signing: there is nothing to retire.'
      : `What the oldest key signed may still be in use. It may be retired from ${new Date(Math.min(...retirableFromTimesMs)).toISOString()} on.`,
  );
}

function isKeyRetirable({ use, since }: RingKeyView, nowMs: number): boolean {
  return use === 'verify' && nowMs >= Date.parse(since) + RETIRE_KEY_AFTER_MS;
}

function createRingEntry({ random, now }: RotateTokenKeysDeps, use: RingEntry['use']): RingEntry {
  return {
    kid: Buffer.from(random(KEY_ID_BYTES)).toString('base64url'),
    secret: Buffer.from(random(KEY_BYTES)).toString('base64url'),
    use,
    since: new Date(now()).toISOString(),
  };
}

async function readKeyRingSecret(deps: KeyRingDeps) {
  const secret = await deps.secrets.read(keyRingSecretName(deps));
  if (secret === undefined) throw new RotationRefused('There is no ring of token keys. Deploying makes it.');
  return { versionId: secret.versionId, entries: parseRingEntries(secret.json) };
}

function keyRingSecretName({ secretsPrefix }: KeyRingDeps): string {
  return `${secretsPrefix}/token-keys`;
}
