/**
 * Repairs a store after a restore of the table: migrates its items, and makes the versions of secrets in its items
 * agree with AWSCURRENT.
 */

import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { readStoreRecord, type StoreRecord } from '../../storage/stores.ts';
import {
  secretVersionItemKey,
  storeSecretName,
  VERSION_ID_ATTRIBUTE_BY_SECRET,
  type VersionedSecret,
  type VersionedSecretDeps,
} from '../../storage/versioned-secret.ts';
import { isStoreUnmigrated, migrateStoreItems } from './migrate-store-items.ts';

/**
 * `item`: the store's item was set to the version AWSCURRENT. `label`: the label AWSCURRENT was moved to the version in
 * the store's item.
 */
type ResyncedSecret = { readonly secret: VersionedSecret; readonly moved: 'nothing' | 'item' | 'label' };

export type ResyncedStore = {
  /** Whether attributes were migrated from the STORE item to other items. */
  readonly wasUnmigrated: boolean;
  readonly secrets: readonly ResyncedSecret[];
};

/**
 * Migrates the store's items. Then, for each secret, compares the version in the store's item with AWSCURRENT. If the
 * item's version is newer, a change was interrupted before it moved the label, so the label is moved. Else the table is
 * older, as after a restore, so the item is updated. Safe while requests are served.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 */
export async function resyncStore(deps: VersionedSecretDeps, shopId: ShopId): Promise<ResyncedStore> {
  const wasUnmigrated = await migrateStoreItems(deps, shopId);
  const secrets: ResyncedSecret[] = [];
  for (const secret of Object.keys(VERSION_ID_ATTRIBUTE_BY_SECRET) as VersionedSecret[]) {
    secrets.push({ secret, moved: await resyncSecret(deps, shopId, secret) });
  }
  return { wasUnmigrated, secrets };
}

/**
 * Returns what `resyncStore` would do. Writes nothing.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 */
export async function previewResync(deps: VersionedSecretDeps, shopId: ShopId): Promise<ResyncedStore> {
  const wasUnmigrated = await isStoreUnmigrated(deps, shopId);
  const secrets: ResyncedSecret[] = [];
  for (const secret of Object.keys(VERSION_ID_ATTRIBUTE_BY_SECRET) as VersionedSecret[]) {
    const { moves } = await compareSecretVersions(deps, shopId, secret);
    secrets.push({ secret, moved: moves });
  }
  return { wasUnmigrated, secrets };
}

const MAX_RESYNC_ATTEMPTS = 8;

/**
 * Makes the version that the store's item names and the version with the label AWSCURRENT the same, for one secret.
 * @throws TEMPORARILY_UNAVAILABLE when concurrent changes are first eight times in a row
 */
async function resyncSecret(
  deps: VersionedSecretDeps,
  shopId: ShopId,
  secret: VersionedSecret,
): Promise<ResyncedSecret['moved']> {
  for (let attemptsMade = 0; attemptsMade < MAX_RESYNC_ATTEMPTS; attemptsMade++) {
    const resyncResult = await tryResyncSecret(deps, shopId, secret);
    if (resyncResult !== 'changing') return resyncResult;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: `${secret} keeps changing: try again` });
}

/** Compares the version in the store's item with AWSCURRENT, and decides which of the two must change. */
async function compareSecretVersions(deps: VersionedSecretDeps, shopId: ShopId, secret: VersionedSecret) {
  const store = await requireStoreRecord(deps, shopId);
  const secretName = storeSecretName(deps.secretsPrefix, shopId, secret);
  const { AWSCURRENT: currentVersionId, AWSPENDING: pendingVersionId } =
    await deps.secrets.versionIdByLabel(secretName);
  const namedVersionId = store[VERSION_ID_ATTRIBUTE_BY_SECRET[secret]];
  if (namedVersionId === currentVersionId)
    return {
      store,
      name: secretName,
      namedVersionId,
      currentVersionId,
      moves: 'nothing' as const,
    };
  // The item's version is decided if it still has the label AWSPENDING. A later change takes that label even if it
  // fails; then the times at which the versions were created decide.
  const isItemVersionDecisive =
    namedVersionId !== undefined &&
    (namedVersionId === pendingVersionId ||
      (await isItemVersionLater(deps, { name: secretName, namedVersionId, currentVersionId })));
  return {
    store,
    name: secretName,
    namedVersionId,
    currentVersionId,
    moves: isItemVersionDecisive ? ('label' as const) : ('item' as const),
  };
}

type SecretVersions = {
  readonly name: string;
  readonly namedVersionId: string;
  readonly currentVersionId: string | undefined;
};

/**
 * Whether the secret version that the store's item names was created after the version labelled AWSCURRENT. Each version
 * is based on the one before, so the item then names the newer content.
 */
async function isItemVersionLater(
  { secrets }: VersionedSecretDeps,
  { name, namedVersionId, currentVersionId }: SecretVersions,
): Promise<boolean> {
  const [itemVersion, labelledVersion] = await awaitAll([
    secrets.read(name, namedVersionId),
    secrets.read(name, currentVersionId),
  ]);
  return (itemVersion?.createdAtMs ?? 0) > (labelledVersion?.createdAtMs ?? 0);
}

async function tryResyncSecret(deps: VersionedSecretDeps, shopId: ShopId, secret: VersionedSecret) {
  const { store, name, namedVersionId, currentVersionId, moves } = await compareSecretVersions(
    deps,
    shopId,
    secret,
  );
  if (moves === 'nothing') return moves;
  if (moves === 'label' && namedVersionId !== undefined) {
    const moveResult = await deps.secrets.moveCurrent(name, { from: currentVersionId, to: namedVersionId });
    return moveResult === 'done' ? 'label' : 'changing';
  }
  const writeResult = await deps.table.update({
    key: secretVersionItemKey(store, secret),
    update: currentVersionId === undefined ? 'REMOVE #version' : 'SET #version = :current',
    condition:
      namedVersionId === undefined
        ? 'attribute_exists(pk) AND attribute_not_exists(#version)'
        : '#version = :named',
    names: { '#version': VERSION_ID_ATTRIBUTE_BY_SECRET[secret] },
    ...((currentVersionId ?? namedVersionId) !== undefined && {
      values: {
        ...(currentVersionId && { ':current': currentVersionId }),
        ...(namedVersionId && { ':named': namedVersionId }),
      },
    }),
  });
  return writeResult.outcome === 'done' ? 'item' : 'changing';
}

async function requireStoreRecord({ table }: VersionedSecretDeps, shopId: ShopId): Promise<StoreRecord> {
  const store = await readStoreRecord(table, shopId);
  if (store === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}
