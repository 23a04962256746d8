/**
 * Searches pages of the table for the data of customers and erases it. Used by the sweep, and after a restore of the
 * table.
 */

import { parseCustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { CustomerHash } from '../storage/privacy/tombstones.ts';
import type { Item, Table } from '../storage/table.ts';
import { createErasureCounts, type ErasureCounts, eraseCustomerFromItems } from './erase-items.ts';
import type { ErasureSubject } from './erasure-subject.ts';
import { findContractOfCustomer } from './find-contract-of-customer.ts';

/** A customer whose data is searched, with the contracts and counts found so far. */
export type ErasureSearch = {
  readonly subject: ErasureSubject & { readonly contracts: Set<string> };
  readonly hash: CustomerHash;
  counts: ErasureCounts;
  /**
   * Whether the table must be searched a second time: a contract was found late, or an item was changed concurrently.
   */
  needsSecondSearch: boolean;
};

type HashCustomer = (person: {
  readonly shopId: ShopId;
  readonly customerId: NonNullable<ReturnType<typeof parseCustomerId>>;
}) => CustomerHash;

/**
 * Creates the search for a customer of whom only the hash is known. `hashOf` is the hash function of the tombstones.
 */
export function createErasureSearch(
  hashOf: HashCustomer,
  {
    shopId,
    hash,
    contracts,
    ...times
  }: Pick<ErasureSubject, 'shopId' | 'eraseBeforeMs' | 'nowMs'> & {
    readonly hash: CustomerHash;
    readonly contracts: readonly string[];
  },
): ErasureSearch {
  const isPerson = (value: unknown) => {
    const customerId = parseCustomerId(value);
    return customerId !== undefined && hashOf({ shopId, customerId }) === hash;
  };
  return {
    subject: { shopId, isSubjectCustomer: isPerson, contracts: new Set(contracts), ...times },
    hash,
    counts: createErasureCounts(),
    needsSecondSearch: false,
  };
}

/**
 * Erases the data of all these customers in the items of one page.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function eraseCustomersFromPage(
  table: Table,
  items: readonly Item[],
  searches: readonly ErasureSearch[],
): Promise<void> {
  const itemsByShop = Map.groupBy(items, ({ shopId }) => shopId);
  for (const erasureSearch of searches) {
    const { subject, counts } = erasureSearch;
    const storeItems = itemsByShop.get(subject.shopId) ?? [];
    for (const item of storeItems) {
      const contract = findContractOfCustomer(item, subject);
      if (contract === undefined || subject.contracts.has(contract)) continue;
      subject.contracts.add(contract);
      erasureSearch.needsSecondSearch = true;
    }
    if (await eraseCustomerFromItems(table, storeItems, { subject, counts }))
      erasureSearch.needsSecondSearch = true;
  }
}
