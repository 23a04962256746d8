/**
 * Parts a store's item, and makes the store name the versions of its secrets that count, after a restore of the table.
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
import { isUnparted, partStore } from './part-store.ts';

/** `item`: the store was pointed at AWSCURRENT; `label`: AWSCURRENT was moved to where the store points. */
type Resynced = { readonly secret: VersionedSecret; readonly moved: 'nothing' | 'item' | 'label' };

export type ResyncedStore = {
  /** The store item held what the other items hold now. */
  readonly wasUnparted: boolean;
  readonly secrets: readonly Resynced[];
};

/**
 * Parts the store item, and brings it and AWSCURRENT together, for each secret: what was made later counts. A later version that
 * the item names was decided by a change that has not moved the label, which follows. Otherwise the table is the older one, as
 * after a restore, and the item follows. Safe beside requests. SHOP_NOT_INSTALLED if there is no such store.
 */
export async function resyncStore(deps: VersionedSecretDeps, shopId: ShopId): Promise<ResyncedStore> {
  const wasUnparted = await partStore(deps, shopId);
  const secrets: Resynced[] = [];
  for (const secret of Object.keys(VERSION_ATTRIBUTE) as VersionedSecret[]) {
    secrets.push({ secret, moved: await resync(deps, shopId, secret) });
  }
  return { wasUnparted, secrets };
}

/** What `resyncStore` would do now. Nothing is written. SHOP_NOT_INSTALLED. */
export async function foreseeResync(deps: VersionedSecretDeps, shopId: ShopId): Promise<ResyncedStore> {
  const wasUnparted = await isUnparted(deps, shopId);
  const secrets: Resynced[] = [];
  for (const secret of Object.keys(VERSION_ATTRIBUTE) as VersionedSecret[]) {
    const { moves } = await compare(deps, shopId, secret);
    secrets.push({ secret, moved: moves });
  }
  return { wasUnparted, secrets };
}

const MAX_TRIES = 8;

/** TEMPORARILY_UNAVAILABLE if others keep changing the secret. */
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

/** What the store names, what is current, and which of the two is to follow. */
async function compare(deps: VersionedSecretDeps, shopId: ShopId, secret: VersionedSecret) {
  const store = await readExisting(deps, shopId);
  const name = storeSecretName(deps.secretsPrefix, shopId, secret);
  const { AWSCURRENT: current, AWSPENDING: pending } = await deps.secrets.labels(name);
  const named = store[VERSION_ATTRIBUTE[secret]];
  if (named === current) return { store, name, named, current, moves: 'nothing' as const };
  // The next change takes AWSPENDING along, whether or not it comes to anything: then the versions' times tell.
  const isDecided =
    named !== undefined && (named === pending || (await isLater(deps, { name, named, current })));
  return { store, name, named, current, moves: isDecided ? ('label' as const) : ('item' as const) };
}

type Versions = { readonly name: string; readonly named: string; readonly current: string | undefined };

/** Whether the version that the store names was made after the current one. Each change begins with the one before it. */
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
