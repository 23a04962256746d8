/**
 * Orders that somebody skipped, restored or moved through this service while the interval was being changed. An edit
 * made on the old cycles is carried by the platform to another order, like those that lay ahead before; one made on
 * the new cycles is what it should be.
 */
import { type Instant, instantText } from '../../domain/instant.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import { type BillingCycle, holdsDate } from '../cycles/billing-cycle.ts';
import { isBefore } from '../cycles/chosen-order.ts';
import type { EditAhead } from '../cycles/edits-ahead.ts';
import { lastChosenDate } from './events-during.ts';
import { INTERVAL_ACTION } from './interval-intent.ts';

/** @internal A test builds them. */
type ConcurrentEdits = {
  /** Made on the old cycles: to be put back where they belong. Null: an edit that was there before was taken back. */
  readonly before: ReadonlyMap<number, EditAhead | null>;
  /** Indices of cycles that were edited as they are now. */
  readonly since: ReadonlySet<number>;
};

export type Concurrent = {
  /** Entries of the contract, made after its state was read, oldest first; perhaps some from right before. */
  readonly entries: readonly EventRecord[];
  /** When the change had begun and was not committed, epoch milliseconds: no new order was edited before. */
  readonly beganAtMs: number;
};

/**
 * `cycles`: as they are now.
 * @internal A test tries it on its own.
 */
export function concurrentEdits(
  { entries, beganAtMs }: Concurrent,
  cycles: readonly BillingCycle[],
): ConcurrentEdits {
  const ends = new Map(cycles.map(({ cycleIndex, cycleEndAt }) => [cycleIndex, Date.parse(cycleEndAt)]));
  const before = new Map<number, EditAhead | null>();
  const since = new Set<number>();
  // Entries before another change of the interval name indices of cycles that are long gone.
  const first = entries.findLastIndex(({ action }) => action === INTERVAL_ACTION) + 1;
  for (const { action, details, createdAtMs } of entries.slice(first)) {
    const { billingCycleIndex: cycleIndex, expectedDate, billingDate } = details;
    if (!CYCLE_ACTIONS.has(action) || typeof cycleIndex !== 'number' || typeof expectedDate !== 'string')
      continue;
    const isOfNew = createdAtMs >= beganAtMs && ends.get(cycleIndex) === Date.parse(expectedDate);
    if (since.has(cycleIndex) || isOfNew) {
      since.add(cycleIndex);
      continue;
    }
    const moved = action === 'billing_cycle_rescheduled';
    const date = moved ? String(billingDate) : expectedDate;
    const edit = { cycleIndex, date, skipped: !moved, moved, originalDate: expectedDate };
    before.set(cycleIndex, action === 'billing_cycle_unskipped' ? null : edit);
  }
  return { before, since };
}

type Merging = Concurrent & { readonly edits: readonly EditAhead[] };

/**
 * The edits that lay ahead with those made on the old cycles since, by index, but those of orders that are paid; and
 * which cycles were edited anew.
 */
export function mergeConcurrent(
  { edits, ...concurrent }: Merging,
  cycles: readonly BillingCycle[],
): { readonly before: EditAhead[]; readonly editedSince: ReadonlySet<number> } {
  const { before, since } = concurrentEdits(concurrent, cycles);
  const merged = new Map<number, EditAhead | null>(edits.map((edit) => [edit.cycleIndex, edit]));
  const chosen = edits.find(({ isChosen }) => isChosen);
  for (const [cycleIndex, edit] of before) {
    // The edit that was read knows more of its past.
    const isKnown = edit !== null && edits.some((one) => isSameEdit(one, edit));
    if (!isKnown) merged.set(cycleIndex, edit);
  }
  keepChoice(merged, { chosen, edits, cycles, ...concurrent });
  // A paid order was on its date: nothing of it is to be put back, or lost.
  const paid = new Set(
    cycles.filter(({ status }) => status === 'BILLED').map(({ cycleIndex }) => cycleIndex),
  );
  const kept = [...merged.values()].filter((edit) => edit !== null);
  const open = kept.filter(({ cycleIndex }) => !paid.has(cycleIndex));
  return { before: open.sort((one, other) => one.cycleIndex - other.cycleIndex), editedSince: since };
}

type Choosing = Merging & {
  readonly chosen: EditAhead | undefined;
  readonly cycles: readonly BillingCycle[];
};

/**
 * What was asked for since decides which order is the next one: another date, an edit of the chosen order, or that one
 * before it was taken back, which makes it one among others.
 */
function keepChoice(
  merged: Map<number, EditAhead | null>,
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

function chosenOn(dateMs: Instant, { cycleIndex }: BillingCycle): EditAhead {
  const date = instantText(dateMs);
  return { cycleIndex, date, skipped: false, moved: true, originalDate: null, isChosen: true };
}

/** The date that a client has given for the next order since the change began. */
export function chosenSince({ entries, beganAtMs }: Concurrent): Instant | undefined {
  return lastChosenDate(entries.filter(({ createdAtMs }) => createdAtMs > beganAtMs));
}

function isSameEdit(one: EditAhead, other: EditAhead): boolean {
  return Date.parse(one.date) === Date.parse(other.date) && one.skipped === other.skipped;
}

const CYCLE_ACTIONS: ReadonlySet<string> = new Set([
  'billing_cycle_skipped',
  'billing_cycle_unskipped',
  'billing_cycle_rescheduled',
]);
