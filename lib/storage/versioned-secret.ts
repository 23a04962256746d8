/**
 * A secret whose valid version is named in the table: STORE names those of `admin-keys` and `webhooks`, GRANT that of
 * `platform`. A change adds a version to Secrets Manager, and one conditional write to the table makes it valid. The
 * label AWSCURRENT is moved afterwards, for people and for a restore.
 */

import { createLruCache } from '../domain/lru-cache.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Secrets } from './secrets.ts';
import {
  readStoreRecord,
  type StoreItemPart,
  type StoreRecord,
  storedPartItemKey,
  storeItemKey,
} from './stores.ts';
import type { ItemKey, Table } from './table.ts';

export type VersionedSecret = 'platform' | 'admin-keys' | 'webhooks';
type VersionAttribute = 'platformVersionId' | 'adminKeysVersionId' | 'webhooksVersionId';

/** The attribute that names the valid version of each secret. */
export const VERSION_ID_ATTRIBUTE_BY_SECRET: Record<VersionedSecret, VersionAttribute> = {
  platform: 'platformVersionId',
  'admin-keys': 'adminKeysVersionId',
  webhooks: 'webhooksVersionId',
};
/** The parts of the store record, each in its own item, that a change of the secret reads. */
const STORE_PARTS_BY_SECRET: Record<VersionedSecret, readonly StoreItemPart[]> = {
  platform: ['grant'],
  'admin-keys': ['keys'],
  webhooks: [],
};
const MAX_CHANGE_ATTEMPTS = 8;

/** Returns the key of the item that names the valid version of the secret. */
export function secretVersionItemKey(store: StoreRecord, secret: VersionedSecret): ItemKey {
  return secret === 'platform' ? storedPartItemKey(store, 'grant') : storeItemKey(store.shopId);
}

export type VersionedSecretDeps = {
  readonly table: Table;
  readonly secrets: Secrets;
  readonly secretsPrefix: string;
};

/** Returns the name of a store's secret in Secrets Manager. */
export function storeSecretName(prefix: string, shopId: ShopId, secret: VersionedSecret): string {
  return `${prefix}/stores/${shopId}/${secret}`;
}

export type SecretChange<T> = {
  readonly shopId: ShopId;
  readonly secret: VersionedSecret;
  /** Returns the new content of the secret, or undefined to change nothing. */
  readonly change: (currentContent: T | undefined, store: StoreRecord) => T | undefined;
};

/**
 * Changes a secret and returns the store after the change. If a concurrent change is first, starts again with the
 * version of that change.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 * @throws TEMPORARILY_UNAVAILABLE when concurrent changes are first eight times in a row
 */
export async function changeVersionedSecret<T>(
  deps: VersionedSecretDeps,
  secretChange: SecretChange<T>,
): Promise<StoreRecord> {
  const { table, secrets, secretsPrefix } = deps;
  const secretName = storeSecretName(secretsPrefix, secretChange.shopId, secretChange.secret);
  const versionAttribute = VERSION_ID_ATTRIBUTE_BY_SECRET[secretChange.secret];
  for (let attemptsMade = 0; attemptsMade < MAX_CHANGE_ATTEMPTS; attemptsMade++) {
    const store = await requireStoreRecord(table, secretChange);
    const versionIdBefore = store[versionAttribute];
    const currentSecret =
      versionIdBefore === undefined
        ? undefined
        : await readSecretVersionOrThrow(secrets, secretName, versionIdBefore);
    const newContent = secretChange.change(currentSecret as T | undefined, store);
    if (newContent === undefined) {
      // The last change may have crashed before it moved AWSCURRENT, so move the label now.
      if (versionIdBefore !== undefined)
        await moveCurrentLabel(deps, { ...secretChange, name: secretName, versionId: versionIdBefore });
      return store;
    }
    const versionId = await secrets.addPending(secretName, newContent);
    const changedStore = await writeValidVersionId(table, {
      store,
      secret: secretChange.secret,
      versionIdBefore,
      versionId,
    });
    if (changedStore === undefined) continue;
    await moveCurrentLabel(deps, { ...secretChange, name: secretName, versionId });
    return changedStore;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `the secret ${secretChange.secret} keeps changing`,
  });
}

/**
 * Reads the valid version. Throws when it does not exist, because a change without it would lose the rest of its
 * content.
 */
async function readSecretVersionOrThrow(secrets: Secrets, name: string, versionId: string): Promise<unknown> {
  const secretVersion = await secrets.read(name, versionId);
  if (secretVersion !== undefined) return secretVersion.json;
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `the store item names a version of ${name} that is not there: run store resync`,
  });
}

type VersionIdToWrite = {
  store: StoreRecord;
  secret: VersionedSecret;
  versionIdBefore: string | undefined;
  versionId: string;
};

/**
 * Makes the version valid, and returns the store after the write.
 * @returns undefined when a concurrent change was first
 */
async function writeValidVersionId(
  table: Table,
  { store, secret, versionIdBefore, versionId }: VersionIdToWrite,
) {
  const versionAttribute = VERSION_ID_ATTRIBUTE_BY_SECRET[secret];
  const writeResult = await table
    .update({
      key: secretVersionItemKey(store, secret),
      update: 'SET #version = :after',
      condition:
        versionIdBefore === undefined
          ? 'attribute_exists(pk) AND attribute_not_exists(#version)'
          : '#version = :before',
      names: { '#version': versionAttribute },
      values: { ':after': versionId, ...(versionIdBefore !== undefined && { ':before': versionIdBefore }) },
    })
    .catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'TEMPORARILY_UNAVAILABLE') return undefined;
      throw error;
    });
  if (writeResult?.outcome === 'done') return { ...store, [versionAttribute]: versionId };
  // If the response of the write was lost, reading the item again shows whether it was written.
  const storeNow = await requireStoreRecord(table, { shopId: store.shopId, secret });
  return storeNow[versionAttribute] === versionId ? storeNow : undefined;
}

type CurrentVersionToRecord = { name: string; shopId: ShopId; secret: VersionedSecret; versionId: string };

/** Moves AWSCURRENT to `versionId`, while the store still names that version. */
async function moveCurrentLabel(
  { table, secrets }: VersionedSecretDeps,
  { name, shopId, secret, versionId }: CurrentVersionToRecord,
): Promise<void> {
  const versionAttribute = VERSION_ID_ATTRIBUTE_BY_SECRET[secret];
  for (let attemptsMade = 0; attemptsMade < MAX_CHANGE_ATTEMPTS; attemptsMade++) {
    const currentId = await secrets.currentVersionId(name);
    const store = await requireStoreRecord(table, { shopId, secret });
    if (store[versionAttribute] !== versionId || currentId === versionId) return;
    if ((await secrets.moveCurrent(name, { from: currentId, to: versionId })) === 'done') return;
  }
}

async function requireStoreRecord(
  table: Table,
  { shopId, secret }: { readonly shopId: ShopId; readonly secret: VersionedSecret },
): Promise<StoreRecord> {
  const store = await readStoreRecord(table, shopId, STORE_PARTS_BY_SECRET[secret]);
  if (store === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}

/** Reads the content of a version of a store's secret. Caches it, because versions never change. */
export type VersionReader = (shopId: ShopId, secret: VersionedSecret, versionId: string) => Promise<unknown>;

const MAX_CACHED_VERSIONS = 2_000;

/**
 * Creates the reader with its cache.
 * @throws TEMPORARILY_UNAVAILABLE when the version does not exist, which is an operator's mistake
 */
export function createVersionReader({
  secrets,
  secretsPrefix,
}: Omit<VersionedSecretDeps, 'table'>): VersionReader {
  const secretPromiseByVersion = createLruCache<string, Promise<unknown>>(MAX_CACHED_VERSIONS);
  const readVersion: VersionReader = async (shopId, secret, versionId) => {
    const secretVersion = await secrets.read(storeSecretName(secretsPrefix, shopId, secret), versionId);
    if (secretVersion !== undefined) return secretVersion.json;
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: `a version of ${secret} is missing` });
  };
  return (shopId, secret, versionId) => {
    const key = `${shopId}/${secret}/${versionId}`;
    const cachedVersionPromise = secretPromiseByVersion.get(key);
    if (cachedVersionPromise !== undefined) return cachedVersionPromise;
    const secretPromise = readVersion(shopId, secret, versionId);
    secretPromiseByVersion.set(key, secretPromise);
    // Concurrent requests share a failure; the next request reads again.
    secretPromise.catch(() => secretPromiseByVersion.delete(key));
    return secretPromise;
  };
}
