/**
 * Stores when a version of the app's client secret first signed a webhook: from then on, the previous secret remains
 * valid for a limited time.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { ItemKey, Table } from '../table.ts';

type SecretUse = { readonly versionId: string; readonly usedAtMs: number };
export type SecretUses = ReturnType<typeof createSecretUseRepository>;

/** Creates the records over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createSecretUseRepository({ table }: { readonly table: Pick<Table, 'get' | 'update'> }) {
  return {
    /** Records a use, and returns the time of the first use, epoch milliseconds. */
    async record(shopId: ShopId, { versionId, usedAtMs }: SecretUse): Promise<number> {
      const writeResult = await table.update({
        key: secretUseKey(shopId, versionId),
        update: 'SET shopId = :shopId, firstUseMs = if_not_exists(firstUseMs, :at)',
        values: { ':shopId': shopId, ':at': usedAtMs },
      });
      return writeResult.outcome === 'done' ? Number(writeResult.item.firstUseMs) : usedAtMs;
    },
    /** Returns the time of the first use; undefined when no use was recorded. */
    async find(shopId: ShopId, versionId: string): Promise<number | undefined> {
      const use = await table.get(secretUseKey(shopId, versionId));
      return use && Number(use.firstUseMs);
    },
  };
}

/** Returns the key of the record. It has a partition of its own, apart from the store's inbox. */
function secretUseKey(shopId: ShopId, versionId: string): ItemKey {
  return { pk: `MARK#${shopId}#SECRET`, sk: versionId };
}
