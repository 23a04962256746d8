/**
 * Processes a store's inbox. The work of each topic group reads the platform's state, so duplicates and the order of
 * webhooks do not matter. An item is removed when its work is done; an item that has to wait stays.
 */

import { awaitAll } from '../../domain/await-all.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Inbox, InboxItem, TopicGroup } from '../../storage/inbox/inbox.ts';
import type { Stores } from '../../storage/stores.ts';
import type { StoreTimeSlice } from '../../storage/work-queue/process-work-queue.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';
import { MAX_ATTEMPTS_PER_REQUEST } from '../charges/read-attempts.ts';
import { type RecordAttemptsDeps, recordAttempts } from '../charges/record-attempts.ts';
import { CONTRACTS_PER_DOCUMENT } from '../contracts/contract-documents.ts';
import { type ObserveContractsDeps, observeContracts } from '../contracts/observe-contracts.ts';
import { type ReadBilledSettingsDeps, readBilledSettings } from '../contracts/read-billed-settings.ts';
import { findContractsByPaymentMethod, type StoreReadRun } from '../contracts/read-contracts.ts';
import { readReconciliation } from '../reconciliation/reconciliation-record.ts';
import {
  type RefreshStoreDeps,
  refreshTimeZoneAndCheckScopes,
  type VerifyUninstallDeps,
  verifyUninstall,
} from '../store/verify-uninstall.ts';

/** The work of a topic group. `process` returns the finished items. */
export type TopicGroupProcessor = {
  /** The maximum number of items in one call of `process`. */
  readonly itemsPerCall: number;
  /** Whether the work is also done for stores that are not installed. */
  readonly includesUninstalledStores?: boolean;
  readonly process: (run: StoreReadRun, items: readonly InboxItem[]) => Promise<readonly InboxItem[]>;
};

export type ProcessInboxDeps = ReadBilledSettingsDeps & {
  readonly inbox: Pick<Inbox, 'list' | 'remove'>;
  readonly stores: Pick<Stores, 'find'>;
  /** The items of a topic group without a processor stay in the inbox. */
  readonly processorByTopicGroup: Readonly<Partial<Record<TopicGroup, TopicGroupProcessor>>>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

/** The time after which a store is processed again whose items failed or had to wait. */
const WAITING_STORE_RETRY_MS = 60_000;
/** After these errors a retry does not help: the items wait for an action that enqueues the store, or the reconciliation. */
const UNRETRIED_ERROR_CODES: ReadonlySet<string> = new Set(['STORE_ACCESS_MISSING', 'STORE_DISCONNECTED']);

/**
 * Processes a store's inbox until `endAtMs`.
 * @returns when to poll again (epoch milliseconds); undefined when nothing waits
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function processInbox(
  deps: ProcessInboxDeps,
  timeSlice: StoreTimeSlice,
): Promise<number | undefined> {
  const { shopId, endAtMs } = timeSlice;
  const store = await deps.stores.find(shopId);
  if (store === undefined || store.status === 'purging') return undefined;
  const inboxItems = await Array.fromAsync(deps.inbox.list(shopId));
  if (inboxItems.length === 0) return undefined;
  const run = { store, endAtMs, isBilled: (await readBilledSettings(deps, store)) !== undefined };
  let retryAtMs: number | undefined;
  for (const [topicGroup, itemsOfGroup] of Map.groupBy(inboxItems, (item) => item.topicGroup)) {
    const processor = deps.processorByTopicGroup[topicGroup];
    if (processor === undefined || (store.status !== 'installed' && !processor.includesUninstalledStores))
      continue;
    for (const itemBatch of splitIntoBatches(itemsOfGroup, processor.itemsPerCall)) {
      if (timeSlice.signal.aborted || deps.now() >= endAtMs) return deps.now();
      const batchOutcome = await processBatchOrSingly(deps, run, { processor, inboxItems: itemBatch });
      if (batchOutcome !== 'done') retryAtMs = deps.now() + WAITING_STORE_RETRY_MS;
      if (batchOutcome === 'failed') break;
    }
  }
  return retryAtMs;
}

type TopicBatch = { readonly processor: TopicGroupProcessor; readonly inboxItems: readonly InboxItem[] };

/** Processes items together; if that fails, one by one, so that an unreadable object does not block the others. */
async function processBatchOrSingly(
  deps: ProcessInboxDeps,
  run: StoreReadRun,
  { processor, inboxItems }: TopicBatch,
): Promise<BatchOutcome> {
  const batchOutcome = await processBatch(deps, run, { processor, inboxItems });
  if (batchOutcome !== 'failed' || inboxItems.length === 1) return batchOutcome;
  let isAnyProcessed = false;
  for (const item of inboxItems)
    if ((await processBatch(deps, run, { processor, inboxItems: [item] })) !== 'failed')
      isAnyProcessed = true;
  return isAnyProcessed ? 'waits' : 'failed';
}

type BatchOutcome = 'done' | 'waits' | 'failed';

async function processBatch(
  deps: ProcessInboxDeps,
  run: StoreReadRun,
  { processor, inboxItems }: TopicBatch,
): Promise<BatchOutcome> {
  const { shopId } = run.store;
  try {
    const finishedItems = await processor.process(run, inboxItems);
    for (const item of finishedItems) await deps.inbox.remove(shopId, item);
    return finishedItems.length === inboxItems.length ? 'done' : 'waits';
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('inbox.processing_failed', {
      shopId,
      errorCode: error.code,
      family: inboxItems[0]?.topicGroup,
    });
    // The items stay in the inbox. When an operator connects the store again, it is enqueued, and they are processed.
    return UNRETRIED_ERROR_CODES.has(error.code) ? 'done' : 'failed';
  }
}

export type TopicGroupProcessorDeps = ObserveContractsDeps &
  RecordAttemptsDeps &
  VerifyUninstallDeps &
  RefreshStoreDeps;

/** Returns the processor of each topic group. The `object` of an inbox item is the last part of the changed object's id. */
export function createTopicGroupProcessors(
  deps: TopicGroupProcessorDeps,
): Readonly<Partial<Record<TopicGroup, TopicGroupProcessor>>> {
  const storeRefreshProcessor: TopicGroupProcessor = {
    itemsPerCall: 1,
    process: async (run, items) => {
      await refreshTimeZoneAndCheckScopes(deps, run);
      return items;
    },
  };
  return {
    contracts: {
      itemsPerCall: CONTRACTS_PER_DOCUMENT,
      process: async (run, items) => {
        const contracts = items.map(({ object }) => object as ContractNumber);
        const observations = await observeContractsSinceBaseline(deps, run, contracts);
        return items.filter((_, index) => observations[index] !== 'wait');
      },
    },
    attempts: {
      itemsPerCall: MAX_ATTEMPTS_PER_REQUEST,
      process: async (run, items) => {
        const attemptNumbers = items.map(({ object }) => object);
        const attemptOutcomes = await recordAttempts(deps, run, attemptNumbers);
        return items.filter((_, index) => attemptOutcomes[index] === 'done');
      },
    },
    'payment-methods': {
      itemsPerCall: 1,
      process: async (run, [inboxItem]: readonly InboxItem[]) => {
        if (inboxItem === undefined) return [];
        const contracts = await findContractsByPaymentMethod(deps, run, inboxItem.object);
        const contractBatches = splitIntoBatches(contracts, CONTRACTS_PER_DOCUMENT);
        const outcomes = await awaitAll(
          contractBatches.map((contractBatch) => observeContractsSinceBaseline(deps, run, contractBatch)),
        );
        return outcomes.flat().includes('wait') ? [] : [inboxItem];
      },
    },
    app: {
      itemsPerCall: 1,
      includesUninstalledStores: true,
      process: async (run, items) => {
        await verifyUninstall(deps, run);
        return items;
      },
    },
    scopes: storeRefreshProcessor,
    shop: storeRefreshProcessor,
  };
}

async function observeContractsSinceBaseline(
  deps: TopicGroupProcessorDeps,
  run: StoreReadRun,
  contracts: readonly ContractNumber[],
) {
  const reconciliation = await readReconciliation(deps, run.store.shopId);
  return observeContracts(deps, { ...run, baselineAtMs: reconciliation?.baselineAtMs }, contracts);
}
