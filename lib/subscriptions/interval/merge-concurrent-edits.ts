/**
 * Finds orders that clients of this service skipped, restored or moved while an interval change was in progress. If
 * such an edit was made on an old cycle, the platform carries it over to a wrong order, like the edits from before the
 * change. If it was made on a new cycle, it is already correct.
 */
import { formatInstant, formatPlatformDate, type Instant, parseInstant } from '../../domain/instant.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import { type BillingCycle, isDateInCycle } from '../cycles/billing-cycle.ts';
import { skipsEarlierOrder } from '../cycles/chosen-order.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import type { OrderState } from '../order-dates/order-facts.ts';
import { applyOrderChanges, listOrderChanges, type OrderChange } from './order-changes.ts';
import { findLastChosenDate } from './read-events-of-interval-change.ts';

export type ConcurrentEntries = {
  /**
   * Timeline entries of the contract since its state was read, oldest first. Some may be from shortly before the
   * read.
   */
  readonly entries: readonly EventRecord[];
  /**
   * When the interval change had started but was not committed, epoch milliseconds. Orders of new cycles were edited
   * only later.
   */
  readonly beganAtMs: number;
  /** When the edits from before the change were read, or earlier. Epoch milliseconds. Undefined when unknown. */
  readonly readAtMs?: number | undefined;
};

/** Returns the changes of single orders that may have been made since the edits were read. */
export function listChangesSinceRead({ entries, beganAtMs, readAtMs }: ConcurrentEntries): OrderChange[] {
  // Include changes that follow from setting the date of the next order only if they were made before the start.
  // Later ones belong to a date that `findDateChosenSince` returns.
  return listOrderChanges(entries, readAtMs).filter(
    ({ isOwn, createdAtMs }) => isOwn || createdAtMs <= beganAtMs,
  );
}

type MergeEditsRequest = ConcurrentEntries & { readonly edits: readonly UpcomingEdit[] };

/**
 * Merges the edits from before the change with those that clients have made on old cycles since. Leaves out edits of
 * paid orders. `concurrentlyEditedIndexes` has the indexes of new cycles that clients edited.
 */
export function mergeConcurrentEdits(
  { edits, ...concurrent }: MergeEditsRequest,
  cycles: readonly BillingCycle[],
): { readonly editsBefore: UpcomingEdit[]; readonly concurrentlyEditedIndexes: ReadonlySet<number> } {
  const { changesOfOldCycles, editedNewCycleIndexes } = divideChangesByCycle(
    { edits, ...concurrent },
    cycles,
  );
  const editByCycle = new Map<number, UpcomingEdit | null>(edits.map((edit) => [edit.cycleIndex, edit]));
  const chosenEdit = edits.find(({ isChosen }) => isChosen);
  for (const [cycleIndex, changes] of changesOfOldCycles) {
    const edit = editByCycle.get(cycleIndex) ?? undefined;
    const stateRead = { skipped: edit?.skipped ?? false, dateMs: parseInstant(edit?.date) };
    // Dates are never set during an interval change. So the edit of the chosen order includes those that were set before, or
    // has the date that replaces them.
    const changesSinceEdit = edit?.isChosen
      ? changes.slice(changes.findLastIndex(({ isOwn }) => !isOwn) + 1)
      : changes;
    const resultingState = applyOrderChanges(stateRead, changesSinceEdit);
    if (resultingState !== undefined)
      editByCycle.set(cycleIndex, toResultingEdit(resultingState, { cycleIndex, edit, changes }));
  }
  mergeChosenOrder(editByCycle, { chosen: chosenEdit, edits, cycles, ...concurrent });
  // A paid order was charged on its date, so its edit is neither restored nor reported as dropped.
  const paidIndexes = new Set(
    cycles.filter(({ status }) => status === 'BILLED').map(({ cycleIndex }) => cycleIndex),
  );
  const remainingEdits = [...editByCycle.values()].filter((edit) => edit !== null);
  const unpaidEdits = remainingEdits.filter(({ cycleIndex }) => !paidIndexes.has(cycleIndex));
  return {
    editsBefore: unpaidEdits.sort((one, other) => one.cycleIndex - other.cycleIndex),
    concurrentlyEditedIndexes: editedNewCycleIndexes,
  };
}

type ChangesByCycle = {
  /** The changes of old cycles, by cycle index. */
  readonly changesOfOldCycles: ReadonlyMap<number, readonly OrderChange[]>;
  /** The indexes of new cycles that were edited. */
  readonly editedNewCycleIndexes: ReadonlySet<number>;
};

function divideChangesByCycle(
  { edits, ...concurrent }: MergeEditsRequest,
  cycles: readonly BillingCycle[],
): ChangesByCycle {
  const byIndex = new Map(cycles.map((cycle) => [cycle.cycleIndex, cycle]));
  const orderChanges = listChangesSinceRead(concurrent);
  const isChangeOnNewCycle = ({ cycleIndex, stateBefore, isOwn, createdAtMs }: OrderChange) => {
    const cycle = byIndex.get(cycleIndex);
    if (!isOwn || createdAtMs < concurrent.beganAtMs || cycle === undefined) return false;
    return (
      Date.parse(cycle.cycleEndAt) === stateBefore.dateMs ||
      isMoveAlreadyRestored(edits, cycle, stateBefore.dateMs)
    );
  };
  const newEntries = new Set(orderChanges.filter(isChangeOnNewCycle).map(({ entry }) => entry));
  const cyclesChangedSince = new Set<number>();
  // If a postponement was made before the start, it moved the results of the earlier changes to other cycles, where
  // the edits were read.
  const isPostponedSince = (cycleIndex: number, firstChangeIndex: number) =>
    orderChanges
      .slice(firstChangeIndex)
      .some(
        (one) =>
          one.isByPostponement && one.cycleIndex === cycleIndex && one.createdAtMs <= concurrent.beganAtMs,
      );
  const changesOnOldCycles = orderChanges.filter(({ cycleIndex, entry, isByPostponement }, changeIndex) => {
    if (newEntries.has(entry)) cyclesChangedSince.add(cycleIndex);
    return (
      !cyclesChangedSince.has(cycleIndex) &&
      isByPostponement !== true &&
      !isPostponedSince(cycleIndex, changeIndex + 1)
    );
  });
  return {
    changesOfOldCycles: Map.groupBy(changesOnOldCycles, ({ cycleIndex }) => cycleIndex),
    editedNewCycleIndexes: cyclesChangedSince,
  };
}

/** Whether the cycle's order was on this date because the interval change had already restored a move. */
function isMoveAlreadyRestored(
  edits: readonly UpcomingEdit[],
  cycle: BillingCycle,
  dateMs: number | undefined,
): boolean {
  const isOnDate = ({ skipped, date }: UpcomingEdit) => !skipped && Date.parse(date) === dateMs;
  return dateMs !== undefined && isDateInCycle(cycle, dateMs) && edits.some(isOnDate);
}

type ChangesOfOrder = {
  readonly cycleIndex: number;
  /** The edit as it was read before the change. Undefined if there was none. */
  readonly edit: UpcomingEdit | undefined;
  readonly changes: readonly OrderChange[];
};

/**
 * Returns the edit of an order that results from the concurrent changes.
 * @returns null when the order is then not skipped and on its original date
 */
function toResultingEdit(
  { dateMs, skipped = false }: OrderState,
  changesOfOrder: ChangesOfOrder,
): UpcomingEdit | null {
  const { cycleIndex, edit, changes } = changesOfOrder;
  const firstMs = changes[0]?.stateBefore.dateMs ?? dateMs;
  const originalDate = edit?.originalDate ?? (edit?.moved ? null : formatPlatformDate(firstMs));
  const isDateMoved = edit?.moved === true || dateMs !== firstMs;
  const date = formatPlatformDate(dateMs) ?? edit?.date;
  if (date === undefined || (!skipped && !isDateMoved)) return null;
  return { cycleIndex, date, skipped, moved: isDateMoved, originalDate };
}

type ChoiceMergeRequest = MergeEditsRequest & {
  readonly chosen: UpcomingEdit | undefined;
  readonly cycles: readonly BillingCycle[];
};

/**
 * Updates in `merged` which order is chosen as the next one after concurrent requests. If a client set another date,
 * the order of that date is chosen. If a client restored an order before the chosen one, no order is chosen any more.
 */
function mergeChosenOrder(
  merged: Map<number, UpcomingEdit | null>,
  { chosen, edits, cycles, entries, beganAtMs }: ChoiceMergeRequest,
): void {
  const sinceMs = findDateChosenSince({ entries, beganAtMs });
  const editsBeforeChosen = edits.filter((one) => skipsEarlierOrder(one, chosen));
  if (sinceMs !== undefined) {
    for (const { cycleIndex } of [...editsBeforeChosen, ...(chosen?.skipped === false ? [chosen] : [])]) {
      merged.delete(cycleIndex);
    }
    const cycle = cycles.find((one) => isDateInCycle(one, sinceMs));
    if (cycle !== undefined) merged.set(cycle.cycleIndex, toChosenEdit(sinceMs, cycle));
  } else if (chosen !== undefined) {
    const { isChosen, ...edit } = merged.get(chosen.cycleIndex) ?? { ...chosen, skipped: false, moved: true };
    const isOpened = editsBeforeChosen.some(({ cycleIndex }) => merged.get(cycleIndex)?.skipped !== true);
    merged.set(chosen.cycleIndex, isOpened ? edit : { ...edit, isChosen: true });
  }
}

function toChosenEdit(dateMs: Instant, { cycleIndex }: BillingCycle): UpcomingEdit {
  const date = formatInstant(dateMs);
  return { cycleIndex, date, skipped: false, moved: true, originalDate: null, isChosen: true };
}

/**
 * Returns the date that a client set for the next order since the change started.
 * @returns undefined when no client set one
 */
export function findDateChosenSince({ entries, beganAtMs }: ConcurrentEntries): Instant | undefined {
  return findLastChosenDate(entries.filter(({ createdAtMs }) => createdAtMs > beganAtMs));
}
