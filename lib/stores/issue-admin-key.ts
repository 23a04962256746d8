/** Issues an admin key: its hash into the store's secret, the key itself, sealed, behind a one-time link. */
import { createAdminKey, hashAdminKey } from '../domain/admin-key.ts';
import { createLinkSecret, hashProof, proofOf, sealKey } from '../domain/one-time-link-secret.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { OneTimeLinks } from '../storage/one-time-links.ts';
import type { StoreRecord } from '../storage/stores.ts';
import { changeVersionedSecret, type VersionedSecretDeps } from '../storage/versioned-secret.ts';
import { type AdminKeyRecord, type AdminKeysSecret, parseAdminKeys, whyNotLive } from './admin-key-record.ts';

export type IssueKeyDeps = VersionedSecretDeps & {
  readonly links: OneTimeLinks;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
};
export type IssueKeyRequest = {
  readonly shopId: ShopId;
  readonly label: string;
  readonly intendedUse: string;
  readonly createdBy: string;
};
/** `fragment` is the link's secret: it goes behind `#`, and to nobody but the person who opens the link. */
export type IssuedKey = { readonly keyId: string; readonly linkId: string; readonly fragment: string };

const MAX_LIVE_KEYS = 5;
const LINK_LIFE_MS = 72 * 3600 * 1000;
const LINK_ID_BYTES = 16;

/**
 * A new admin key of a store and the one-time link to it; the key works once the link is opened.
 * SHOP_NOT_INSTALLED if the store is not installed; an Error that says what to do if it has five live keys.
 */
export async function issueAdminKey(deps: IssueKeyDeps, request: IssueKeyRequest): Promise<IssuedKey> {
  const key = createAdminKey(request.shopId, deps.random);
  const nowMs = deps.now();
  await changeVersionedSecret<AdminKeysSecret>(deps, {
    shopId: request.shopId,
    secret: 'admin-keys',
    change: (current, store) => {
      const keys = current === undefined ? [] : parseAdminKeys(current).keys;
      refuseSixth(keys, store, nowMs);
      const { label, intendedUse, createdBy } = request;
      const hash = hashAdminKey(key.text);
      return {
        keys: [
          ...keys,
          { id: key.keyId, hash, label, intendedUse, state: 'active', createdAt: nowMs, createdBy },
        ],
      };
    },
  });
  const secret = createLinkSecret(deps.random);
  const linkId = Buffer.from(deps.random(LINK_ID_BYTES)).toString('base64url');
  await deps.links.put({
    linkId,
    shopId: request.shopId,
    keyId: key.keyId,
    sealedKey: sealKey(key.text, secret, deps.random),
    proofHash: hashProof(proofOf(secret)),
    createdAtMs: nowMs,
    voidAtMs: nowMs + LINK_LIFE_MS,
    claimId: undefined,
    claimedAtMs: undefined,
    wrongDomains: 0,
    wrongDomainsSinceMs: nowMs,
  });
  return { keyId: key.keyId, linkId, fragment: secret };
}

/** Unclaimed keys count while their link lives. */
function refuseSixth(keys: readonly AdminKeyRecord[], store: StoreRecord, nowMs: number): void {
  if (store.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  const counted = keys.filter((record) =>
    store.keyClaims[record.id] === undefined
      ? record.state === 'active' && nowMs < record.createdAt + LINK_LIFE_MS
      : whyNotLive(record, store, nowMs) === undefined,
  );
  if (counted.length < MAX_LIVE_KEYS) return;
  throw new Error(`The store has ${MAX_LIVE_KEYS} live keys. Revoke one of them first.`);
}
