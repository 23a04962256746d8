/**
 * Verifies the signatures of incoming webhooks, which the app's client secret makes. The store's item names the
 * current version, so that a container reads Secrets Manager once per version, however many signatures are wrong. A
 * new secret is used from the next webhook on.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createLruCache } from '../../domain/lru-cache.ts';
import { parseClientSecrets } from '../../storage/client-secrets.ts';
import type { SecretUses } from '../../storage/inbox/secret-uses.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { VersionReader } from '../../storage/versioned-secret.ts';

type SignedWebhookBody = { readonly rawBody: Uint8Array; readonly signature: Uint8Array };
/**
 * Whether one of the store's secrets signed the body.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export type VerifySignature = (
  store: StoreWithClientSecret | undefined,
  signed: SignedWebhookBody,
) => Promise<boolean>;
type StoreWithClientSecret = Pick<StoreRecord, 'shopId' | 'webhooksVersionId'>;

type Deps = {
  readonly readVersion: VersionReader;
  readonly secretUses: SecretUses;
  readonly now: () => number;
};

/**
 * How long the previous secret is valid after the first signature with the new one; the platform changes over within
 * an hour.
 */
const PREVIOUS_SECRET_VALID_MS = 2 * 3_600_000;
const MAX_CACHED_SECRET_USES = 2_000;

/**
 * Creates the verifier of a container. A store that does not exist, or has no secret, takes the same time as one that
 * has a secret.
 */
export function createVerifySignature({ readVersion, secretUses, now }: Deps): VerifySignature {
  const unknownSecret = randomBytes(32).toString('hex');
  /** By version: when its first signature was received. */
  const firstUses = createLruCache<string, number>(MAX_CACHED_SECRET_USES);
  return async (store, signed) => {
    const versionId = store?.webhooksVersionId;
    if (store === undefined || versionId === undefined) {
      isSignedWithSecret(unknownSecret, signed);
      return false;
    }
    const { shopId } = store;
    const clientSecrets = parseClientSecrets(await readVersion(shopId, 'webhooks', versionId));
    const { clientSecret, previousClientSecret: previousSecret } = clientSecrets;
    const matchesCurrentSecret = isSignedWithSecret(clientSecret, signed);
    const matchesPreviousSecret = previousSecret !== undefined && isSignedWithSecret(previousSecret, signed);
    if (matchesCurrentSecret && previousSecret !== undefined && firstUses.get(versionId) === undefined)
      firstUses.set(versionId, await secretUses.record(shopId, { versionId, usedAtMs: now() }));
    if (matchesCurrentSecret || !matchesPreviousSecret) return matchesCurrentSecret;
    const firstMs = firstUses.get(versionId) ?? (await secretUses.find(shopId, versionId));
    if (firstMs !== undefined) firstUses.set(versionId, firstMs);
    return firstMs === undefined || now() < firstMs + PREVIOUS_SECRET_VALID_MS;
  };
}

/** Compares in constant time. A signature of another length is padded or cut and compared, too. */
function isSignedWithSecret(secret: string, { rawBody, signature }: SignedWebhookBody): boolean {
  const expectedSignature = createHmac('sha256', secret).update(rawBody).digest();
  const presentedSignature = Buffer.alloc(expectedSignature.length);
  presentedSignature.set(signature.subarray(0, expectedSignature.length));
  return (
    timingSafeEqual(expectedSignature, presentedSignature) && signature.length === expectedSignature.length
  );
}
