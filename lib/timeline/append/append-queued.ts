/**
 * The append step: the one writer of the streams. It applies what is queued of each contract to the contract's recorded state,
 * commits the state with all that is to be appended, and appends. One run at a time does this for a part of the stores, so that
 * several runs share the stores.
 */
import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import {
  claimDue,
  claimDueInBatches,
  type DueItem,
  type DueItems,
  STORE_PARTS,
  type StorePart,
} from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import type { Stores } from '../../storage/stores.ts';
import type { AppendToStream } from '../../storage/stream/append-to-stream.ts';
import type { Table } from '../../storage/table.ts';
import type { AppendLease } from '../../storage/work-queue/part-lease.ts';
import { shareTime } from '../../storage/work-queue/share-time.ts';
import type { ContractNumber } from '../event-record.ts';
import { findEntries, SETTLE_AFTER_MS, toOpenIntent } from '../intent.ts';
import { applyItems } from './apply-items.ts';
import { CLOCKS_DIFFER_MS } from './apply-observation.ts';
import { hasNoEntry, type QueuedItem, recordOf, toQueuedItem } from './queue-item.ts';
import { commitState, type RecordedState, readStates } from './recorded-state.ts';
import { splitEntry } from './split-events.ts';
import { writeBatch } from './write-batch.ts';

export type AppendDeps = {
  readonly table: Pick<Table, 'batchGet' | 'get' | 'query' | 'put' | 'update'>;
  readonly dueItems: Pick<DueItems, 'listDue' | 'find' | 'remove'>;
  readonly stores: Pick<Stores, 'find'>;
  /** The appending of one run. */
  readonly startAppending: () => AppendToStream;
  readonly enqueueDelivery: (shopId: ShopId) => Promise<void>;
  /** The worker of store events reads the contract again. */
  readonly observeAgain: (shopId: ShopId, contract: ContractNumber) => Promise<void>;
  /** The lease of a part of the stores. Undefined: another run has it. */
  readonly acquireLease: (part: StorePart) => Promise<AppendLease | undefined>;
  readonly logger: Pick<Logger, 'error'>;
  readonly now: () => number;
  /** From 0 to 1: with which part a run begins. */
  readonly random: () => number;
};

/** So many are held in memory; those of one store are read together. */
const BATCH_SIZE = 500;

/** A run that was rung lists the queue again, so many times at most: the next run does the rest. */
const MAX_RETRIES = 3;

/** Appends what is queued until `endAtMs`; returns how many items. A store's failure is logged. TEMPORARILY_UNAVAILABLE: the table. */
export async function appendQueued(deps: AppendDeps, endAtMs: number): Promise<number> {
  // Runs that begin together begin with other parts.
  const first = Math.floor(deps.random() * STORE_PARTS.length);
  const parts = [...STORE_PARTS.slice(first), ...STORE_PARTS.slice(0, first)];
  const queued = await settleAll(parts.map((part) => isQueued(deps, part)));
  let count = 0;
  const withWork = parts.filter((_, index) => queued[index]);
  await shareTime({ now: deps.now, endAtMs }, withWork, async (part, shareEndsAtMs) => {
    const done = await appendOfPart(deps, part, shareEndsAtMs);
    count += done;
    return done;
  });
  return count;
}

/** Most runs find that of most parts nothing is queued: these have no lease to take. */
async function isQueued(deps: AppendDeps, part: StorePart): Promise<boolean> {
  return (await claimDue(deps.dueItems, { ...queueOf(deps), part, maximum: 1 })).length > 0;
}

async function appendOfPart(deps: AppendDeps, part: StorePart, endAtMs: number): Promise<number> {
  const lease = await deps.acquireLease(part);
  if (lease === undefined) return 0;
  let count = 0;
  let isLeased = true;
  try {
    for (let retries = 0; isLeased && retries <= MAX_RETRIES; retries++) {
      count += await appendListed({ ...deps, append: deps.startAppending() }, part, endAtMs);
      if (deps.now() >= endAtMs) break;
      isLeased = (await lease.releaseUnlessRung()) === 'rung';
    }
    return count;
  } finally {
    if (isLeased) await lease.release();
  }
}

/** The clock of whoever wrote an item may be ahead. */
function queueOf({ now }: AppendDeps) {
  return { kind: 'intent', nowMs: now() + SETTLE_AFTER_MS + CLOCKS_DIFFER_MS } as const;
}

type RunDeps = AppendDeps & { readonly append: AppendToStream };

async function appendListed(deps: RunDeps, part: StorePart, endAtMs: number): Promise<number> {
  let count = 0;
  const stopped = new Set<string>();
  for await (const due of claimDueInBatches(deps.dueItems, {
    ...queueOf(deps),
    part,
    concurrency: BATCH_SIZE,
  })) {
    if (deps.now() >= endAtMs) break;
    await eachStore(due, async (shopId, items) => {
      try {
        count += await appendOfStore(deps, shopId, { items, stopped, endAtMs });
      } catch (error) {
        // Nothing that is younger goes before what could not be appended.
        stopped.add(`${shopId}`);
        const cause = error instanceof Error ? error.message : 'unknown';
        deps.logger.error('stream.append_failed', { shopId, cause });
      }
    });
  }
  return count;
}

type StoreWork = {
  /** Oldest first. */
  readonly items: readonly DueItem[];
  /** Stores and contracts of which something waits. */
  readonly stopped: Set<string>;
  readonly endAtMs: number;
};

async function appendOfStore(deps: RunDeps, shopId: ShopId, work: StoreWork): Promise<number> {
  const store = await deps.stores.find(shopId);
  // What is left of a store that is purged goes with it.
  if (store === undefined || store.status === 'purging' || work.stopped.has(`${shopId}`)) return 0;
  const byContract = Map.groupBy(await readQueued(deps, work.items), contractOf);
  const contracts = [...byContract.keys()].filter((contract) => contract !== undefined);
  const read = await readStates(deps, shopId, contracts);
  const states = new Map(read.map((state) => [state.contract, state]));
  const ownDeps = { ...deps, append: wakingOnce(deps) };
  let count = 0;
  for (const [contract, items] of byContract) {
    if (deps.now() >= work.endAtMs) break;
    const name = `${shopId} ${contract}`;
    if (work.stopped.has(name)) continue;
    const state = contract && states.get(contract);
    const done = state
      ? await appendOfContract(ownDeps, state, items)
      : await appendOfStoreItself(ownDeps, shopId, items);
    count += done.count;
    if (done.waits) work.stopped.add(name);
  }
  return count;
}

/** Wakes the store's delivery before the first record: a run that dies after it leaves no record that nobody delivers. */
function wakingOnce({ append, enqueueDelivery }: RunDeps): AppendToStream {
  let isEnqueued = false;
  return async (shopId, records) => {
    if (records.length > 0 && !isEnqueued) await enqueueDelivery(shopId);
    isEnqueued ||= records.length > 0;
    await append(shopId, records);
  };
}

function contractOf({ intent, entry }: QueuedItem): ContractNumber | undefined {
  return entry?.contract ?? intent.made ?? intent.contract;
}

/** The items with their entries, in the order of their numbers; without intents that have come to nothing since they were listed. */
async function readQueued(deps: RunDeps, items: readonly DueItem[]): Promise<QueuedItem[]> {
  const named = items.filter((item) => !hasNoEntry(item));
  const entries = await findEntries(deps, named.map(toOpenIntent));
  const entryOf = new Map(named.map((item, index) => [item, entries[index]]));
  const queued = items.map((item) => toQueuedItem(item, entryOf.get(item)));
  const isThere = await settleAll(
    queued.map(async ({ item, entry }) => {
      if (entry !== undefined || hasNoEntry(item)) return true;
      return (await deps.dueItems.find(item))?.id === item.id;
    }),
  );
  const numberOf = ({ intent, entry }: QueuedItem) => entry?.number ?? intent.number;
  // Within a millisecond an entry may have a higher number than its intent, never a lower one.
  return queued
    .filter((_, index) => isThere[index])
    .sort((one, other) => (numberOf(one) < numberOf(other) ? -1 : numberOf(one) > numberOf(other) ? 1 : 0));
}

/** An item as a batch names it. The entry of a charge is queued once for each state, under the same id. */
function sourceOf({ name, payload }: DueItem): string {
  return `${name} ${payload.action ?? ''}`;
}

type Done = { readonly count: number; readonly waits: boolean };

/** Events of the whole store. What is under way waits for nobody, and nobody for it. */
async function appendOfStoreItself(
  deps: RunDeps,
  shopId: ShopId,
  items: readonly QueuedItem[],
): Promise<Done> {
  const ready = items.filter(({ notice, entry }) => notice !== undefined || entry !== undefined);
  for (const { item, notice, entry } of ready) {
    await deps.append(shopId, entry ? splitEntry(entry) : notice ? [recordOf(notice)] : []);
    await deps.dueItems.remove(item);
  }
  return { count: ready.length, waits: false };
}

async function appendOfContract(
  deps: RunDeps,
  read: RecordedState,
  queued: readonly QueuedItem[],
): Promise<Done> {
  const committed = new Set(read.batch?.sources);
  const again = queued.filter(({ item }) => committed.has(sourceOf(item)));
  if (read.batch !== undefined && again.length > 0)
    await writeBatch(deps, read, { batch: read.batch, items: again });
  const items = queued.filter((one) => !again.includes(one));
  const applied = applyItems(read, items, deps.now());
  const { state, done, entries, corrections, records, waits } = applied;
  const sources = done.map(({ item }) => sourceOf(item));
  const batch = { sources, entries, corrections, records };
  const next = { ...state, batch };
  if (state !== read && (await commitState(deps, next)) === 'refused')
    return { count: again.length, waits: true };
  if (applied.isObservedAgain) await deps.observeAgain(read.shopId, read.contract);
  await writeBatch(deps, read, { batch, items: done });
  return { count: again.length + done.length, waits };
}
