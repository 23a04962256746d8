/**
 * The append step: the one writer of the streams. It appends what is queued, contract by contract. One run at a time does
 * this for a shard of the stores, so that several runs share the stores.
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
  readonly acquireLease: (part: StoreShard) => Promise<AppendLease | undefined>;
  readonly logger: Pick<Logger, 'error'>;
  /** From 0 to 1: selects the shard with which a run starts. */
  readonly random: () => number;
};

/** The number of items in memory; those of one store are read together. */
const MAX_ITEMS_IN_MEMORY = 500;
/** How often a run lists the queue again after another run has set the relist flag; the next run does the rest. */
const MAX_QUEUE_RELISTINGS = 3;

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
  const withWork = orderedShards.filter((_, index) => firstItemsByShard[index]?.length === 1);
  let appendedTotal = 0;
  await runInTimeShares({ now: deps.now, endAtMs }, withWork, async (shard, shareEndsAtMs) => {
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
    for (let retryCount = 0; isLeaseActive && retryCount <= MAX_QUEUE_RELISTINGS; retryCount++) {
      appendedTotal += await appendListedItems({ ...deps, append: deps.startAppending() }, shard, endAtMs);
      if (deps.now() >= endAtMs) break;
      isLeaseActive = (await lease.releaseUnlessRelistRequested()) === 'relist requested';
    }
    return appendedTotal;
  } finally {
    if (isLeaseActive) await lease.release();
  }
}

/** The clock of an item's writer may be ahead. */
function dueQueueItemSelection({ now }: AppendDeps) {
  return { kind: 'intent', nowMs: now() + SETTLE_INTENT_AFTER_MS + MAX_CLOCK_DIFFERENCE_MS } as const;
}

type AppendRunDeps = AppendDeps & AppendContractDeps;

async function appendListedItems(deps: AppendRunDeps, shard: StoreShard, endAtMs: number): Promise<number> {
  let appendedTotal = 0;
  const stoppedContracts = new Set<string>();
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
          stopped: stoppedContracts,
          endAtMs,
        });
        appendedTotal += appendedCount;
      } catch (error) {
        // After a failure, no later item of the store may be appended, so that the order is preserved.
        stoppedContracts.add(`${shopId}`);
        const cause = toFailureCause(error);
        deps.logger.error('stream.append_failed', { shopId, cause });
      }
    });
  }
  return appendedTotal;
}

type StoreItemsToAppend = {
  /** The contract's queue items, oldest first. */
  readonly items: readonly ScheduledTask[];
  /** Stores and contracts with an item that has to wait. */
  readonly stopped: Set<string>;
  readonly endAtMs: number;
};

async function appendItemsOfStore(
  deps: AppendRunDeps,
  shopId: ShopId,
  work: StoreItemsToAppend,
): Promise<number> {
  const store = await deps.stores.find(shopId);
  // The items of a purged store are removed with it.
  if (store === undefined || store.status === 'purging' || work.stopped.has(`${shopId}`)) return 0;
  const queuedItems = await readQueuedItems(deps, work.items);
  const itemsByContract = Map.groupBy(
    queuedItems,
    ({ intent, entry }) => entry?.contract ?? intent.made ?? intent.contract,
  );
  const contracts = [...itemsByContract.keys()].filter((contract) => contract !== undefined);
  const recordedStates = await readRecordedStates(deps, shopId, contracts);
  const stateByContract = new Map(recordedStates.map((state) => [state.contract, state]));
  const ownDeps = { ...deps, append: enqueueDeliveryBeforeAppend(deps) };
  let appendedTotal = 0;
  for (const [contract, itemsOfContract] of itemsByContract) {
    if (deps.now() >= work.endAtMs) break;
    const contractName = `${shopId} ${contract}`;
    if (work.stopped.has(contractName)) continue;
    const recordedState = contract && stateByContract.get(contract);
    const appendedItems = recordedState
      ? await appendContractItems(ownDeps, recordedState, itemsOfContract)
      : await appendStoreEventItems(ownDeps, shopId, itemsOfContract);
    appendedTotal += appendedItems.count;
    if (appendedItems.waits) work.stopped.add(contractName);
  }
  return appendedTotal;
}

/** Enqueues the store's delivery before its first record, so that no crash leaves a record that is not delivered. */
function enqueueDeliveryBeforeAppend({ append, enqueueDelivery }: AppendRunDeps): AppendToStream {
  let isDeliveryEnqueued = false;
  return async (shopId, records) => {
    if (records.length > 0 && !isDeliveryEnqueued) await enqueueDelivery(shopId);
    isDeliveryEnqueued ||= records.length > 0;
    await append(shopId, records);
  };
}

/** Reads the items with their entries, in the order of their numbers, without intents that were dropped since. */
async function readQueuedItems(
  deps: AppendRunDeps,
  items: readonly ScheduledTask[],
): Promise<QueuedTimelineItem[]> {
  const namedItems = items.filter((item) => !isObservationOrNotice(item));
  const foundEntries = await findEntriesOfIntents(deps, namedItems.map(toOpenIntent));
  const entryByItem = new Map(namedItems.map((item, index) => [item, foundEntries[index]]));
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
