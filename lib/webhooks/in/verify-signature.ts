/**
 * The app's client secret signs the webhooks of a store. The store names the version that counts, so a container asks
 * Secrets Manager once for each version, however many signatures are wrong; a new secret counts from the next webhook on.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createRecentlyUsed } from '../../domain/recently-used.ts';
import { parseClientSecrets } from '../../storage/client-secrets.ts';
import type { SecretUses } from '../../storage/inbox/secret-uses.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { VersionReader } from '../../storage/versioned-secret.ts';

type SignedBody = { readonly rawBody: Uint8Array; readonly signature: Uint8Array };
/** Whether one of the store's secrets signed the body. TEMPORARILY_UNAVAILABLE. */
export type VerifySignature = (store: SignedStore | undefined, signed: SignedBody) => Promise<boolean>;
type SignedStore = Pick<StoreRecord, 'shopId' | 'webhooksVersionId'>;

type Deps = {
  readonly readVersion: VersionReader;
  readonly secretUses: SecretUses;
  readonly now: () => number;
};

/** After the new one was first seen to sign; the platform changes over within an hour. */
const PREVIOUS_GOOD_MS = 2 * 3_600_000;
const MAX_KNOWN_USES = 2_000;

/** The verifier of a container. A store that is not there, or has no secret, takes the time of one that has. */
export function createVerifySignature({ readVersion, secretUses, now }: Deps): VerifySignature {
  const nobodys = randomBytes(32).toString('hex');
  /** Version → when it was first seen to sign. */
  const firstUses = createRecentlyUsed<string, number>(MAX_KNOWN_USES);
  return async (store, signed) => {
    const versionId = store?.webhooksVersionId;
    if (store === undefined || versionId === undefined) {
      isSignedBy(nobodys, signed);
      return false;
    }
    const { shopId } = store;
    const secrets = parseClientSecrets(await readVersion(shopId, 'webhooks', versionId));
    const { clientSecret, previousClientSecret: previous } = secrets;
    const isByCurrent = isSignedBy(clientSecret, signed);
    const isByPrevious = previous !== undefined && isSignedBy(previous, signed);
    if (isByCurrent && previous !== undefined && firstUses.get(versionId) === undefined)
      firstUses.set(versionId, await secretUses.note(shopId, { versionId, atMs: now() }));
    if (isByCurrent || !isByPrevious) return isByCurrent;
    const firstMs = firstUses.get(versionId) ?? (await secretUses.find(shopId, versionId));
    if (firstMs !== undefined) firstUses.set(versionId, firstMs);
    return firstMs === undefined || now() < firstMs + PREVIOUS_GOOD_MS;
  };
}

/** In constant time. A signature of another length is compared, too, with what is left of it. */
function isSignedBy(secret: string, { rawBody, signature }: SignedBody): boolean {
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  const presented = Buffer.alloc(expected.length);
  presented.set(signature.subarray(0, expected.length));
  return timingSafeEqual(expected, presented) && signature.length === expected.length;
}
