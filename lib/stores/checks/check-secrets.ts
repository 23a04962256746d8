/**
 * Checks Secrets Manager: the versions of the store's three secrets, and the key ring that signs the service's own access
 * tokens, which all stores share.
 */
import { parseKeyRing } from '../../credentials/key-ring.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import {
  storeSecretName,
  VERSION_ID_ATTRIBUTE_BY_SECRET,
  type VersionedSecret,
} from '../../storage/versioned-secret.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import type { StoreFinding } from './store-finding.ts';

/**
 * Returns one finding about the token keys, and one per secret: whether the version that the store's item names exists
 * and is labelled AWSCURRENT.
 */
export async function checkSecrets(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  return [
    await checkTokenKeyRing(deps),
    await checkSecretVersion(deps, store, 'platform'),
    await checkSecretVersion(deps, store, 'admin-keys'),
    await checkSecretVersion(deps, store, 'webhooks'),
  ];
}

async function checkTokenKeyRing({ secrets, secretsPrefix }: CheckStoreDeps): Promise<StoreFinding> {
  const name = 'Token keys';
  try {
    const secret = await secrets.read(`${secretsPrefix}/token-keys`);
    if (secret === undefined)
      return { name, state: 'missing', found: 'no ring', fix: 'Deploy the stack, which creates the ring.' };
    return { name, state: 'ok', found: `signing with ${parseKeyRing(secret.json).signingKey.kid}` };
  } catch {
    // Do not show the error: a parser's error quotes its input, here the secret.
    return {
      name,
      state: 'missing',
      found: 'the ring cannot be used',
      fix: 'Restore its last good version.',
    };
  }
}

/** The finding when the store's item names no version of the secret. */
const MISSING_SECRET_FINDINGS: Readonly<Record<VersionedSecret, Omit<StoreFinding, 'name'>>> = {
  platform: { state: 'missing', found: 'none', fix: 'Run store update --credentials.' },
  'admin-keys': { state: 'optional', found: 'no key was ever issued', fix: 'Run key issue.' },
  webhooks: {
    state: 'optional',
    found: 'none, so webhooks are refused: changes at the store are found late, or not at all',
    fix: 'Run store update --client-secret FILE with the client secret of the app.',
  },
};

async function checkSecretVersion(
  { secrets, secretsPrefix }: CheckStoreDeps,
  store: StoreRecord,
  secret: VersionedSecret,
): Promise<StoreFinding> {
  const name = `Secret ${secret}`;
  const namedVersionId = store[VERSION_ID_ATTRIBUTE_BY_SECRET[secret]];
  const path = storeSecretName(secretsPrefix, store.shopId, secret);
  const fix = 'Run store resync.';
  try {
    if (namedVersionId === undefined) return { name, ...MISSING_SECRET_FINDINGS[secret] };
    if ((await secrets.read(path, namedVersionId)) === undefined)
      return { name, state: 'missing', found: 'the version that the store refers to does not exist', fix };
    const isCurrentVersion = (await secrets.currentVersionId(path)) === namedVersionId;
    return isCurrentVersion
      ? { name, state: 'ok', found: 'the store refers to the current version' }
      : { name, state: 'missing', found: 'AWSCURRENT is on another version than the store refers to', fix };
  } catch (error) {
    return { name, state: 'unknown', found: errorTextOfFinding(error), fix: 'Try again.' };
  }
}
