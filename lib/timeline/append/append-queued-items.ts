/**
 * The append step, which alone writes to the stores' streams. It appends the queued items, contract by contract. The stores
 * are divided into shards; one run at a time has the lease of a shard, so concurrent runs share the stores.
 */
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { toFailureCause } from '../../errors/to-failure-cause.ts';
import type { Logger } from '../../observability/logger.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import {
  readDueTasks,
  readDueTasksInBatches,
  type ScheduledTask,
  type ScheduledTasks,
  STORE_SHARDS,
  type StoreShard,
} from '../../storage/scheduled-tasks.ts';
import type { Stores } from '../../storage/stores.ts';
import type { AppendToStream } from '../../storage/stream/append-to-stream.ts';
import { runInTimeShares } from '../../storage/work-queue/run-in-time-shares.ts';
import type { AppendLease } from '../../storage/work-queue/shard-lease.ts';
import { findEntriesOfIntents, SETTLE_INTENT_AFTER_MS, toOpenIntent } from '../intent.ts';
import {
  type AppendContractDeps,
  appendContractItems,
  appendStoreEventItems,
} from './append-contract-items.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from './apply-observation.ts';
import { isObservationOrNotice, type QueuedTimelineItem, toQueuedItem } from './queue-item.ts';
import { readRecordedStates } from './recorded-state.ts';

export type AppendDeps = Omit<AppendContractDeps, 'append'> & {
  readonly scheduledTasks: Pick<ScheduledTasks, 'listDue' | 'find' | 'remove'>;
  readonly stores: Pick<Stores, 'find'>;
  /** Creates the append function of one run. */
  readonly startAppending: () => AppendToStream;
  readonly enqueueDelivery: (shopId: ShopId) => Promise<void>;
  /** Takes the lease of a shard of the stores; undefined when another run has it. */
  readonly acquireLease: (shard: StoreShard) => Promise<AppendLease | undefined>;
  readonly logger: Pick<Logger, 'error'>;
  /** From 0 to 1: selects the shard with which a run starts. */
  readonly random: () => number;
};

/** The maximum number of queue items in memory. Those of one store are processed together. */
const MAX_ITEMS_IN_MEMORY = 500;
/** How often a run lists the queue again after another run has set the relist flag; the next run does the rest. */
const MAX_RELISTS_PER_LEASE = 3;

/**
 * Appends queued items until `endAtMs` and returns their number. A store's failure is logged.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function appendQueuedItems(deps: AppendDeps, endAtMs: number): Promise<number> {
  // Concurrent runs start with different shards.
  const firstShard = Math.floor(deps.random() * STORE_SHARDS.length);
  const orderedShards = [...STORE_SHARDS.slice(firstShard), ...STORE_SHARDS.slice(0, firstShard)];
  // Look for queued items first, because most shards have none and then need no lease.
  const firstItemsByShard = await awaitAll(
    orderedShards.map((shard) =>
      readDueTasks(deps.scheduledTasks, { ...dueQueueItemSelection(deps), shard, maxCount: 1 }),
    ),
  );
  const shardsWithItems = orderedShards.filter((_, index) => firstItemsByShard[index]?.length === 1);
  let appendedTotal = 0;
  await runInTimeShares({ now: deps.now, endAtMs }, shardsWithItems, async (shard, shareEndsAtMs) => {
    const appendedCount = await appendItemsOfShard(deps, shard, shareEndsAtMs);
    appendedTotal += appendedCount;
    return appendedCount;
  });
  return appendedTotal;
}

async function appendItemsOfShard(deps: AppendDeps, shard: StoreShard, endAtMs: number): Promise<number> {
  const lease = await deps.acquireLease(shard);
  if (lease === undefined) return 0;
  let appendedTotal = 0;
  let isLeaseActive = true;
  try {
    for (let relistCount = 0; isLeaseActive && relistCount <= MAX_RELISTS_PER_LEASE; relistCount++) {
      appendedTotal += await appendListedItems({ ...deps, append: deps.startAppending() }, shard, endAtMs);
      if (deps.now() >= endAtMs) break;
      isLeaseActive = (await lease.releaseUnlessRelistRequested()) === 'relist requested';
    }
    return appendedTotal;
  } finally {
    if (isLeaseActive) await lease.release();
  }
}

/** Selects all queued items, including those whose writers' clocks are ahead. */
function dueQueueItemSelection({ now }: AppendDeps) {
  return { kind: 'intent', nowMs: now() + SETTLE_INTENT_AFTER_MS + MAX_CLOCK_DIFFERENCE_MS } as const;
}

type AppendRunDeps = AppendDeps & AppendContractDeps;

async function appendListedItems(deps: AppendRunDeps, shard: StoreShard, endAtMs: number): Promise<number> {
  let appendedTotal = 0;
  const stoppedKeys = new Set<string>();
  const taskBatches = readDueTasksInBatches(deps.scheduledTasks, {
    ...dueQueueItemSelection(deps),
    shard,
    batchSize: MAX_ITEMS_IN_MEMORY,
  });
  for await (const dueTasks of taskBatches) {
    if (deps.now() >= endAtMs) break;
    await forEachStore(dueTasks, async (shopId, items) => {
      try {
        const appendedCount = await appendItemsOfStore(deps, shopId, {
          items,
          stoppedKeys,
          endAtMs,
        });
        appendedTotal += appendedCount;
      } catch (error) {
        // After a failure, no later item of the store may be appended, so that the order is preserved.
        stoppedKeys.add(`${shopId}`);
        const cause = toFailureCause(error);
        deps.logger.error('stream.append_failed', { shopId, cause });
      }
    });
  }
  return appendedTotal;
}

type StoreItemsToAppend = {
  /** The store's queue items, oldest first. */
  readonly items: readonly ScheduledTask[];
  /** The keys of stores and contracts of which no further item may be appended in this run. */
  readonly stoppedKeys: Set<string>;
  readonly endAtMs: number;
};

async function appendItemsOfStore(
  deps: AppendRunDeps,
  shopId: ShopId,
  storeItems: StoreItemsToAppend,
): Promise<number> {
  const store = await deps.stores.find(shopId);
  // The purge of a store removes its items.
  if (store === undefined || store.status === 'purging' || storeItems.stoppedKeys.has(`${shopId}`)) return 0;
  const queuedItems = await readQueuedItems(deps, storeItems.items);
  const itemsByContract = Map.groupBy(
    queuedItems,
    ({ intent, entry }) => entry?.contract ?? intent.made ?? intent.contract,
  );
  const contracts = [...itemsByContract.keys()].filter((contract) => contract !== undefined);
  const recordedStates = await readRecordedStates(deps, shopId, contracts);
  const stateByContract = new Map(recordedStates.map((state) => [state.contract, state]));
  const storeDeps = { ...deps, append: enqueueDeliveryBeforeAppend(deps) };
  let appendedTotal = 0;
  for (const [contract, itemsOfContract] of itemsByContract) {
    if (deps.now() >= storeItems.endAtMs) break;
    const contractKey = `${shopId} ${contract}`;
    if (storeItems.stoppedKeys.has(contractKey)) continue;
    const recordedState = contract && stateByContract.get(contract);
    const appendResult = recordedState
      ? await appendContractItems(storeDeps, recordedState, itemsOfContract)
      : await appendStoreEventItems(storeDeps, shopId, itemsOfContract);
    appendedTotal += appendResult.appendedCount;
    if (appendResult.remainingItemsWait) storeItems.stoppedKeys.add(contractKey);
  }
  return appendedTotal;
}

/** Returns an append function that first enqueues the store for delivery, so that a crash leaves no undelivered record. */
function enqueueDeliveryBeforeAppend({ append, enqueueDelivery }: AppendRunDeps): AppendToStream {
  let isDeliveryEnqueued = false;
  return async (shopId, records) => {
    if (records.length > 0 && !isDeliveryEnqueued) await enqueueDelivery(shopId);
    isDeliveryEnqueued ||= records.length > 0;
    await append(shopId, records);
  };
}

/** Reads the entries of queue items, and sorts the items by number. Leaves out intents that were dropped since. */
async function readQueuedItems(
  deps: AppendRunDeps,
  items: readonly ScheduledTask[],
): Promise<QueuedTimelineItem[]> {
  const intentItems = items.filter((item) => !isObservationOrNotice(item));
  const foundEntries = await findEntriesOfIntents(deps, intentItems.map(toOpenIntent));
  const entryByItem = new Map(intentItems.map((item, index) => [item, foundEntries[index]]));
  const queuedItems = await awaitAll(
    items.map(async (item) => {
      const eventRecord = entryByItem.get(item);
      const isReadyToAppend =
        eventRecord !== undefined ||
        isObservationOrNotice(item) ||
        (await deps.scheduledTasks.find(item))?.id === item.id;
      return isReadyToAppend ? [toQueuedItem(item, eventRecord)] : [];
    }),
  );
  // In the same millisecond an entry may have a higher number than its intent, never a lower one.
  const numberOf = ({ intent, entry }: QueuedTimelineItem) => entry?.number ?? intent.number;
  return queuedItems
    .flat()
    .sort((one, other) => (numberOf(one) < numberOf(other) ? -1 : numberOf(one) > numberOf(other) ? 1 : 0));
}
