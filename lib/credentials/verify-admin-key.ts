/**
 * Bearer → store. The key's form is checked without I/O; then one consistent read of the store item, which
 * names the secret's version that counts, so a revocation holds from the next request.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { DEFAULT_SCOPES } from '../domain/key-scope.ts';
import { createRecentlyUsed } from '../domain/recently-used.ts';
import { type AdminKey, hashAdminKey, parseAdminKey } from '../domain/tokens/admin-key.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type AdminKeyRecord, parseAdminKeys, whyNotLive } from '../storage/admin-key-record.ts';
import type { StoreRecord, Stores } from '../storage/stores.ts';
import type { VersionReader } from '../storage/versioned-secret.ts';
import type { StoreActor } from './actor.ts';
import { readBearer } from './read-bearer.ts';
import { unauthenticated } from './unauthenticated.ts';

type AdminKeyDeps = {
  readonly stores: Stores;
  readonly readVersion: VersionReader;
  readonly now: () => number;
};
export type AdminKeyVerifier = (authorization: string | undefined) => Promise<StoreActor>;

type Remembered = { readonly actor: StoreActor; readonly untilMs: number };

const OUTAGE_GRACE_MS = 60_000;
const MAX_REMEMBERED = 1_000;
const MALFORMED = 'The key is malformed. It begins with SVC_AT_ and is 63 characters long.';
const UNKNOWN = 'The key is not known.';
const NO_HASH = createHash('sha256').digest('base64url');

/**
 * Makes the verifier of a container: `Authorization` header in, the store and the key's name out.
 * UNAUTHENTICATED with `details` on what is wrong with the key. If the table does not answer, a key that this
 * container verified at most 60 s ago passes; else TEMPORARILY_UNAVAILABLE. (RFC 6750, section 3.1)
 */
export function createAdminKeyVerifier(deps: AdminKeyDeps): AdminKeyVerifier {
  const remembered = createRecentlyUsed<string, Remembered>(MAX_REMEMBERED);
  return async (authorization) => {
    const key = parseAdminKey(readBearer(authorization));
    if (key === undefined) throw unauthenticated(MALFORMED);
    const hash = hashAdminKey(key.text);
    const store = await findStore(deps, key);
    if (store instanceof ServiceError) return recall(remembered.get(hash), deps.now(), store);
    try {
      const actor = await verify(deps, { key, hash, store });
      remembered.set(hash, { actor, untilMs: deps.now() + OUTAGE_GRACE_MS });
      return actor;
    } catch (error) {
      remembered.delete(hash);
      throw error;
    }
  };
}

/** Only the table's own outage is bridged: an item that names a version which cannot be read may have revoked it. */
async function findStore({ stores }: AdminKeyDeps, { shopId }: AdminKey) {
  try {
    return await stores.find(shopId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'TEMPORARILY_UNAVAILABLE') return error;
    throw error;
  }
}

function recall(known: Remembered | undefined, nowMs: number, outage: ServiceError): StoreActor {
  if (known !== undefined && nowMs < known.untilMs) return known.actor;
  const { causedBy } = outage;
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: 'no table, and the key is not remembered',
    causedBy,
    cause: outage.cause,
  });
}

type Presented = { key: AdminKey; hash: string; store: StoreRecord | undefined };

async function verify(deps: AdminKeyDeps, { key, hash, store }: Presented): Promise<StoreActor> {
  const record = store && (await findRecord(deps, store, key));
  // An unknown id does the same work as a known one.
  const matches = timingSafeEqual(
    Buffer.from(hash, 'base64url'),
    Buffer.from(record?.hash ?? NO_HASH, 'base64url'),
  );
  if (store === undefined || record === undefined || !matches) throw unauthenticated(UNKNOWN);
  if (store.status !== 'installed')
    throw unauthenticated('The service is not installed on the store of this key.');
  const problem = whyNotLive(record, store, deps.now());
  if (problem !== undefined) throw unauthenticated(problem);
  return {
    kind: 'store',
    shopId: store.shopId,
    keyId: key.keyId,
    keyLabel: record.label,
    scopes: DEFAULT_SCOPES,
    store,
  };
}

async function findRecord(
  { readVersion }: AdminKeyDeps,
  store: StoreRecord,
  key: AdminKey,
): Promise<AdminKeyRecord | undefined> {
  if (store.adminKeysVersionId === undefined) return undefined;
  const secret = parseAdminKeys(await readVersion(store.shopId, 'admin-keys', store.adminKeysVersionId));
  return secret.keys.find(({ id }) => id === key.keyId);
}
