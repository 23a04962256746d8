/**
 * Reapplies erasures to a table that was restored from an older backup. Only hashes of the customers are known, so the
 * whole table is searched, before clients' requests return and, as after any erasure, once more after an hour.
 */

import type { ComplianceRequests } from '../storage/privacy/compliance-requests.ts';
import type { HashedCustomer, Tombstones } from '../storage/privacy/tombstones.ts';
import type { ScanTable } from '../storage/scan.ts';
import type { ScheduledTasks } from '../storage/scheduled-tasks.ts';
import type { ItemKey, Table } from '../storage/table.ts';
import { recordErasure } from './erase-customer.ts';
import { createErasureSearch, type ErasureSearch, eraseCustomersFromPage } from './erasure-search.ts';

type Deps = {
  readonly table: Table;
  readonly scan: ScanTable;
  readonly tombstones: Tombstones;
  readonly complianceRequests: ComplianceRequests;
  readonly scheduledTasks: ScheduledTasks;
  readonly now: () => number;
};
type ErasedCustomer = HashedCustomer & { readonly erasedAtMs: number };

const HOUR_MS = 3_600_000;

/**
 * Erases the data of all these customers. Returns how many items were deleted or changed. Can be repeated.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function reapplyErasures(
  deps: Deps,
  erasedCustomers: readonly ErasedCustomer[],
): Promise<number> {
  const hashOf = await deps.tombstones.hasher();
  const searchesOfErasures: ErasureSearch[] = [];
  for (const { shopId, hash, erasedAtMs } of erasedCustomers) {
    const sweepAtMs = deps.now() + HOUR_MS;
    await recordErasure(deps, { shopId, hash }, { erasedAtMs, askedBy: 'restore', sweepAtMs });
    const subjectTimes = { eraseBeforeMs: Number.POSITIVE_INFINITY, nowMs: deps.now() };
    searchesOfErasures.push(createErasureSearch(hashOf, { shopId, hash, contracts: [], ...subjectTimes }));
  }
  await eraseCustomersInWholeTable(deps, searchesOfErasures);
  // A first search that finds a contract late misses items of the contract on earlier pages. The second search finds
  // them.
  if (searchesOfErasures.some(({ needsSecondSearch: hasMore }) => hasMore))
    await eraseCustomersInWholeTable(deps, searchesOfErasures);
  for (const { subject, hash } of searchesOfErasures) {
    const erasureRecord = await deps.complianceRequests.findErasure({ shopId: subject.shopId, hash });
    if (erasureRecord !== undefined)
      await deps.complianceRequests.updateErasure({ ...erasureRecord, contracts: [...subject.contracts] });
  }
  const erasedCounts = searchesOfErasures.flatMap(({ counts: { removed, changed } }) =>
    [removed, changed].flatMap(Object.values<number>),
  );
  return erasedCounts.reduce((sum, count) => sum + count, 0);
}

async function eraseCustomersInWholeTable(
  { table, scan }: Deps,
  searches: readonly ErasureSearch[],
): Promise<void> {
  let startKey: ItemKey | undefined;
  do {
    const page = await scan({ filter: 'shopId > :none', values: { ':none': 0 } }, startKey);
    await eraseCustomersFromPage(table, page.items, searches);
    startKey = page.nextKey;
  } while (startKey !== undefined);
}
