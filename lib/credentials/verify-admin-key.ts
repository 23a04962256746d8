/**
 * Authenticates a store by its bearer. The key's format is checked without I/O; then one consistent read of the store
 * item returns the current version of the secret, so that a revocation is effective from the next request.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createLruCache } from '../domain/lru-cache.ts';
import { isInNetworks, type Network } from '../domain/network.ts';
import { type AdminKey, hashAdminKey, looksLikeAdminKey, parseAdminKey } from '../domain/tokens/admin-key.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { CallerAddress } from '../http/edge/caller-address.ts';
import type { Logger } from '../observability/logger.ts';
import {
  type AdminKeyRecord,
  adminKeyNetworks,
  adminKeyScopes,
  findAdminKeyProblem,
  parseAdminKeys,
} from '../storage/admin-key-record.ts';
import type { StoreRecord, Stores } from '../storage/stores.ts';
import type { VersionReader } from '../storage/versioned-secret.ts';
import type { StoreActor } from './actor.ts';
import { readBearerToken } from './read-bearer-token.ts';
import type { RecordKeyUse } from './record-key-use.ts';
import { unauthenticatedError } from './unauthenticated-error.ts';

type AdminKeyDeps = {
  readonly stores: Stores;
  readonly readVersion: VersionReader;
  readonly logger: Pick<Logger, 'warn'>;
  readonly recordUse: RecordKeyUse;
  readonly now: () => number;
};
/** `caller`: the address of the request's sender; undefined when it is unknown. */
export type AdminKeyVerifier = (
  authorization: string | undefined,
  caller?: CallerAddress,
) => Promise<StoreActor>;

/** A live key, and the networks that may use it. */
type VerifiedAdminKey = { readonly actor: StoreActor; readonly networks: readonly Network[] | undefined };
type CachedVerification = VerifiedAdminKey & { readonly usableUntilMs: number };

const VERIFICATION_OUTAGE_GRACE_MS = 60_000;
const MAX_CACHED_KEYS = 1_000;
const MALFORMED_KEY_TEXT = 'The key is malformed. It begins with SVC_AT_ and is 63 characters long.';
/** The check digits can be computed by anyone, so this reveals nothing about existing keys. */
const WRONG_CHECKSUM_TEXT = 'The key has a wrong character: its check digits do not fit. Copy it again.';
const UNKNOWN_KEY_TEXT = 'The key is not known.';
const HASH_FOR_UNKNOWN_KEY = createHash('sha256').digest('base64url');

/**
 * Creates the verifier of a container (RFC 6750, section 3.1): from an `Authorization` header it derives the store
 * and the key's label.
 * @throws UNAUTHENTICATED with `details` about the key's problem, or about the network
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond, unless this container verified the key at most 60
 * s ago
 */
export function createAdminKeyVerifier(deps: AdminKeyDeps): AdminKeyVerifier {
  const cachedVerifications = createLruCache<string, CachedVerification>(MAX_CACHED_KEYS);
  const verifyNow = async (presentedKey: PresentedAdminKey): Promise<VerifiedAdminKey> => {
    try {
      const verifiedKey = await verifyPresentedKey(deps, presentedKey);
      cachedVerifications.set(presentedKey.hash, {
        ...verifiedKey,
        usableUntilMs: deps.now() + VERIFICATION_OUTAGE_GRACE_MS,
      });
      return verifiedKey;
    } catch (error) {
      cachedVerifications.delete(presentedKey.hash);
      throw error;
    }
  };
  return async (authorization, caller) => {
    const bearer = readBearerToken(authorization);
    const key = parseAdminKey(bearer);
    if (key === undefined)
      throw unauthenticatedError(looksLikeAdminKey(bearer) ? WRONG_CHECKSUM_TEXT : MALFORMED_KEY_TEXT);
    const presentedHash = hashAdminKey(key.text);
    const store = await findStoreOfKey(deps, key);
    const isStoreUnreadable = store instanceof ServiceError;
    const verifiedKey = isStoreUnreadable
      ? useCachedVerification(cachedVerifications.get(presentedHash), deps.now(), store)
      : await verifyNow({ key, hash: presentedHash, store });
    const actor = requireAllowedNetwork(deps, verifiedKey, caller);
    // While the table is unavailable, no use can be recorded.
    return isStoreUnreadable ? actor : { ...actor, usageWrite: deps.recordUse(actor.store, actor.keyId) };
  };
}

/**
 * Returns an outage of the table instead of throwing it, because a cached verification bridges it. If the store's
 * secret cannot be read, the error is thrown: its version may have revoked the key.
 */
async function findStoreOfKey({ stores }: AdminKeyDeps, { shopId }: AdminKey) {
  try {
    return await stores.find(shopId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'TEMPORARILY_UNAVAILABLE') return error;
    throw error;
  }
}

/**
 * Returns the key's actor, if the key may be used from that network. Use elsewhere is logged, because the key may be
 * stolen.
 */
function requireAllowedNetwork(
  { logger }: AdminKeyDeps,
  { actor, networks }: VerifiedAdminKey,
  caller?: CallerAddress,
): StoreActor {
  if (networks === undefined) return actor;
  if (caller !== undefined && isInNetworks(caller, networks)) return actor;
  const { shopId, keyId } = actor;
  logger.warn('key.network_refused', { alarm: 'key_outside_networks', shopId, keyId, caller });
  throw unauthenticatedError(`The key may not be used from ${caller ?? 'an unknown address'}.`);
}

function useCachedVerification(
  cachedVerification: CachedVerification | undefined,
  nowMs: number,
  outageError: ServiceError,
): VerifiedAdminKey {
  if (cachedVerification !== undefined && nowMs < cachedVerification.usableUntilMs) return cachedVerification;
  const { causedBy } = outageError;
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: 'no table, and the key is not remembered',
    causedBy,
    cause: outageError.cause,
  });
}

type PresentedAdminKey = { key: AdminKey; hash: string; store: StoreRecord | undefined };

async function verifyPresentedKey(
  deps: AdminKeyDeps,
  { key, hash, store }: PresentedAdminKey,
): Promise<VerifiedAdminKey> {
  const keyRecord = store && (await findAdminKeyRecord(deps, store, key));
  // An unknown id takes the same work as a known one.
  const isSameHash = timingSafeEqual(
    Buffer.from(hash, 'base64url'),
    Buffer.from(keyRecord?.hash ?? HASH_FOR_UNKNOWN_KEY, 'base64url'),
  );
  if (store === undefined || keyRecord === undefined || !isSameHash)
    throw unauthenticatedError(UNKNOWN_KEY_TEXT);
  if (store.status !== 'installed')
    throw unauthenticatedError('The service is not installed on the store of this key.');
  const keyProblem = findAdminKeyProblem(keyRecord, store, deps.now());
  if (keyProblem !== undefined) throw unauthenticatedError(keyProblem);
  const { shopId } = store;
  const { keyId } = key;
  const scopes = adminKeyScopes(keyRecord);
  const actor: StoreActor = { kind: 'store', shopId, keyId, keyLabel: keyRecord.label, scopes, store };
  return { actor, networks: adminKeyNetworks(keyRecord) };
}

async function findAdminKeyRecord(
  { readVersion }: AdminKeyDeps,
  store: StoreRecord,
  key: AdminKey,
): Promise<AdminKeyRecord | undefined> {
  if (store.adminKeysVersionId === undefined) return undefined;
  const secret = parseAdminKeys(await readVersion(store.shopId, 'admin-keys', store.adminKeysVersionId));
  return secret.keys.find(({ id }) => id === key.keyId);
}
