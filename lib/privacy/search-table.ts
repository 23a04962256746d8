/** Searches pages of the table and erases people in the items: for the sweep, and for a restored table. */

import { parseCustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { PersonHash } from '../storage/privacy/tombstones.ts';
import type { Item, Table } from '../storage/table.ts';
import { contractToldBy } from './contracts-of.ts';
import { forgetItems, noTally, type Tally } from './forget-items.ts';
import type { Whom } from './whom.ts';

/** A person to search for. */
export type Sought = {
  readonly whom: Whom & { readonly contracts: Set<string> };
  readonly hash: PersonHash;
  tally: Tally;
  /** A second search is necessary: a contract was found late, or an item was changed concurrently. */
  hasMore: boolean;
};

type Hasher = (person: {
  readonly shopId: ShopId;
  readonly customerId: NonNullable<ReturnType<typeof parseCustomerId>>;
}) => PersonHash;

/** Creates the search for a person of whom only the hash is known. `hashOf`: the hash function of Tombstones. */
export function soughtBy(
  hashOf: Hasher,
  {
    shopId,
    hash,
    contracts,
    ...times
  }: Pick<Whom, 'shopId' | 'beforeMs' | 'nowMs'> & {
    readonly hash: PersonHash;
    readonly contracts: readonly string[];
  },
): Sought {
  const isPerson = (value: unknown) => {
    const customerId = parseCustomerId(value);
    return customerId !== undefined && hashOf({ shopId, customerId }) === hash;
  };
  return {
    whom: { shopId, isPerson, contracts: new Set(contracts), ...times },
    hash,
    tally: noTally(),
    hasMore: false,
  };
}

/**
 * Erases all these people in the items of one page.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function searchPage(
  table: Table,
  items: readonly Item[],
  people: readonly Sought[],
): Promise<void> {
  const byShop = Map.groupBy(items, ({ shopId }) => shopId);
  for (const sought of people) {
    const { whom, tally } = sought;
    const own = byShop.get(whom.shopId) ?? [];
    for (const item of own) {
      const contract = contractToldBy(item, whom);
      if (contract === undefined || whom.contracts.has(contract)) continue;
      whom.contracts.add(contract);
      sought.hasMore = true;
    }
    if (await forgetItems(table, own, { whom, tally })) sought.hasMore = true;
  }
}
