/** Erases a customer from items, and counts deleted and changed items by kind. */

import { awaitAll } from '../domain/await-all.ts';
import { splitIntoBatches } from '../domain/split-into-batches.ts';
import type { CountsByKind } from '../storage/privacy/compliance-requests.ts';
import { isCustomerSnapshotItem } from '../storage/stream/snapshot-key.ts';
import { type Item, itemKindOf, type Table } from '../storage/table.ts';
import type { ErasureSubject } from './erasure-subject.ts';
import { decideItemErasure } from './item-erasure.ts';

/**
 * The number of deleted and of changed items by kind. Index items of snapshots by customer are counted separately from
 * the snapshots.
 */
export type ErasureCounts = { removed: CountsByKind; changed: CountsByKind };

export const createErasureCounts = (): ErasureCounts => ({ removed: {}, changed: {} });

/** Returns the sums of two counts, by kind. */
export function addCountsByKind(counts: CountsByKind, otherCounts: CountsByKind): CountsByKind {
  const itemKinds = Object.keys({ ...counts, ...otherCounts });
  return Object.fromEntries(
    itemKinds.map((itemKind) => [itemKind, (counts[itemKind] ?? 0) + (otherCounts[itemKind] ?? 0)]),
  );
}

const ERASURE_CONCURRENCY = 10;

/**
 * Erases the customer from each item.
 * @returns true when an item was changed concurrently, so that it must be read and erased again
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function eraseCustomerFromItems(
  table: Table,
  items: readonly Item[],
  { subject, counts }: { readonly subject: ErasureSubject; readonly counts: ErasureCounts },
): Promise<boolean> {
  let isAnyItemLeft = false;
  const itemsToErase = items.filter((item) => decideItemErasure(item, subject) !== 'keep');
  for (const itemBatch of splitIntoBatches(itemsToErase, ERASURE_CONCURRENCY)) {
    const results = await awaitAll(itemBatch.map((item) => eraseCustomerFromItem(table, item, subject)));
    for (const [index, result] of results.entries()) {
      if (result === 'refused') isAnyItemLeft = true;
      else countErasedItem(counts, result, itemBatch[index]);
    }
  }
  return isAnyItemLeft;
}

function countErasedItem(counts: ErasureCounts, result: 'removed' | 'changed', item: Item | undefined): void {
  if (item === undefined) return;
  const itemKind = isCustomerSnapshotItem(item) ? 'SNAPSHOT_OF_CUSTOMER' : itemKindOf(item);
  counts[result] = { ...counts[result], [itemKind]: (counts[result][itemKind] ?? 0) + 1 };
}

async function eraseCustomerFromItem(
  table: Table,
  item: Item,
  subject: ErasureSubject,
): Promise<'removed' | 'changed' | 'refused'> {
  const key = { pk: item.pk, sk: item.sk };
  const itemErasure = decideItemErasure(item, subject);
  if (itemErasure === 'keep') return 'refused';
  if (itemErasure === 'remove') {
    await table.delete(key);
    return 'removed';
  }
  const { outcome } = await table.update({ key, ...itemErasure });
  return outcome === 'done' ? 'changed' : 'refused';
}
