/** Changes of a contract may be begun at about the same time: the work of one is then seen by another. */
import type { DueItems } from '../storage/due-items.ts';
import type { Table } from '../storage/table.ts';
import { haveSameEnd } from './changed-fact.ts';
import { formatEventNumber, HIGHEST } from './event-number.ts';
import { type EventRecord, type TimelineRef, timelinePartition, toEventRecord } from './event-record.ts';
import { IN_FLIGHT_MS, type OpenIntent, SETTLE_AFTER_MS, toOpenIntent } from './open-intent.ts';

type Deps = { readonly table: Table; readonly dueItems: DueItems; readonly now: () => number };

/**
 * Whether another change, open or told, was to bring a fact of the contract to the same end while this one was under
 * way. TEMPORARILY_UNAVAILABLE.
 */
export async function isAnotherUnderWay(deps: Deps, intent: OpenIntent): Promise<boolean> {
  const { dueItems, table, now } = deps;
  const fromMs = intent.createdAtMs - IN_FLIGHT_MS;
  const due = { fromMs: fromMs + SETTLE_AFTER_MS, toMs: now() + IN_FLIGHT_MS + SETTLE_AFTER_MS };
  // Intents first: one that is settled meanwhile has its entry before its intent goes.
  for await (const item of dueItems.listOfStore('intent', intent.shopId, due)) {
    const other = toOpenIntent(item);
    const isOther = other.id !== intent.id && other.contract === intent.contract;
    if (isOther && haveSameEnd(intent, other)) return true;
  }
  const entries = await entriesBegunSince(table, intent, fromMs);
  return entries.some((entry) => haveSameEnd(intent, entry));
}

/** Entries of a contract that were begun then or later, oldest first, consistently read. TEMPORARILY_UNAVAILABLE. */
export async function entriesBegunSince(
  table: Table,
  ref: TimelineRef,
  fromMs: number,
): Promise<EventRecord[]> {
  const lowest = formatEventNumber({ createdAtMs: fromMs, sequence: 0, contract: undefined });
  const { items } = await table.query({
    keyCondition: 'pk = :pk AND sk BETWEEN :lowest AND :highest',
    values: { ':pk': timelinePartition(ref), ':lowest': lowest, ':highest': HIGHEST },
    consistent: true,
  });
  return items.map(toEventRecord);
}
