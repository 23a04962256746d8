/**
 * The scheduled work settles the changes that a crash or a lost response has left open, in batches: not all open intents
 * may fit into memory. Later intents of a contract are evidence for earlier ones, so a batch includes them.
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
/** The size of a batch, without the later intents of its contracts. */
const MAX_INTENTS_IN_MEMORY = 20_000;
/** The number of intents whose entries are read together. */
const MAX_INTENTS_READ_TOGETHER = 100;
/** These errors stop the whole store. Others stop one contract, so that it does not keep the others open. */
const ERROR_CODES_STOPPING_STORE: ReadonlySet<string> = new Set(['THROTTLED', 'STORE_DISCONNECTED']);
const MAX_FAILURES_PER_STORE = 3;

type SettlementRun = {
  readonly endAtMs: number;
  readonly untilMs: number;
  readonly oldBeforeMs: number;
  readonly batchSize: number;
  /** Ids of the intents of earlier batches, so that no batch has them again: unsettled ones remain due. */
  readonly batchedIntentIds: Set<string>;
  /** Intents that are not settled. */
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
  const untilMs = deps.now() + SETTLE_INTENT_AFTER_MS;
  const timeLimits = { endAtMs, untilMs, oldBeforeMs: deps.now() - HOUR_MS };
  const run: SettlementRun = {
    ...timeLimits,
    batchSize,
    batchedIntentIds: new Set(),
    unsettled: new Set(),
    settled: new Set(),
  };
  let notAppendedCount = 0;
  for (let hasMore = true; hasMore && deps.now() < endAtMs; ) {
    const { own, after, oldNotAppended } = await readIntentBatch(deps, run);
    notAppendedCount = oldNotAppended;
    for (const intent of own) run.unsettled.add(intent);
    const chosenIntents = new Set(own);
    await forEachStore([...own, ...after], (shopId, intents) =>
      settleIntentsOfStore(deps, run, { shopId, intents, chosen: chosenIntents }),
    );
    hasMore = own.length === batchSize;
  }
  const old = [...run.unsettled].filter(({ createdAtMs }) => createdAtMs < run.oldBeforeMs);
  const intentCounts = { open: run.unsettled.size, intentsOpenOverAnHour: old.length + notAppendedCount };
  deps.logger.info('open_intents.counted', intentCounts, [openIntentMetrics]);
  return run.settled.size;
}

type IntentBatch = {
  /** The oldest intents that were not in an earlier batch. */
  readonly own: readonly OpenIntent[];
  /** All later intents of the same contracts. */
  readonly after: readonly OpenIntent[];
  /** The number of old intents whose entries are not appended to the stream. */
  readonly oldNotAppended: number;
};

async function readIntentBatch(deps: SettleOpenIntentsDeps, run: SettlementRun): Promise<IntentBatch> {
  const batchIntents: OpenIntent[] = [];
  const openIntents: OpenIntent[] = [];
  const contracts = new Set<string>();
  let oldNotAppendedCount = 0;
  for await (const { intent, isEntered } of listIntents(deps, run)) {
    if (isEntered && intent.createdAtMs < run.oldBeforeMs) oldNotAppendedCount++;
    if (isEntered || intent.isPlace) continue;
    const contract = `${intent.shopId} ${intent.contract}`;
    if (batchIntents.length === run.batchSize) {
      if (contracts.has(contract)) openIntents.push(intent);
      continue;
    }
    batchIntents.push(intent);
    run.batchedIntentIds.add(intent.id);
    contracts.add(contract);
  }
  return { own: batchIntents, after: openIntents, oldNotAppended: oldNotAppendedCount };
}

async function* listIntents(
  { table, scheduledTasks }: SettleOpenIntentsDeps,
  { untilMs, batchedIntentIds }: SettlementRun,
): AsyncGenerator<{ readonly intent: OpenIntent; readonly isEntered: boolean }> {
  const dueTaskBatches = readDueTasksInBatches(scheduledTasks, {
    kind: 'intent',
    nowMs: untilMs,
    batchSize: MAX_INTENTS_READ_TOGETHER,
  });
  for await (const dueTasks of dueTaskBatches) {
    const intents = dueTasks.map(toOpenIntent).filter(({ id }) => !batchedIntentIds.has(id));
    const foundEntries = await findEntriesOfIntents({ table }, intents);
    yield* intents.map((intent, index) => ({ intent, isEntered: foundEntries[index] !== undefined }));
  }
}

type IntentsOfStore = {
  readonly shopId: OpenIntent['shopId'];
  /** The store's open intents, oldest first. */
  readonly intents: readonly OpenIntent[];
  /** The intents of all stores that are settled now; the others are evidence. */
  readonly chosen: ReadonlySet<OpenIntent>;
};

async function settleIntentsOfStore(
  deps: SettleOpenIntentsDeps,
  run: SettlementRun,
  { shopId, intents, chosen }: IntentsOfStore,
): Promise<void> {
  const { unsettled, settled, endAtMs } = run;
  const store = await deps.stores.find(shopId);
  // A store that is not connected cannot be read; its intents wait for it, or are purged with it.
  if (store?.status !== 'installed') {
    for (const intent of intents) unsettled.delete(intent);
    return;
  }
  const leaveIntent = (intent: OpenIntent) => {
    unsettled.delete(intent);
    settled.add(intent);
  };
  let failureCount = 0;
  for (const [, intentsOfContract] of Map.groupBy(intents, ({ contract }) => contract)) {
    const dueIntents = intentsOfContract.filter(
      (one) => one.createdAtMs + SETTLE_INTENT_AFTER_MS <= deps.now() && chosen.has(one),
    );
    if (dueIntents.length === 0) continue;
    if (deps.now() >= endAtMs) return;
    try {
      await settleIntentsOfContract(deps, {
        store,
        intents: intentsOfContract,
        due: dueIntents,
        endAtMs,
        leave: leaveIntent,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('intent.settlement_postponed', { shopId, errorCode: error.code });
      failureCount++;
      if (ERROR_CODES_STOPPING_STORE.has(error.code) || failureCount >= MAX_FAILURES_PER_STORE) return;
    }
  }
}
