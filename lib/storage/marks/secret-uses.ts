/** When a version of the app's client secret was first seen to sign: the one before it is good for a while from then on. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { ItemKey, Table } from '../table.ts';

export type SecretUses = {
  /** Notes a use, and gives the first: epoch milliseconds. */
  note(shopId: ShopId, use: { readonly versionId: string; readonly atMs: number }): Promise<number>;
  /** The first use; undefined: none was seen. */
  find(shopId: ShopId, versionId: string): Promise<number | undefined>;
};

/** Uses over the table. TEMPORARILY_UNAVAILABLE. */
export function createSecretUses({ table }: { readonly table: Pick<Table, 'get' | 'update'> }): SecretUses {
  return {
    async note(shopId, { versionId, atMs }) {
      const written = await table.update({
        key: useKey(shopId, versionId),
        update: 'SET shopId = :shopId, firstUseMs = if_not_exists(firstUseMs, :at)',
        values: { ':shopId': shopId, ':at': atMs },
      });
      return written.outcome === 'done' ? Number(written.item.firstUseMs) : atMs;
    },
    async find(shopId, versionId) {
      const use = await table.get(useKey(shopId, versionId));
      return use && Number(use.firstUseMs);
    },
  };
}

/** Beside the marks of the store, not among them. */
function useKey(shopId: ShopId, versionId: string): ItemKey {
  return { pk: `MARK#${shopId}#SECRET`, sk: versionId };
}
