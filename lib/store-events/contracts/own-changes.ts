/** What the service itself has done to a contract, or is about to do: intents that are open, and entries. */
import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { DueItems } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';
import type { ContractNumber } from '../../timeline/event-number.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import { entriesBegunSince, stillOpen } from '../../timeline/is-another-under-way.ts';
import { IN_FLIGHT_MS, type OpenIntent, SETTLE_AFTER_MS, toOpenIntent } from '../../timeline/open-intent.ts';
import type { OwnChange } from './compare-contract.ts';
import type { ContractSnapshot } from './contract-snapshot.ts';

type Deps = { readonly table: Table; readonly dueItems: DueItems; readonly now: () => number };

/** Older ones are told as unknown when they are settled. */
const OPEN_DAYS_MS = 86_400_000;
/** Clocks of containers differ so much at most. */
const CLOCKS_DIFFER_MS = 5_000;

/**
 * The open intents of these contracts of a store, without those that have their entries. They are read before entries: one
 * that is settled has its entry from then on. TEMPORARILY_UNAVAILABLE.
 */
export async function readOpenIntents(
  { table, dueItems, now }: Deps,
  shopId: ShopId,
  contracts: readonly ContractNumber[],
): Promise<ReadonlyMap<ContractNumber, readonly OpenIntent[]>> {
  const span = {
    fromMs: now() - OPEN_DAYS_MS + SETTLE_AFTER_MS,
    toMs: now() + SETTLE_AFTER_MS + CLOCKS_DIFFER_MS,
  };
  const listed: OpenIntent[] = [];
  for await (const item of dueItems.listOfStore('intent', shopId, span)) listed.push(toOpenIntent(item));
  const byContract = Map.groupBy(listed, ({ contract, made }) => made ?? contract);
  const distinct = [...new Set(contracts)];
  const open = await settleAll(distinct.map((contract) => stillOpen(table, byContract.get(contract) ?? [])));
  return new Map(distinct.map((contract, index) => [contract, open[index] ?? []]));
}

type Since = Pick<ContractSnapshot, 'shopId' | 'contract' | 'sinceMs' | 'seen' | 'open'>;
type Looking = {
  readonly open: readonly OpenIntent[];
  /** When the platform was asked. */
  readonly readAtMs: number;
  /** When the last night began that has compared all contracts; undefined: there was none. */
  readonly confirmedAtMs: number | undefined;
};

/** The id of a change: its intent's. Entries from before ids were kept have their number alone. */
function changeId(change: OwnChange | EventRecord): string {
  const { id } = change as { readonly id?: string };
  return id ?? change.number;
}

export type OwnChanges = {
  /** In the order of their numbers. */
  readonly changes: readonly OwnChange[];
  /** Whether one was begun so late that the platform may have been read before it was made. */
  readonly hasFresh: boolean;
  /** What the next snapshot has to know of them. */
  readonly next: Pick<ContractSnapshot, 'sinceMs' | 'seen' | 'open'>;
};

/** The service's own changes since a snapshot. What is still open was perhaps made. */
export async function readOwnChanges(
  { table }: Pick<Deps, 'table'>,
  since: Since,
  { open, readAtMs, confirmedAtMs = 0 }: Looking,
): Promise<OwnChanges> {
  const sinceMs = Math.min(readAtMs - IN_FLIGHT_MS, ...open.map(({ createdAtMs }) => createdAtMs));
  const entries = await entriesBegunSince(table, since, Math.min(sinceMs, since.sinceMs));
  const own = entries.filter(({ actor }) => actor.kind !== 'UNKNOWN');
  const unseen = own.filter(
    (entry) => entry.createdAtMs >= since.sinceMs && !since.seen.includes(changeId(entry)),
  );
  const isSince = ({ id }: { readonly id: string }) => !since.open.includes(id);
  const made = unseen.map((entry) => {
    const isNew = isSince({ id: changeId(entry) });
    const isSure = entry.outcome === 'DONE' && isNew;
    // Whoever settles a change may finish it first. Before that it is not past, however long ago it was begun.
    const isPast = !isSure && (entry.endedAtMs ?? Infinity) < confirmedAtMs - IN_FLIGHT_MS;
    return { ...entry, isSure, isSince: isNew, isPast };
  });
  const perhaps = open.map((intent) => {
    return { ...intent, isSure: false, isSince: isSince(intent), isPast: false };
  });
  return {
    changes: [...made, ...perhaps].sort((one, other) => (one.number < other.number ? -1 : 1)),
    hasFresh: unseen.some(({ createdAtMs }) => createdAtMs > readAtMs - CLOCKS_DIFFER_MS),
    next: {
      sinceMs,
      seen: own.filter(({ createdAtMs }) => createdAtMs >= sinceMs).map(changeId),
      open: open.map(({ id }) => id),
    },
  };
}
