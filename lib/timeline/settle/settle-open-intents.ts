/**
 * Settles the changes that a crash or a lost response has left open, in batches, because not all open intents may fit into
 * memory. Later intents of a contract are evidence for earlier intents, so they are read with the batch.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { openIntentMetrics } from '../../observability/metrics.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { readDueTasksInBatches } from '../../storage/scheduled-tasks.ts';
import type { Stores } from '../../storage/stores.ts';
import { findEntriesOfIntents, type OpenIntent, SETTLE_INTENT_AFTER_MS, toOpenIntent } from '../intent.ts';
import { type SettleContractDeps, settleIntentsOfContract } from './settle-intents-of-contract.ts';

export type SettleOpenIntentsDeps = SettleContractDeps & { readonly stores: Pick<Stores, 'find'> };

const HOUR_MS = 3_600_000;
/** The maximum size of a batch, without the later intents of its contracts. */
const MAX_INTENTS_IN_MEMORY = 20_000;
/** The number of intents whose entries are read together. */
const MAX_INTENTS_READ_TOGETHER = 100;
/** After these errors no further contract of the store is tried. Other errors only end the work on one contract. */
const ERROR_CODES_STOPPING_STORE: ReadonlySet<string> = new Set(['THROTTLED', 'STORE_DISCONNECTED']);
const MAX_FAILURES_PER_STORE = 3;

type SettlementRun = {
  readonly endAtMs: number;
  readonly dueUntilMs: number;
  readonly oldBeforeMs: number;
  readonly batchSize: number;
  /** The ids of the intents of earlier batches: unsettled ones remain due, but must not be in a batch again. */
  readonly batchedIntentIds: Set<string>;
  /** The intents of all batches so far that are not settled. */
  readonly unsettled: Set<OpenIntent>;
  readonly settled: Set<OpenIntent>;
};

/**
 * Settles intents that are older than two minutes, batch by batch until `endAtMs`, and returns their number.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function settleOpenIntents(
  deps: SettleOpenIntentsDeps,
  endAtMs: number,
  batchSize = MAX_INTENTS_IN_MEMORY,
): Promise<number> {
  const dueUntilMs = deps.now() + SETTLE_INTENT_AFTER_MS;
  const timeLimits = { endAtMs, dueUntilMs, oldBeforeMs: deps.now() - HOUR_MS };
  const run: SettlementRun = {
    ...timeLimits,
    batchSize,
    batchedIntentIds: new Set(),
    unsettled: new Set(),
    settled: new Set(),
  };
  let notAppendedCount = 0;
  for (let hasMore = true; hasMore && deps.now() < endAtMs; ) {
    const { batchIntents, laterIntents, oldNotAppendedCount } = await readIntentBatch(deps, run);
    notAppendedCount = oldNotAppendedCount;
    for (const intent of batchIntents) run.unsettled.add(intent);
    const intentsToSettle = new Set(batchIntents);
    await forEachStore([...batchIntents, ...laterIntents], (shopId, intents) =>
      settleIntentsOfStore(deps, run, { shopId, intents, intentsToSettle }),
    );
    hasMore = batchIntents.length === batchSize;
  }
  const oldIntents = [...run.unsettled].filter(({ createdAtMs }) => createdAtMs < run.oldBeforeMs);
  const intentCounts = {
    open: run.unsettled.size,
    intentsOpenOverAnHour: oldIntents.length + notAppendedCount,
  };
  deps.logger.info('open_intents.counted', intentCounts, [openIntentMetrics]);
  return run.settled.size;
}

type IntentBatch = {
  /** The oldest intents that were not in an earlier batch. */
  readonly batchIntents: readonly OpenIntent[];
  /** All later intents of the same contracts. */
  readonly laterIntents: readonly OpenIntent[];
  /** The number of old intents whose entries are not appended to the stream. */
  readonly oldNotAppendedCount: number;
};

async function readIntentBatch(deps: SettleOpenIntentsDeps, run: SettlementRun): Promise<IntentBatch> {
  const batchIntents: OpenIntent[] = [];
  const laterIntents: OpenIntent[] = [];
  const contractKeys = new Set<string>();
  let oldNotAppendedCount = 0;
  for await (const { intent, hasEntry } of listIntents(deps, run)) {
    if (hasEntry && intent.createdAtMs < run.oldBeforeMs) oldNotAppendedCount++;
    if (hasEntry || intent.isPlace) continue;
    const contractKey = `${intent.shopId} ${intent.contract}`;
    if (batchIntents.length === run.batchSize) {
      if (contractKeys.has(contractKey)) laterIntents.push(intent);
      continue;
    }
    batchIntents.push(intent);
    run.batchedIntentIds.add(intent.id);
    contractKeys.add(contractKey);
  }
  return { batchIntents, laterIntents, oldNotAppendedCount };
}

async function* listIntents(
  { table, scheduledTasks }: SettleOpenIntentsDeps,
  { dueUntilMs, batchedIntentIds }: SettlementRun,
): AsyncGenerator<{ readonly intent: OpenIntent; readonly hasEntry: boolean }> {
  const dueTaskBatches = readDueTasksInBatches(scheduledTasks, {
    kind: 'intent',
    nowMs: dueUntilMs,
    batchSize: MAX_INTENTS_READ_TOGETHER,
  });
  for await (const dueTasks of dueTaskBatches) {
    const intents = dueTasks.map(toOpenIntent).filter(({ id }) => !batchedIntentIds.has(id));
    const foundEntries = await findEntriesOfIntents({ table }, intents);
    yield* intents.map((intent, index) => ({ intent, hasEntry: foundEntries[index] !== undefined }));
  }
}

type IntentsOfStore = {
  readonly shopId: OpenIntent['shopId'];
  /** The store's open intents, oldest first. */
  readonly intents: readonly OpenIntent[];
  /** The intents of all stores that are settled in this batch; the other intents are only evidence. */
  readonly intentsToSettle: ReadonlySet<OpenIntent>;
};

async function settleIntentsOfStore(
  deps: SettleOpenIntentsDeps,
  run: SettlementRun,
  { shopId, intents, intentsToSettle }: IntentsOfStore,
): Promise<void> {
  const { unsettled, settled, endAtMs } = run;
  const store = await deps.stores.find(shopId);
  // A store that is not installed cannot be read: its intents wait until it is installed again, or are purged with it.
  if (store?.status !== 'installed') {
    for (const intent of intents) unsettled.delete(intent);
    return;
  }
  const markSettled = (intent: OpenIntent) => {
    unsettled.delete(intent);
    settled.add(intent);
  };
  let failureCount = 0;
  for (const [, intentsOfContract] of Map.groupBy(intents, ({ contract }) => contract)) {
    const dueIntents = intentsOfContract.filter(
      (one) => one.createdAtMs + SETTLE_INTENT_AFTER_MS <= deps.now() && intentsToSettle.has(one),
    );
    if (dueIntents.length === 0) continue;
    if (deps.now() >= endAtMs) return;
    try {
      await settleIntentsOfContract(deps, {
        store,
        intents: intentsOfContract,
        dueIntents,
        endAtMs,
        onSettled: markSettled,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('intent.settlement_postponed', { shopId, errorCode: error.code });
      failureCount++;
      if (ERROR_CODES_STOPPING_STORE.has(error.code) || failureCount >= MAX_FAILURES_PER_STORE) return;
    }
  }
}
