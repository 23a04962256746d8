/**
 * Erases the data of a customer that can be found by keys: sign-ins, and items of the known contracts. An hour later,
 * sweep-erasures.ts searches the whole table for data without such a key, and for data that concurrent requests wrote.
 */
import type { ShopId } from '../domain/shop-id.ts';
import type { Logger } from '../observability/logger.ts';
import {
  type ComplianceRequests,
  dataRequestKey,
  type ErasureRecord,
} from '../storage/privacy/compliance-requests.ts';
import type { HashedCustomer, Tombstones } from '../storage/privacy/tombstones.ts';
import { type ScheduledTask, type ScheduledTasks, scheduledTaskKey } from '../storage/scheduled-tasks.ts';
import type { Item, Table } from '../storage/table.ts';
import {
  addCountsByKind,
  createErasureCounts,
  type ErasureCounts,
  eraseCustomerFromItems,
} from './erase-items.ts';
import type { CustomerOfStore, ErasureSubject } from './erasure-subject.ts';
import { readContractItems, readSignInItems, readSnapshotIndexOfCustomer } from './read-items-of-customer.ts';

export type EraseCustomerDeps = {
  readonly table: Table;
  readonly tombstones: Tombstones;
  readonly complianceRequests: ComplianceRequests;
  readonly scheduledTasks: ScheduledTasks;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
  /**
   * Returns the numbers of the customer's contracts from a source other than the table. May be empty, because the sweep
   * finds contracts, too.
   */
  readonly contractsOf: (person: CustomerOfStore) => Promise<readonly string[]>;
};

export type ErasureReport = ErasureCounts &
  HashedCustomer & { readonly erasedAtMs: number; readonly contracts: readonly string[] };

const HOUR_MS = 3_600_000;
const ERASURE_RECORD_TTL_SECONDS = 35 * 86_400;

/**
 * Erases the customer, and schedules the sweep of the table for an hour later. Can be repeated, and then continues an
 * interrupted erasure.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function eraseCustomer(
  deps: EraseCustomerDeps,
  person: CustomerOfStore,
  askedBy: ErasureRecord['askedBy'],
): Promise<ErasureReport> {
  const subjectHash = await deps.tombstones.hashOf(person);
  const erasedAtMs = deps.now();
  await recordErasure(deps, subjectHash, { erasedAtMs, askedBy, sweepAtMs: erasedAtMs + HOUR_MS });
  const snapshots = await readSnapshotIndexOfCustomer(deps.table, person);
  const knownContracts = [...(await deps.contractsOf(person)), ...snapshots.contracts];
  const contracts = await recordKnownContracts(deps, subjectHash, knownContracts);
  const erasureCounts = createErasureCounts();
  const eraseAll = async (items: readonly Item[]) =>
    eraseCustomerFromItems(deps.table, items, {
      subject: await readErasureSubject(deps, person, { hashed: subjectHash, contracts }),
      counts: erasureCounts,
    });
  await eraseAll(await readSignInItems(deps.table, person));
  for (const contract of contracts) {
    for await (const items of readContractItems(deps, person, contract)) await eraseAll(items);
  }
  await eraseAll(snapshots.indexItems);
  await eraseAll(await listOpenScheduledTasks(deps, person.shopId));
  await eraseAll(await listDataRequestItems(deps, person.shopId));
  await storeErasureCounts(deps, subjectHash, erasureCounts);
  // A restore of the table replays these log lines.
  deps.logger.info('customer.erased', { ...subjectHash, erasedAtMs, ...erasureCounts });
  return { ...subjectHash, erasedAtMs, contracts, ...erasureCounts };
}

/**
 * Returns the subject of the erasure. Call it after the items were read: if the customer signs in again at the same
 * time, the items may contain data of the new sign-in, which must stay.
 */
async function readErasureSubject(
  { tombstones, now }: EraseCustomerDeps,
  { shopId, customerId: erasedCustomerId }: CustomerOfStore,
  {
    hashed: subjectHash,
    contracts,
  }: { readonly hashed: HashedCustomer; readonly contracts: readonly string[] },
): Promise<ErasureSubject> {
  const liftedAtMs = (await tombstones.find(subjectHash))?.liftedAtMs;
  return {
    shopId,
    isSubjectCustomer: (customerId) => customerId === erasedCustomerId,
    contracts: new Set(contracts),
    eraseBeforeMs: liftedAtMs ?? Number.POSITIVE_INFINITY,
    nowMs: now(),
  };
}

/** Records the erasure and its sweep, so that it is completed after an interruption. */
export async function recordErasure(
  {
    scheduledTasks,
    complianceRequests,
    tombstones,
  }: Pick<EraseCustomerDeps, 'scheduledTasks' | 'complianceRequests' | 'tombstones'>,
  { shopId, hash }: HashedCustomer,
  {
    erasedAtMs,
    askedBy,
    sweepAtMs,
  }: Pick<ErasureRecord, 'erasedAtMs' | 'askedBy'> & { readonly sweepAtMs: number },
): Promise<void> {
  await scheduledTasks.put({ kind: 'erasure', shopId, dueAtMs: sweepAtMs, name: hash, payload: {} });
  const storedErasure = await complianceRequests.findErasure({ shopId, hash });
  // Keep the counts of an earlier erasure that was not swept and therefore not reported yet.
  const isSweepPending = storedErasure !== undefined && storedErasure.sweptAtMs === undefined;
  const earlierCounts = isSweepPending
    ? { removed: storedErasure.removed, changed: storedErasure.changed }
    : createErasureCounts();
  await complianceRequests.putErasure({
    ...{ kind: 'erasure', shopId, hash, erasedAtMs, askedBy, sweepAtMs },
    contracts: storedErasure?.contracts ?? [],
    ...earlierCounts,
    expiresAt: Math.ceil(erasedAtMs / 1000) + ERASURE_RECORD_TTL_SECONDS,
  });
  await tombstones.put({ shopId, hash }, erasedAtMs);
}

/**
 * Records all known contracts before the items that show them are erased: a run after an interruption could not find
 * them.
 */
async function recordKnownContracts(
  { complianceRequests }: EraseCustomerDeps,
  subjectHash: HashedCustomer,
  contracts: readonly string[],
): Promise<readonly string[]> {
  const erasureRecord = await complianceRequests.findErasure(subjectHash);
  const knownContracts = [...new Set([...(erasureRecord?.contracts ?? []), ...contracts])];
  if (erasureRecord !== undefined)
    await complianceRequests.putErasure({ ...erasureRecord, contracts: knownContracts });
  return knownContracts;
}

async function storeErasureCounts(
  { complianceRequests }: EraseCustomerDeps,
  subjectHash: HashedCustomer,
  counts: ErasureCounts,
) {
  const erasureRecord = await complianceRequests.findErasure(subjectHash);
  if (erasureRecord === undefined) return;
  const removedCounts = addCountsByKind(erasureRecord.removed, counts.removed);
  const changedCounts = addCountsByKind(erasureRecord.changed, counts.changed);
  await complianceRequests.putErasure({ ...erasureRecord, removed: removedCounts, changed: changedCounts });
}

const DAY_MS = 86_400_000;
/** For how long a change or a charge can stay open at most. */
const MAX_CHANGE_OPEN_MS = 8 * DAY_MS;

async function listOpenScheduledTasks(
  { scheduledTasks, now }: EraseCustomerDeps,
  shopId: ShopId,
): Promise<Item[]> {
  const timeRange = { fromMs: now() - MAX_CHANGE_OPEN_MS, toMs: now() + DAY_MS };
  const openTasks: Item[] = [];
  for (const kind of ['intent', 'charge'] as const) {
    for await (const scheduledTask of scheduledTasks.listOfStore(kind, shopId, timeRange))
      openTasks.push(toTableItem(scheduledTask));
  }
  return openTasks;
}

function toTableItem(scheduledTask: ScheduledTask): Item {
  return { ...scheduledTaskKey(scheduledTask), ...scheduledTask };
}

async function listDataRequestItems(
  { complianceRequests }: EraseCustomerDeps,
  shopId: ShopId,
): Promise<Item[]> {
  const records = await complianceRequests.listOf(shopId);
  return records.flatMap((record) =>
    record.kind !== 'erasure' ? [{ ...dataRequestKey(record), ...record }] : [],
  );
}
