/** Goes through pages of the table and forgets people in what is found: for the sweep, and for a restored table. */

import { parseCustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { PersonHash } from '../storage/privacy/tombstones.ts';
import type { Item, Table } from '../storage/table.ts';
import { contractToldBy } from './contracts-of.ts';
import { forgetItems, noTally, type Tally } from './forget-items.ts';
import type { Whom } from './whom.ts';

/** A person who is searched for. */
export type Sought = {
  readonly whom: Whom & { readonly contracts: Set<string> };
  readonly hash: PersonHash;
  tally: Tally;
  /** The table has to be gone through once more: a contract was found late, or an item was changed meanwhile. */
  hasMore: boolean;
};

type Hasher = (person: {
  readonly shopId: ShopId;
  readonly customerId: NonNullable<ReturnType<typeof parseCustomerId>>;
}) => PersonHash;

/** Somebody of whom the hash alone is known. `hashOf`: as Tombstones hashes. */
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

/** Forgets all of these people in the items of one page. TEMPORARILY_UNAVAILABLE. */
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
