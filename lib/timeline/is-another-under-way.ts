/** Changes of a contract may be begun at about the same time: the work of one is then seen by another. */
import type { DueItems } from '../storage/due-items.ts';
import type { Table } from '../storage/table.ts';
import { type ChangedFact, changeOf, haveSameEnd, isSameText } from './changed-fact.ts';
import { formatEventNumber, HIGHEST } from './event-number.ts';
import {
  type EventFacts,
  type EventRecord,
  type TimelineRef,
  timelinePartition,
  toEventRecord,
} from './event-record.ts';
import { IN_FLIGHT_MS, type OpenIntent, SETTLE_AFTER_MS, toOpenIntent } from './open-intent.ts';

type Deps = { readonly table: Table; readonly dueItems: DueItems; readonly now: () => number };

/**
 * Whether another change, open or told, was to bring a fact of the contract to the same end while this one was under
 * way. TEMPORARILY_UNAVAILABLE.
 */
export async function isAnotherUnderWay(deps: Deps, intent: OpenIntent): Promise<boolean> {
  const others = await othersBegunSince(deps, intent, intent.createdAtMs - IN_FLIGHT_MS);
  return others.some((other) => haveSameEnd(intent, other));
}

/**
 * Those of a change's facts that another change has told, and that the changes do not join without: the change was undone
 * before it was told, and another one made it again. TEMPORARILY_UNAVAILABLE.
 */
export async function missingFacts(
  deps: Deps,
  intent: OpenIntent & { readonly readAtMs: number },
): Promise<readonly ChangedFact[]> {
  const others = await othersBegunSince(deps, intent, intent.readAtMs - IN_FLIGHT_MS);
  return intent.changes.filter((fact) => {
    const { field, before, after } = fact;
    const steps = others.flatMap(({ number, changes }) => {
      const found = changeOf(changes, field);
      return found === undefined ? [] : [{ ...found, number }];
    });
    const previous = steps.findLast(({ number }) => number < intent.number);
    if (previous !== undefined && !isSameText(field, previous.after, before)) return false;
    const next = steps.find(({ number }) => number > intent.number);
    // Whoever told the same end did so ahead of the last change, which began there.
    return next === undefined ? previous !== undefined : isSameText(field, next.before, after);
  });
}

/** Other changes of the contract, told or open, oldest first. */
async function othersBegunSince(
  { dueItems, table, now }: Deps,
  { shopId, contract, id }: OpenIntent,
  fromMs: number,
): Promise<readonly EventFacts[]> {
  const due = { fromMs: fromMs + SETTLE_AFTER_MS, toMs: now() + IN_FLIGHT_MS + SETTLE_AFTER_MS };
  const open: OpenIntent[] = [];
  // Intents first: one that is settled meanwhile has its entry before its intent goes.
  for await (const item of dueItems.listOfStore('intent', shopId, due)) open.push(toOpenIntent(item));
  const told = await entriesBegunSince(table, { shopId, contract }, fromMs);
  const ids = new Set<unknown>([id, ...told.map((entry) => (entry as Partial<OpenIntent>).id)]);
  const untold = open.filter((other) => other.contract === contract && !ids.has(other.id));
  return [...told.filter((entry) => (entry as Partial<OpenIntent>).id !== id), ...untold].sort(
    (one, other) => (one.number < other.number ? -1 : 1),
  );
}

/** Those of a contract's intents whose changes may be under way: they have no entries. TEMPORARILY_UNAVAILABLE. */
export async function stillOpen(
  table: Pick<Table, 'query'>,
  intents: readonly OpenIntent[],
): Promise<readonly OpenIntent[]> {
  const open = intents.filter(({ isPlace }) => !isPlace);
  const [first] = open;
  if (first === undefined) return [];
  const entries = await entriesBegunSince(
    table,
    first,
    Math.min(...open.map(({ createdAtMs }) => createdAtMs)),
  );
  const entered = new Set(entries.map((entry) => (entry as Partial<OpenIntent>).id));
  return open.filter(({ id }) => !entered.has(id));
}

/** Entries of a contract that were begun then or later, oldest first, consistently read. TEMPORARILY_UNAVAILABLE. */
export async function entriesBegunSince(
  table: Pick<Table, 'query'>,
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
