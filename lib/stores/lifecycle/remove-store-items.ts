/**
 * Deletes all items that have the store's id, page by page of a table scan. The scan's position is saved on the STORE
 * item, so that a repeated command continues there.
 */

import { awaitAll } from '../../domain/await-all.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import type { ScanTable } from '../../storage/scan.ts';
import { type StoreRecord, storeItemKey } from '../../storage/stores.ts';
import { type Item, type ItemKey, itemKindOf, type Table } from '../../storage/table.ts';

/** The number of deleted items by kind. The kind is the first word of the partition key. */
export type RemovedItemCounts = Readonly<Record<string, number>>;
/** The STORE item during a purge: when the purge started, the position of the scan, and the counts. */
export type StoreBeingPurged = StoreRecord & {
  readonly purgeMarkedAtMs?: number;
  readonly purgePosition?: ItemKey;
  readonly purgeRemoved?: RemovedItemCounts;
};
type Deps = {
  readonly table: Table;
  readonly scan: ScanTable;
  readonly progress: (text: string) => void;
};
type StoreItemsRemoval = {
  /** The STORE item, with the position and the counts of an interrupted run. */
  readonly store: StoreBeingPurged;
  /** The keys of items that the caller deletes last. */
  readonly keysToSkip: readonly ItemKey[];
};

const DELETE_CONCURRENCY = 10;

/**
 * Deletes the items and returns the counts. Repeats the scan until it finds no item, because items may have been
 * written behind its position.
 */
export async function removeStoreItems(
  deps: Deps,
  { store, keysToSkip }: StoreItemsRemoval,
): Promise<RemovedItemCounts> {
  const removedCountByKind: Record<string, number> = { ...store.purgeRemoved };
  let scanPosition = store.purgePosition;
  // A continued scan counts as one that found an item, because it started behind the first pages.
  let foundCount = scanPosition === undefined ? 0 : 1;
  for (;;) {
    const scanPage = await deps.scan(
      { filter: 'shopId = :shopId', values: { ':shopId': store.shopId } },
      scanPosition,
    );
    const removableItems = scanPage.items.filter(
      ({ pk, sk }) => !keysToSkip.some((key) => key.pk === pk && key.sk === sk),
    );
    await deleteItemsConcurrently(deps.table, removableItems);
    for (const { pk } of removableItems)
      removedCountByKind[itemKindOf({ pk })] = (removedCountByKind[itemKindOf({ pk })] ?? 0) + 1;
    foundCount += removableItems.length;
    scanPosition = scanPage.nextKey;
    await saveRemovalProgress(deps.table, { store, position: scanPosition, removed: removedCountByKind });
    if (scanPosition !== undefined) {
      deps.progress(`${sumRemovedItems(removedCountByKind)} items removed so far`);
      continue;
    }
    if (foundCount === 0) return removedCountByKind;
    foundCount = 0;
  }
}

async function deleteItemsConcurrently(table: Table, items: readonly Item[]): Promise<void> {
  for (const itemBatch of splitIntoBatches(items, DELETE_CONCURRENCY)) {
    await awaitAll(itemBatch.map(({ pk, sk }) => table.delete({ pk, sk })));
  }
}

type RemovalProgress = { store: StoreBeingPurged; position: ItemKey | undefined; removed: RemovedItemCounts };

async function saveRemovalProgress(
  table: Table,
  { store, position, removed }: RemovalProgress,
): Promise<void> {
  await table.update({
    key: storeItemKey(store.shopId),
    update: `SET purgeRemoved = :removed${position ? ', purgePosition = :position' : ' REMOVE purgePosition'}`,
    condition: '#status = :purging',
    names: { '#status': 'status' },
    values: {
      ':purging': 'purging',
      ':removed': removed,
      ...(position && { ':position': { pk: position.pk, sk: position.sk } }),
    },
  });
}

function sumRemovedItems(removed: RemovedItemCounts): number {
  return Object.values(removed).reduce((sum, count) => sum + count, 0);
}
