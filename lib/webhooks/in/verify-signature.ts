/**
 * Verifies the signatures of the platform's webhooks, which are made with the app's client secret. The store's item names the
 * secret's current version, so that a container reads Secrets Manager once per version, however many signatures are wrong,
 * and uses a new secret from the next webhook on.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createLruCache } from '../../domain/lru-cache.ts';
import { parseClientSecrets } from '../../storage/client-secrets.ts';
import type { SecretUses } from '../../storage/inbox/secret-uses.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { VersionReader } from '../../storage/versioned-secret.ts';

type SignedWebhookBody = { readonly rawBody: Uint8Array; readonly signature: Uint8Array };
/**
 * Returns whether the body was signed with a valid secret of the store.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export type VerifySignature = (
  store: StoreWithClientSecret | undefined,
  signedBody: SignedWebhookBody,
) => Promise<boolean>;
type StoreWithClientSecret = Pick<StoreRecord, 'shopId' | 'webhooksVersionId'>;

type Deps = {
  readonly readVersion: VersionReader;
  readonly secretUses: SecretUses;
  readonly now: () => number;
};

/**
 * How long the previous secret is valid after the first signature with the new secret. The platform uses the new secret for
 * all webhooks within an hour.
 */
const PREVIOUS_SECRET_VALID_MS = 2 * 3_600_000;
const MAX_CACHED_SECRET_USES = 2_000;

/**
 * Creates the verifier of a container. A store that does not exist, or has no secret, takes the same time as one that
 * has a secret.
 */
export function createVerifySignature({ readVersion, secretUses, now }: Deps): VerifySignature {
  const unknownSecret = randomBytes(32).toString('hex');
  /** When the first signature with a secret was received, by the secret's version; epoch milliseconds. */
  const firstUseByVersion = createLruCache<string, number>(MAX_CACHED_SECRET_USES);
  return async (store, signedBody) => {
    const versionId = store?.webhooksVersionId;
    if (store === undefined || versionId === undefined) {
      isSignedWithSecret(unknownSecret, signedBody);
      return false;
    }
    const { shopId } = store;
    const clientSecrets = parseClientSecrets(await readVersion(shopId, 'webhooks', versionId));
    const { clientSecret, previousClientSecret: previousSecret } = clientSecrets;
    const matchesCurrentSecret = isSignedWithSecret(clientSecret, signedBody);
    const matchesPreviousSecret =
      previousSecret !== undefined && isSignedWithSecret(previousSecret, signedBody);
    if (
      matchesCurrentSecret &&
      previousSecret !== undefined &&
      firstUseByVersion.get(versionId) === undefined
    )
      firstUseByVersion.set(versionId, await secretUses.record(shopId, { versionId, usedAtMs: now() }));
    if (matchesCurrentSecret || !matchesPreviousSecret) return matchesCurrentSecret;
    const firstUseAtMs = firstUseByVersion.get(versionId) ?? (await secretUses.find(shopId, versionId));
    if (firstUseAtMs !== undefined) firstUseByVersion.set(versionId, firstUseAtMs);
    return firstUseAtMs === undefined || now() < firstUseAtMs + PREVIOUS_SECRET_VALID_MS;
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
