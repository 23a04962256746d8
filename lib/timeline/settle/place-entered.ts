/**
 * Entries get their places in their stores' streams, and their intents go: the entries of a contract in the order of their
 * numbers. One run at a time does this for all stores, once a minute and before stores are served, so that no request has to.
 */
import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import { type DueItem, type DueItems, takeDueInBatches } from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import type { Stores } from '../../storage/stores.ts';
import type { PlaceInStream } from '../../storage/stream/place-in-stream.ts';
import type { Table } from '../../storage/table.ts';
import type { PlacerLease } from '../../storage/wakes/placer-lease.ts';
import { type Entry, isTold, placingOf } from '../end-intent.ts';
import { IN_FLIGHT_MS, PLACE_WAITS_MS, SETTLE_AFTER_MS, toOpenIntent } from '../open-intent.ts';
import { findEntries } from './find-entries.ts';

export type PlaceDeps = {
  readonly table: Pick<Table, 'batchGet' | 'query'>;
  readonly dueItems: Pick<DueItems, 'listDue' | 'find' | 'remove'>;
  readonly stores: Pick<Stores, 'find'>;
  /** Wakes nobody: a store is woken once, after all of its placings. */
  readonly placeInStream: PlaceInStream;
  readonly wakeDelivery: (shopId: ShopId) => Promise<void>;
  /** Undefined: another run is at it. */
  readonly takeLease: () => Promise<PlacerLease | undefined>;
  readonly logger: Pick<Logger, 'error'>;
  readonly now: () => number;
};

/** So many are held in memory; those of one store are woken for, and go, together. */
const INTENTS_AT_ONCE = 500;

/** Places what is entered until `endAtMs`; returns how many. A store's failure is logged. TEMPORARILY_UNAVAILABLE: the table. */
export async function placeEntered(deps: PlaceDeps, endAtMs: number): Promise<number> {
  const lease = await deps.takeLease();
  if (lease === undefined) return 0;
  try {
    return await placeAll(deps, endAtMs);
  } finally {
    await lease.release();
  }
}

async function placeAll(deps: PlaceDeps, endAtMs: number): Promise<number> {
  let count = 0;
  const waiting = new Set<string>();
  const failed = new Set<ShopId>();
  // Clocks differ: what is begun by now may be due a little later than by this one.
  const nowMs = deps.now() + SETTLE_AFTER_MS + IN_FLIGHT_MS;
  const batches = takeDueInBatches(deps.dueItems, { kind: 'intent', nowMs, atOnce: INTENTS_AT_ONCE });
  for await (const due of batches) {
    if (deps.now() >= endAtMs) break;
    await eachStore(due, async (shopId, items) => {
      try {
        count += await placeOfStore(deps, shopId, { items, waiting, failed, endAtMs });
      } catch (error) {
        failed.add(shopId);
        const cause = error instanceof Error ? error.message : 'unknown';
        deps.logger.error('entries could not be placed', { shopId, cause });
      }
    });
  }
  return count;
}

type StoreWork = {
  /** Oldest first. */
  readonly items: readonly DueItem[];
  /** The contracts of which a change before these is under way. */
  readonly waiting: Set<string>;
  /** Stores of which something could not be placed: nothing that is younger goes before it. */
  readonly failed: Set<ShopId>;
  readonly endAtMs: number;
};

async function placeOfStore(
  deps: PlaceDeps,
  shopId: ShopId,
  { items, waiting, failed, endAtMs }: StoreWork,
): Promise<number> {
  const store = await deps.stores.find(shopId);
  // What is left of a store that is purged goes with it.
  if (store === undefined || store.status === 'purging' || failed.has(shopId)) return 0;
  const entries = await findEntries(deps, items.map(toOpenIntent));
  const entered = new Set(entries.map((entry) => entry?.id));
  const placed: DueItem[] = [];
  try {
    for (const { item, entry } of inOrder(items, entries)) {
      if (deps.now() >= endAtMs) break;
      const contract = entry === undefined ? toOpenIntent(item).contract : entry.contract;
      const order = `${shopId} ${contract}`;
      if (entry === undefined) {
        if (contract !== undefined && (await isWaitedFor(deps, item, entered))) waiting.add(order);
      } else if (!waiting.has(order)) {
        await place(deps, entry);
        placed.push(item);
      }
    }
  } finally {
    if (placed.length > 0) await deps.wakeDelivery(shopId);
    await settleAll(placed.map((item) => deps.dueItems.remove(item)));
  }
  return placed.length;
}

/** By number. Within a millisecond an entry may have got a higher one than its intent, never a lower one. */
function inOrder(items: readonly DueItem[], entries: readonly (Entry | undefined)[]) {
  const all = items.map((item, index) => {
    const entry = entries[index];
    return { item, entry, number: entry?.number ?? toOpenIntent(item).number };
  });
  return all.sort((one, other) => (one.number < other.number ? -1 : one.number > other.number ? 1 : 0));
}

async function place({ placeInStream }: PlaceDeps, entry: Entry): Promise<void> {
  if (isTold(entry)) await placeInStream(placingOf(entry));
}

/**
 * Whether younger entries of the contract wait for what has none. A place is given up that nobody waits for any more, or
 * whose entry was written at another time by one who came after.
 */
async function isWaitedFor(
  { dueItems, now }: PlaceDeps,
  item: DueItem,
  entered: ReadonlySet<string | undefined>,
): Promise<boolean> {
  const intent = toOpenIntent(item);
  const isPatient = now() - intent.createdAtMs < PLACE_WAITS_MS && !entered.has(intent.id);
  if (!isPatient && intent.isPlace) await dueItems.remove(item);
  // It may have come to nothing since it was listed.
  return isPatient && isTold(intent) && (await dueItems.find(item))?.id === item.id;
}
