/** Makes the store item name the versions of its secrets that count, after a restore of the table. */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type StoreRecord, storeKey, toStoreRecord } from '../../storage/stores.ts';
import {
  storeSecretName,
  VERSION_ATTRIBUTE,
  type VersionedSecret,
  type VersionedSecretDeps,
} from '../../storage/versioned-secret.ts';

/** `item`: the item was pointed at AWSCURRENT; `label`: AWSCURRENT was moved to where the item points. */
type Resynced = { readonly secret: VersionedSecret; readonly moved: 'nothing' | 'item' | 'label' };

/**
 * Brings store item and AWSCURRENT together, for both secrets. A version that is still AWSPENDING was decided
 * by a change that died before it moved the label: then the label follows. Otherwise the table is the older
 * one, as after a restore, and the item follows. SHOP_NOT_INSTALLED if there is no such store.
 */
export async function resyncStore(deps: VersionedSecretDeps, shopId: ShopId): Promise<Resynced[]> {
  const done: Resynced[] = [];
  for (const secret of Object.keys(VERSION_ATTRIBUTE) as VersionedSecret[]) {
    done.push({ secret, moved: await resync(deps, shopId, secret) });
  }
  return done;
}

async function resync(deps: VersionedSecretDeps, shopId: ShopId, secret: VersionedSecret) {
  const store = await readStore(deps, shopId);
  const name = storeSecretName(deps.secretsPrefix, shopId, secret);
  const { AWSCURRENT: current, AWSPENDING: pending } = await deps.secrets.labels(name);
  const named = store[VERSION_ATTRIBUTE[secret]];
  if (named === current) return 'nothing';
  if (named !== undefined && named === pending) {
    const moved = await deps.secrets.moveCurrent(name, { from: current, to: named });
    if (moved === 'done') return 'label';
    throw changing(secret);
  }
  const written = await deps.table.update({
    key: storeKey(shopId),
    update: current === undefined ? 'REMOVE #version' : 'SET #version = :current',
    condition: named === undefined ? 'attribute_not_exists(#version)' : '#version = :named',
    names: { '#version': VERSION_ATTRIBUTE[secret] },
    ...((current ?? named) !== undefined && {
      values: { ...(current && { ':current': current }), ...(named && { ':named': named }) },
    }),
  });
  if (written.outcome === 'done') return 'item';
  throw changing(secret);
}

function changing(secret: VersionedSecret): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `somebody is changing ${secret} just now: try again`,
  });
}

async function readStore({ table }: VersionedSecretDeps, shopId: ShopId): Promise<StoreRecord> {
  const item = await table.get(storeKey(shopId));
  if (item === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  return toStoreRecord(item);
}
