/**
 * Decides from the record of a contract's postponements, and from its orders as far as they are known, whether the latest one
 * can be reverted.
 */
import { parseInstant } from '../../domain/instant.ts';
import type { OrderState } from './order-facts.ts';
import type { CycleWithoutOrder, LatestPostponement, OrderEdit, PostponementState } from './postponements.ts';

/** Whether the postponement can still be reverted, as far as the record knows about later changes of its orders. */
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

/** What is known about an order. A missing field is unknown. */
type ObservedOrder = OrderState & { readonly isBilled?: boolean; readonly hasContent?: boolean };

type RevertableState = PostponementState & { readonly latest: LatestPostponement };

/**
 * Returns where the orders must be so that the latest postponement can be reverted: where it left them, and none in the
 * cycles that earlier postponements left without an order.
 */
function requiredPositions(state: RevertableState): readonly Omit<OrderEdit, 'before'>[] {
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

/**
 * Returns the state before the latest postponement, and the cycles that reverts of the latest and of later
 * postponements put back before this state's own postponement is reverted.
 * @returns undefined when no earlier postponement can be reverted
 */
function stateBefore({ empty, latest }: RevertableState, laterCycles: ReadonlySet<number>) {
  const { former: dates, earlier, edits } = latest;
  const cycles = new Set([...laterCycles, ...edits.map(({ cycleIndex }) => cycleIndex)]);
  return earlier && { state: { dates, empty, latest: earlier }, cycles };
}

/**
 * Returns the latest postponement and those before it. `changedCycles` of each has the cycles whose orders are not as
 * its revert requires. Cycles of which nothing is observed count as before. `laterCycles` are the cycles that reverts of
 * later postponements put back first.
 */
export function withObservedOrders(
  state: RevertableState,
  observed: readonly (readonly [cycleIndex: number, ObservedOrder])[],
  laterCycles: ReadonlySet<number> = new Set(),
): LatestPostponement {
  const { latest } = state;
  const changedCycles = new Set(latest.changedCycles);
  const positions = new Map(requiredPositions(state).map(({ cycleIndex, after }) => [cycleIndex, after]));
  for (const [cycleIndex, order] of observed) {
    const position = laterCycles.has(cycleIndex) ? undefined : positions.get(cycleIndex);
    const isContentMoved = order.hasContent === true && movesContent(state, cycleIndex);
    // A date alone does not tell whether the order is skipped. Without a required position, only its content counts.
    const isKnown =
      position === undefined
        ? order.hasContent !== undefined
        : !position.skipped || order.skipped !== undefined;
    if (!isKnown) continue;
    if (!isContentMoved && (position === undefined || isAtPosition(order, position)))
      changedCycles.delete(cycleIndex);
    else changedCycles.add(cycleIndex);
  }
  const stateBeforeLatest = stateBefore(state, laterCycles);
  return {
    ...latest,
    changedCycles: [...changedCycles],
    earlier:
      stateBeforeLatest && withObservedOrders(stateBeforeLatest.state, observed, stateBeforeLatest.cycles),
  };
}

/** Whether the observed order is in the position. The date of a skipped order is not compared. */
function isAtPosition(
  { skipped = false, dateMs, isBilled }: ObservedOrder,
  position: OrderEdit['after'],
): boolean {
  const isOnDate = dateMs === undefined || dateMs === parseInstant(position.date);
  return isBilled !== true && skipped === position.skipped && (skipped || isOnDate);
}

/** Returns, for the postponement and each earlier one, the cycles that were changed after it, as texts to compare. */
export function listCyclesChangedSince({ changedCycles = [], earlier }: LatestPostponement): string[] {
  return [`${changedCycles}`, ...(earlier === undefined ? [] : listCyclesChangedSince(earlier))];
}

/**
 * Whether reverting the postponement moves the content of the cycle's order to another order. A revert moves each order
 * after the skipped cycle, up to the last one with an assigned date, to the cycle before.
 */
function movesContent({ dates, latest }: RevertableState, cycleIndex: number): boolean {
  const { skippedCycle } = latest;
  if (skippedCycle === undefined) return false;
  return cycleIndex > skippedCycle && cycleIndex <= (dates?.laid.laidThrough ?? skippedCycle + 1);
}
