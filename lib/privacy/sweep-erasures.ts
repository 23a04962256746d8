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
  readonly onErased: (erasureRecord: ErasureRecord) => Promise<void>;
};

/** The maximum number of customers in one sweep. */
const MAX_CUSTOMERS_PER_SWEEP = 10_000;

type DueErasures = {
  readonly scheduledTask: ScheduledTask;
  erasureRecord: ErasureRecord;
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
  const dueErasures = await readDueErasures(deps, sweepRun);
  const searchOutcome = await searchTableForErasures(deps, { sweepRun, dueErasures, endAtMs });
  if (searchOutcome === 'lost') return 0;
  if (!searchOutcome) {
    await releaseSweepRun(deps, sweepRun);
    return 0;
  }
  for (const dueErasure of dueErasures) await completeErasure(deps, dueErasure);
  await completeSweepRun(deps, sweepRun);
  // An interrupted sweep has no work left if all its erasures were repeated since. Start the next sweep immediately.
  return dueErasures.length === 0 ? sweepErasures(deps, endAtMs) : dueErasures.length;
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

async function readDueErasures(deps: SweepDeps, { beganAtMs }: SweepRun): Promise<DueErasures> {
  const hashOf = await deps.tombstones.hasher();
  const dueTasks = await readDueTasks(deps.scheduledTasks, {
    kind: 'erasure',
    nowMs: beganAtMs,
    maxCount: MAX_CUSTOMERS_PER_SWEEP,
  });
  const dueErasures: DueErasures = [];
  for (const dueTask of dueTasks) {
    const erasureRecord = await readUnsweptErasure(deps, dueTask);
    const isAlreadySwept = dueErasures.some(
      (dueErasure) =>
        dueErasure.erasureRecord.shopId === erasureRecord?.shopId &&
        dueErasure.erasureRecord.hash === erasureRecord.hash,
    );
    if (erasureRecord === undefined || isAlreadySwept) {
      await deps.scheduledTasks.remove(dueTask);
      continue;
    }
    const { shopId, hash } = erasureRecord;
    const tombstone = await deps.tombstones.find({ shopId, hash });
    const eraseBeforeMs = tombstone?.liftedAtMs ?? Number.POSITIVE_INFINITY;
    const { contracts } = erasureRecord;
    dueErasures.push({
      scheduledTask: dueTask,
      erasureRecord,
      search: createErasureSearch(hashOf, { shopId, hash, contracts, eraseBeforeMs, nowMs: deps.now() }),
    });
  }
  return dueErasures;
}

type SweepSearch = {
  readonly sweepRun: SweepRun;
  readonly dueErasures: DueErasures;
  readonly endAtMs: number;
};

/**
 * Searches the table from the sweep's position on.
 * @returns true at the end of the table, false at the end of the time, `lost` when another run has taken over the sweep
 */
async function searchTableForErasures(
  deps: SweepDeps,
  { sweepRun, dueErasures, endAtMs }: SweepSearch,
): Promise<boolean | 'lost'> {
  const remainingSearches = dueErasures.map(({ search }) => search);
  let currentRun = sweepRun;
  while (remainingSearches.length > 0) {
    if (deps.now() >= endAtMs) return false;
    const scanPage = await deps.scan(buildErasureScanFilter(remainingSearches), currentRun.position);
    await eraseCustomersFromPage(deps.table, scanPage.items, remainingSearches);
    for (const dueErasure of dueErasures) await recordFoundContractsOfErasure(deps, dueErasure);
    const nextPosition = scanPage.nextKey;
    const needsSecond =
      currentRun.needsSecond || remainingSearches.some(({ needsSecondSearch: hasMore }) => hasMore);
    const isSweepComplete = nextPosition === undefined && (currentRun.round === 2 || !needsSecond);
    if (isSweepComplete) return true;
    currentRun = {
      ...currentRun,
      position: nextPosition,
      needsSecond,
      ...(nextPosition === undefined && { round: 2 }),
    };
    if ((await saveSweepPosition(deps, currentRun)) === 'refused') return 'lost';
  }
  return true;
}

/**
 * The maximum number of stores that the filter names. Naming them makes the response smaller, but the length of a
 * filter is limited.
 */
const MAX_STORES_IN_FILTER = 20;

function buildErasureScanFilter(searches: readonly ErasureSearch[]) {
  const shopIds = [...new Set(searches.map(({ subject }) => subject.shopId))];
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
  dueErasure: DueErasures[number],
): Promise<void> {
  const { search, erasureRecord } = dueErasure;
  const { counts, subject } = search;
  const isNoContractFound = subject.contracts.size === erasureRecord.contracts.length;
  if (isNoContractFound && Object.keys({ ...counts.removed, ...counts.changed }).length === 0) return;
  dueErasure.erasureRecord = {
    ...erasureRecord,
    contracts: [...subject.contracts],
    removed: addCountsByKind(erasureRecord.removed, counts.removed),
    changed: addCountsByKind(erasureRecord.changed, counts.changed),
  };
  search.counts = createErasureCounts();
  await complianceRequests.updateErasure(dueErasure.erasureRecord);
}

async function completeErasure(
  deps: SweepDeps,
  { scheduledTask, erasureRecord }: DueErasures[number],
): Promise<void> {
  await deps.onErased(erasureRecord);
  const { shopId, hash, removed, changed } = erasureRecord;
  await deps.complianceRequests.updateErasure({ ...erasureRecord, contracts: [], sweptAtMs: deps.now() });
  await deps.scheduledTasks.remove(scheduledTask);
  deps.logger.info('customer.erasure_swept', { shopId, hash, removed, changed });
}
