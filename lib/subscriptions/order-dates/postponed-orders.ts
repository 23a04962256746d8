/**
 * Decides from the record of a contract's postponements whether the latest one can be reverted, and records the orders that
 * were changed since.
 */
import { parseInstant } from '../../domain/instant.ts';
import type { CycleFacts } from '../../timeline/append/observation.ts';
import type { FactChange } from '../../timeline/facts.ts';
import type { CycleWithoutOrder, LatestPostponement, OrderEdit, PostponementState } from './postponements.ts';

/** Whether the latest postponement can still be reverted, as far as changes of the orders are known. */
export function isRevertable(
  { revertableUntilMs, changedCycles = [] }: LatestPostponement,
  nowMs: number,
): boolean {
  return revertableUntilMs > nowMs && changedCycles.length === 0;
}

/** Returns the skipped cycles without an order, as far as the record lists them. */
export function listCyclesWithoutOrder({ dates, empty }: PostponementState): readonly CycleWithoutOrder[] {
  const cyclesWithoutOrder = [...(empty ?? []), ...(dates?.skipped ?? [])];
  return [...new Map(cyclesWithoutOrder.map((one) => [one.cycleIndex, one])).values()];
}

/**
 * Returns the skipped cycle with this index if it has no order, because the order comes in another cycle.
 * @returns undefined when the cycle has an order
 */
export function findCycleWithoutOrder(
  state: PostponementState,
  cycleIndex: number,
): CycleWithoutOrder | undefined {
  return listCyclesWithoutOrder(state).find((one) => one.cycleIndex === cycleIndex);
}

type RevertableState = PostponementState & { readonly latest: LatestPostponement };

/**
 * Returns where the orders must be so that the latest postponement can be reverted: where it left them, and none in the
 * cycles that earlier postponements left without an order.
 */
export function requiredPositions(state: RevertableState): readonly Omit<OrderEdit, 'before'>[] {
  const { edits } = state.latest;
  const isEdited = new Set(edits.map(({ cycleIndex }) => cycleIndex));
  const cyclesWithoutOrder = listCyclesWithoutOrder(state).filter(
    ({ cycleIndex }) => !isEdited.has(cycleIndex),
  );
  const emptyPositions = cyclesWithoutOrder.map(({ cycleIndex, date }) => ({
    cycleIndex,
    after: { date, skipped: true },
  }));
  return [...edits, ...emptyPositions];
}

/** Returns the state before the latest postponement, and the cycles that its revert and later ones put back first. */
function stateBefore({ empty, latest }: RevertableState, laterCycles: ReadonlySet<number>) {
  const { former: dates, earlier, edits } = latest;
  const cycles = new Set([...laterCycles, ...edits.map(({ cycleIndex }) => cycleIndex)]);
  return earlier && { state: { dates, empty, latest: earlier }, cycles };
}

/**
 * Returns the latest postponement, and those before it, with the cycles that are no longer as a revert requires after these
 * changes. `laterCycles`: the cycles that reverts of later postponements put back first.
 */
export function withChangedCycles(
  state: RevertableState,
  changes: readonly FactChange[],
  laterCycles: ReadonlySet<number> = new Set(),
): LatestPostponement {
  const { latest } = state;
  const changedCycles = new Set(latest.changedCycles);
  for (const { cycleIndex, after } of requiredPositions(state)) {
    if (laterCycles.has(cycleIndex)) continue;
    const valueAfter = (name: string) =>
      changes.findLast(({ field }) => field === `billingCycles.${cycleIndex}.${name}`)?.after ?? undefined;
    const [skipped, date] = [valueAfter('skipped'), valueAfter('billingAttemptExpectedDate')];
    // A date alone does not tell whether the order is skipped.
    if (skipped === undefined && (date === undefined || after.skipped)) continue;
    const isSkipped = skipped === 'true';
    const isOnDate = date === undefined || parseInstant(date) === parseInstant(after.date);
    if (isSkipped === after.skipped && (isSkipped || isOnDate)) changedCycles.delete(cycleIndex);
    else changedCycles.add(cycleIndex);
  }
  const before = stateBefore(state, laterCycles);
  return {
    ...latest,
    changedCycles: [...changedCycles],
    earlier: before && withChangedCycles(before.state, changes, before.cycles),
  };
}

/**
 * Returns the latest postponement, and those before it, with the cycles that are not as a revert requires by these cycles at
 * the platform. Cycles that were not read count as before. `laterCycles`: as for `withChangedCycles`.
 */
export function withObservedCycles(
  state: RevertableState,
  observed: Readonly<Record<string, CycleFacts>>,
  laterCycles: ReadonlySet<number> = new Set(),
): LatestPostponement {
  const { latest } = state;
  const changedCycles = new Set(latest.changedCycles);
  const positions = new Map(
    requiredPositions(state).map(({ cycleIndex, after: positionAfter }) => [cycleIndex, positionAfter]),
  );
  for (const [index, { isSkipped, date, editedAt }] of Object.entries(observed)) {
    const cycleIndex = Number(index);
    const ownPosition = laterCycles.has(cycleIndex) ? undefined : positions.get(cycleIndex);
    const after = ownPosition ?? { skipped: isSkipped, date: undefined };
    const isOnDate = isSkipped || after.date === undefined || date * 1000 === parseInstant(after.date);
    const isContentMoved = editedAt !== undefined && movesContent(state, cycleIndex);
    if (isSkipped === after.skipped && isOnDate && !isContentMoved) changedCycles.delete(cycleIndex);
    else changedCycles.add(cycleIndex);
  }
  const before = stateBefore(state, laterCycles);
  return {
    ...latest,
    changedCycles: [...changedCycles],
    earlier: before && withObservedCycles(before.state, observed, before.cycles),
  };
}

/** Returns the changed cycles of the postponement and of those before it, one list after another. */
export function listChangedCycles({ changedCycles = [], earlier }: LatestPostponement): string[] {
  return [`${changedCycles}`, ...(earlier === undefined ? [] : listChangedCycles(earlier))];
}

/**
 * Whether reverting the postponement moves the content of the cycle's order to another order. A revert moves each order
 * after the skipped cycle, up to the last one with an assigned date, to the cycle before.
 */
export function movesContent({ dates, latest }: RevertableState, cycleIndex: number): boolean {
  const { skippedCycle } = latest;
  if (skippedCycle === undefined) return false;
  return cycleIndex > skippedCycle && cycleIndex <= (dates?.laid.laidThrough ?? skippedCycle + 1);
}
