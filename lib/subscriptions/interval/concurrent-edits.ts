/**
 * Orders that were skipped, restored or moved through this service during an interval change. The platform carries an
 * edit of the old cycles to another order, like the edits from before; an edit of the new cycles is already correct.
 */
import { dateText, type Instant, instantText, parseInstant } from '../../domain/instant.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import { type BillingCycle, holdsDate } from '../cycles/billing-cycle.ts';
import { isBefore } from '../cycles/chosen-order.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import { lastChosenDate } from './events-during.ts';
import { type OrderChange, type OrderState, orderChanges, sinceRead } from './order-changes.ts';

export type Concurrent = {
  /** Entries of the contract after its state was read, oldest first; possibly some from shortly before. */
  readonly entries: readonly EventRecord[];
  /** When the change had started and was not committed, epoch milliseconds: no new order was edited before. */
  readonly beganAtMs: number;
  /** When the earlier edits were read, or before; undefined when that is unknown. */
  readonly readAtMs?: number | undefined;
};

/** Returns the changes of orders that may have been made since the edits were read. */
export function changesSince({ entries, beganAtMs, readAtMs }: Concurrent): OrderChange[] {
  // A date that was set since then changes which orders are skipped.
  return orderChanges(entries, readAtMs).filter(
    ({ isOwn, createdAtMs }) => isOwn || createdAtMs <= beganAtMs,
  );
}

type Merging = Concurrent & { readonly edits: readonly UpcomingEdit[] };

/**
 * Merges the earlier edits with those made on the old cycles since, by index, without those of paid orders; also
 * returns which cycles were edited after the change.
 */
export function mergeConcurrent(
  { edits, ...concurrent }: Merging,
  cycles: readonly BillingCycle[],
): { readonly before: UpcomingEdit[]; readonly editedSince: ReadonlySet<number> } {
  const { old, since } = oldAndNew(concurrent, cycles);
  const merged = new Map<number, UpcomingEdit | null>(edits.map((edit) => [edit.cycleIndex, edit]));
  const chosen = edits.find(({ isChosen }) => isChosen);
  for (const [cycleIndex, changes] of old) {
    const edit = merged.get(cycleIndex) ?? undefined;
    const read = { skipped: edit?.skipped ?? false, dateMs: parseInstant(edit?.date) };
    const state = sinceRead(read, changes);
    if (state !== undefined) merged.set(cycleIndex, editOf(state, { cycleIndex, edit, changes }));
  }
  keepChoice(merged, { chosen, edits, cycles, ...concurrent });
  // A paid order was on its date: none of its edits is restored or reported as dropped.
  const paid = new Set(
    cycles.filter(({ status }) => status === 'BILLED').map(({ cycleIndex }) => cycleIndex),
  );
  const remaining = [...merged.values()].filter((edit) => edit !== null);
  const open = remaining.filter(({ cycleIndex }) => !paid.has(cycleIndex));
  return { before: open.sort((one, other) => one.cycleIndex - other.cycleIndex), editedSince: since };
}

type OldAndNew = {
  /** Changes of the old cycles, by index. */
  readonly old: ReadonlyMap<number, readonly OrderChange[]>;
  /** Indices of new cycles that were edited. */
  readonly since: ReadonlySet<number>;
};

function oldAndNew(concurrent: Concurrent, cycles: readonly BillingCycle[]): OldAndNew {
  const ends = new Map(cycles.map(({ cycleIndex, cycleEndAt }) => [cycleIndex, Date.parse(cycleEndAt)]));
  const since = new Set<number>();
  const ofOld = changesSince(concurrent).filter(({ cycleIndex, found, isOwn, createdAtMs }) => {
    const isOfNew = isOwn && createdAtMs >= concurrent.beganAtMs && ends.get(cycleIndex) === found.dateMs;
    if (isOfNew) since.add(cycleIndex);
    return !since.has(cycleIndex);
  });
  return { old: Map.groupBy(ofOld, ({ cycleIndex }) => cycleIndex), since };
}

type OfOrder = {
  readonly cycleIndex: number;
  /** The edit at the time of the read. */
  readonly edit: UpcomingEdit | undefined;
  readonly changes: readonly OrderChange[];
};

/** @returns null when the order is on its original date and not skipped */
function editOf({ dateMs, skipped = false }: OrderState, of: OfOrder): UpcomingEdit | null {
  const { cycleIndex, edit, changes } = of;
  const firstMs = changes[0]?.found.dateMs ?? dateMs;
  const originalDate = edit?.originalDate ?? (edit?.moved ? null : dateText(firstMs));
  const moved = edit?.moved === true || dateMs !== firstMs;
  const date = dateText(dateMs) ?? edit?.date;
  if (date === undefined || (!skipped && !moved)) return null;
  return { cycleIndex, date, skipped, moved, originalDate };
}

type Choosing = Merging & {
  readonly chosen: UpcomingEdit | undefined;
  readonly cycles: readonly BillingCycle[];
};

/**
 * Requests since then decide which order is the next one: another date, or an edit of the chosen order. If an order
 * before the chosen one was restored, the chosen order is no longer the next.
 */
function keepChoice(
  merged: Map<number, UpcomingEdit | null>,
  { chosen, edits, cycles, entries, beganAtMs }: Choosing,
): void {
  const sinceMs = chosenSince({ entries, beganAtMs });
  const before = edits.filter((one) => isBefore(one, chosen));
  if (sinceMs !== undefined) {
    for (const { cycleIndex } of [...before, ...(chosen?.skipped === false ? [chosen] : [])]) {
      merged.delete(cycleIndex);
    }
    const cycle = cycles.find((one) => holdsDate(one, sinceMs));
    if (cycle !== undefined) merged.set(cycle.cycleIndex, chosenOn(sinceMs, cycle));
  } else if (chosen !== undefined) {
    const { isChosen, ...edit } = merged.get(chosen.cycleIndex) ?? { ...chosen, skipped: false, moved: true };
    const isOpened = before.some(({ cycleIndex }) => merged.get(cycleIndex)?.skipped !== true);
    merged.set(chosen.cycleIndex, isOpened ? edit : { ...edit, isChosen: true });
  }
}

function chosenOn(dateMs: Instant, { cycleIndex }: BillingCycle): UpcomingEdit {
  const date = instantText(dateMs);
  return { cycleIndex, date, skipped: false, moved: true, originalDate: null, isChosen: true };
}

/** Returns the date that a client set for the next order since the change started. */
export function chosenSince({ entries, beganAtMs }: Concurrent): Instant | undefined {
  return lastChosenDate(entries.filter(({ createdAtMs }) => createdAtMs > beganAtMs));
}
