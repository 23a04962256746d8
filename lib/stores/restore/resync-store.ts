/**
 * Splits a store's item into its parts, and makes the store name the right versions of its secrets, after a restore
 * of the table.
 */

import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { readStore, type StoreRecord } from '../../storage/stores.ts';
import {
  storeSecretName,
  VERSION_ATTRIBUTE,
  type VersionedSecret,
  type VersionedSecretDeps,
  versionKey,
} from '../../storage/versioned-secret.ts';
import { isUnmigrated, partStore } from './part-store.ts';

/** `item`: the store was set to AWSCURRENT; `label`: AWSCURRENT was moved to the store's version. */
type Resynced = { readonly secret: VersionedSecret; readonly moved: 'nothing' | 'item' | 'label' };

export type ResyncedStore = {
  /** The store item contained attributes that are now in other items. */
  readonly wasUnmigrated: boolean;
  readonly secrets: readonly Resynced[];
};

/**
 * Splits the store item, and aligns the item and AWSCURRENT for each secret; the later version wins. A later version
 * in the item was decided by a change that has not moved the label, so the label follows. Otherwise the table is
 * older, as after a restore, and the item follows. Safe during requests.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 */
export async function resyncStore(deps: VersionedSecretDeps, shopId: ShopId): Promise<ResyncedStore> {
  const wasUnmigrated = await partStore(deps, shopId);
  const secrets: Resynced[] = [];
  for (const secret of Object.keys(VERSION_ATTRIBUTE) as VersionedSecret[]) {
    secrets.push({ secret, moved: await resync(deps, shopId, secret) });
  }
  return { wasUnmigrated, secrets };
}

/**
 * Returns what `resyncStore` would do now. Writes nothing.
 * @throws SHOP_NOT_INSTALLED
 */
export async function foreseeResync(deps: VersionedSecretDeps, shopId: ShopId): Promise<ResyncedStore> {
  const wasUnmigrated = await isUnmigrated(deps, shopId);
  const secrets: Resynced[] = [];
  for (const secret of Object.keys(VERSION_ATTRIBUTE) as VersionedSecret[]) {
    const { moves } = await compare(deps, shopId, secret);
    secrets.push({ secret, moved: moves });
  }
  return { wasUnmigrated, secrets };
}

const MAX_TRIES = 8;

/** @throws TEMPORARILY_UNAVAILABLE when other changes keep coming first */
async function resync(
  deps: VersionedSecretDeps,
  shopId: ShopId,
  secret: VersionedSecret,
): Promise<Resynced['moved']> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const moved = await resyncOnce(deps, shopId, secret);
    if (moved !== 'changing') return moved;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: `${secret} keeps changing: try again` });
}

/** Compares the store's version with the current one, and decides which follows. */
async function compare(deps: VersionedSecretDeps, shopId: ShopId, secret: VersionedSecret) {
  const store = await readExisting(deps, shopId);
  const name = storeSecretName(deps.secretsPrefix, shopId, secret);
  const { AWSCURRENT: current, AWSPENDING: pending } = await deps.secrets.labels(name);
  const named = store[VERSION_ATTRIBUTE[secret]];
  if (named === current) return { store, name, named, current, moves: 'nothing' as const };
  // The next change moves AWSPENDING even if it fails: then the versions' times decide.
  const isDecided =
    named !== undefined && (named === pending || (await isLater(deps, { name, named, current })));
  return { store, name, named, current, moves: isDecided ? ('label' as const) : ('item' as const) };
}

type Versions = { readonly name: string; readonly named: string; readonly current: string | undefined };

/** Whether the store's version was created after the current one. Each change starts from the previous version. */
async function isLater(
  { secrets }: VersionedSecretDeps,
  { name, named, current }: Versions,
): Promise<boolean> {
  const [ofStore, ofLabel] = await settleAll([secrets.read(name, named), secrets.read(name, current)]);
  return (ofStore?.madeAtMs ?? 0) > (ofLabel?.madeAtMs ?? 0);
}

async function resyncOnce(deps: VersionedSecretDeps, shopId: ShopId, secret: VersionedSecret) {
  const { store, name, named, current, moves } = await compare(deps, shopId, secret);
  if (moves === 'nothing') return moves;
  if (moves === 'label' && named !== undefined) {
    const moved = await deps.secrets.moveCurrent(name, { from: current, to: named });
    return moved === 'done' ? 'label' : 'changing';
  }
  const written = await deps.table.update({
    key: versionKey(store, secret),
    update: current === undefined ? 'REMOVE #version' : 'SET #version = :current',
    condition:
      named === undefined ? 'attribute_exists(pk) AND attribute_not_exists(#version)' : '#version = :named',
    names: { '#version': VERSION_ATTRIBUTE[secret] },
    ...((current ?? named) !== undefined && {
      values: { ...(current && { ':current': current }), ...(named && { ':named': named }) },
    }),
  });
  return written.outcome === 'done' ? 'item' : 'changing';
}

async function readExisting({ table }: VersionedSecretDeps, shopId: ShopId): Promise<StoreRecord> {
  const store = await readStore(table, shopId);
  if (store === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}
