/**
 * Searches the whole table an hour after an erasure, for data that cannot be found by a key, and for data that
 * concurrent requests wrote. The run can stop at any point: the next run continues after the last page.
 */

import type { Logger } from '../observability/logger.ts';
import type { ComplianceRequests, ErasureRecord } from '../storage/privacy/compliance-requests.ts';
import { parseCustomerHash, type Tombstones } from '../storage/privacy/tombstones.ts';
import type { ScanTable } from '../storage/scan.ts';
import { readDueTasks, type ScheduledTask, type ScheduledTasks } from '../storage/scheduled-tasks.ts';
import type { Table } from '../storage/table.ts';
import { addCountsByKind, createErasureCounts } from './erase-items.ts';
import { createErasureSearch, type ErasureSearch, eraseCustomersFromPage } from './erasure-search.ts';
import {
  completeSweepRun,
  releaseSweepRun,
  type SweepRun,
  saveSweepPosition,
  startSweepRun,
} from './sweep-run.ts';

export type SweepDeps = {
  readonly table: Table;
  readonly scan: ScanTable;
  readonly tombstones: Tombstones;
  readonly complianceRequests: ComplianceRequests;
  readonly scheduledTasks: ScheduledTasks;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
  readonly newId: () => string;
  /** Called before an erasure ends. May be called twice. */
  readonly onErased: (record: ErasureRecord) => Promise<void>;
};

/** The maximum number of customers in one sweep. */
const MAX_CUSTOMERS_PER_SWEEP = 10_000;

type SweptErasures = {
  readonly item: ScheduledTask;
  record: ErasureRecord;
  readonly search: ErasureSearch;
}[];

/**
 * Sweeps until `endAtMs` (epoch milliseconds). Returns how many erasures were completed.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function sweepErasures(deps: SweepDeps, endAtMs: number): Promise<number> {
  if (!(await isAnyErasureDue(deps))) return 0;
  const sweepRun = await startSweepRun(deps);
  if (sweepRun === undefined) return 0;
  const sweptErasures = await readDueErasures(deps, sweepRun);
  const hasEnded = await searchTableForErasures(deps, { sweepRun, cohort: sweptErasures, endAtMs });
  if (hasEnded === 'lost') return 0;
  if (!hasEnded) {
    await releaseSweepRun(deps, sweepRun);
    return 0;
  }
  for (const one of sweptErasures) await completeErasure(deps, one);
  await completeSweepRun(deps, sweepRun);
  // An interrupted sweep has no work left if all its erasures were repeated since. Start the next sweep immediately.
  return sweptErasures.length === 0 ? sweepErasures(deps, endAtMs) : sweptErasures.length;
}

/** Whether any erasure is due. A sweep without one would only delay the next sweep by hours. */
async function isAnyErasureDue(deps: SweepDeps): Promise<boolean> {
  for await (const item of deps.scheduledTasks.listDue('erasure', deps.now())) {
    if ((await readUnsweptErasure(deps, item)) !== undefined) return true;
    await deps.scheduledTasks.remove(item);
  }
  return false;
}

/**
 * Returns the erasure that a scheduled task belongs to.
 * @returns undefined when it was deleted with its store, is already swept, or was requested again since: the last
 * request has its own scheduled task
 */
async function readUnsweptErasure(
  { complianceRequests }: SweepDeps,
  { shopId, name, dueAtMs }: ScheduledTask,
): Promise<ErasureRecord | undefined> {
  const hash = parseCustomerHash(name);
  const erasureRecord = hash && (await complianceRequests.findErasure({ shopId, hash }));
  if (erasureRecord === undefined || erasureRecord.sweptAtMs !== undefined) return undefined;
  return dueAtMs < (erasureRecord.sweepAtMs ?? 0) ? undefined : erasureRecord;
}

async function readDueErasures(deps: SweepDeps, { beganAtMs }: SweepRun): Promise<SweptErasures> {
  const hashOf = await deps.tombstones.hasher();
  const dueTasks = await readDueTasks(deps.scheduledTasks, {
    kind: 'erasure',
    nowMs: beganAtMs,
    maximum: MAX_CUSTOMERS_PER_SWEEP,
  });
  const sweptErasures: SweptErasures = [];
  for (const dueTask of dueTasks) {
    const erasureRecord = await readUnsweptErasure(deps, dueTask);
    const isAlreadySwept = sweptErasures.some(
      (one) => one.record.shopId === erasureRecord?.shopId && one.record.hash === erasureRecord.hash,
    );
    if (erasureRecord === undefined || isAlreadySwept) {
      await deps.scheduledTasks.remove(dueTask);
      continue;
    }
    const { shopId, hash } = erasureRecord;
    const tombstone = await deps.tombstones.find({ shopId, hash });
    const beforeMs = tombstone?.liftedAtMs ?? Number.POSITIVE_INFINITY;
    const { contracts } = erasureRecord;
    sweptErasures.push({
      item: dueTask,
      record: erasureRecord,
      search: createErasureSearch(hashOf, { shopId, hash, contracts, beforeMs, nowMs: deps.now() }),
    });
  }
  return sweptErasures;
}

type SweepSearch = { readonly sweepRun: SweepRun; readonly cohort: SweptErasures; readonly endAtMs: number };

/**
 * Searches the table from the sweep's position on.
 * @returns true at the end of the table, false at the end of the time, `lost` when another run has taken over the sweep
 */
async function searchTableForErasures(
  deps: SweepDeps,
  { sweepRun, cohort, endAtMs }: SweepSearch,
): Promise<boolean | 'lost'> {
  const remainingSearches = cohort.map(({ search }) => search);
  let currentRun = sweepRun;
  while (remainingSearches.length > 0) {
    if (deps.now() >= endAtMs) return false;
    const scanPage = await deps.scan(buildErasureScanFilter(remainingSearches), currentRun.position);
    await eraseCustomersFromPage(deps.table, scanPage.items, remainingSearches);
    for (const one of cohort) await recordFoundContractsOfErasure(deps, one);
    const position = scanPage.nextKey;
    const needsSecond = currentRun.needsSecond || remainingSearches.some(({ hasMore }) => hasMore);
    const isSweepComplete = position === undefined && (currentRun.round === 2 || !needsSecond);
    if (isSweepComplete) return true;
    currentRun = { ...currentRun, position, needsSecond, ...(position === undefined && { round: 2 }) };
    if ((await saveSweepPosition(deps, currentRun)) === 'refused') return 'lost';
  }
  return true;
}

/**
 * The maximum number of stores that the filter names. Naming them makes the response smaller, but the length of a
 * filter is limited.
 */
const MAX_STORES_IN_FILTER = 20;

function buildErasureScanFilter(people: readonly ErasureSearch[]) {
  const shopIds = [...new Set(people.map(({ subject }) => subject.shopId))];
  if (shopIds.length > MAX_STORES_IN_FILTER) return { filter: 'shopId > :none', values: { ':none': 0 } };
  const shopPlaceholders = Object.fromEntries(shopIds.map((shopId, index) => [`:shop${index}`, shopId]));
  return {
    filter: Object.keys(shopPlaceholders)
      .map((name) => `shopId = ${name}`)
      .join(' OR '),
    values: shopPlaceholders,
  };
}

/** Stores the contracts and counts found on this page, so that an interruption does not lose them. */
async function recordFoundContractsOfErasure(
  { complianceRequests }: SweepDeps,
  one: SweptErasures[number],
): Promise<void> {
  const { search, record } = one;
  const { tally, subject } = search;
  const isNoContractFound = subject.contracts.size === record.contracts.length;
  if (isNoContractFound && Object.keys({ ...tally.removed, ...tally.changed }).length === 0) return;
  one.record = {
    ...record,
    contracts: [...subject.contracts],
    removed: addCountsByKind(record.removed, tally.removed),
    changed: addCountsByKind(record.changed, tally.changed),
  };
  search.tally = createErasureCounts();
  await complianceRequests.updateErasure(one.record);
}

async function completeErasure(deps: SweepDeps, { item, record }: SweptErasures[number]): Promise<void> {
  await deps.onErased(record);
  const { shopId, hash, removed, changed } = record;
  await deps.complianceRequests.updateErasure({ ...record, contracts: [], sweptAtMs: deps.now() });
  await deps.scheduledTasks.remove(item);
  deps.logger.info('customer.erasure_swept', { shopId, hash, removed, changed });
}
