/**
 * Decides from the record of a contract's postponements whether the latest one can be reverted, and records the orders that
 * were changed since.
 */
import { parseInstant } from '../../domain/instant.ts';
import type { CycleFacts } from '../../timeline/append/observation.ts';
import type { ChangedFact } from '../../timeline/facts.ts';
import type { EmptyCycle, LatestPostponement, PostponementState } from './postponements.ts';

/** Whether the latest postponement can still be reverted, as far as changes of the orders are known. */
export function isRevertable(
  { revertableUntilMs, changedCycles = [] }: LatestPostponement,
  nowMs: number,
): boolean {
  return revertableUntilMs > nowMs && changedCycles.length === 0;
}

/**
 * Whether the latest postponement moved the cycle's order by a whole interval. The orders are on the ends of their cycles
 * then, so that the record has no dates.
 */
export function isPostponedByInterval(
  { dates, latest }: PostponementState,
  { cycleIndex }: { readonly cycleIndex: number },
): boolean {
  const { skippedCycle, changedCycles = [] } = latest ?? {};
  return dates === undefined && skippedCycle === cycleIndex && changedCycles.length === 0;
}

/** Returns the skipped cycles without an order, as far as the record lists them. */
export function listEmptyCycles({ dates, sent }: PostponementState): readonly EmptyCycle[] {
  return [...(dates?.skipped ?? []), ...(sent ? [sent] : [])];
}

/**
 * Returns the skipped cycle with this index if it has no order, because the order comes in another cycle.
 * @returns undefined when the cycle has an order
 */
export function findEmptyCycle(state: PostponementState, cycleIndex: number): EmptyCycle | undefined {
  const { latest } = state;
  const emptyCycle = listEmptyCycles(state).find((one) => one.cycleIndex === cycleIndex);
  if (emptyCycle !== undefined || latest === undefined || !isPostponedByInterval(state, { cycleIndex }))
    return emptyCycle;
  return { cycleIndex, date: latest.expectedDate };
}

/** Returns the postponement with the cycles of its edits that are no longer as it left them after these changes. */
export function withChangedCycles(
  latest: LatestPostponement,
  changes: readonly ChangedFact[],
): LatestPostponement {
  const changedCycles = new Set(latest.changedCycles);
  for (const { cycleIndex, after } of latest.edits) {
    const afterOf = (name: string) =>
      changes.findLast(({ field }) => field === `billingCycles.${cycleIndex}.${name}`)?.after ?? undefined;
    const [skipped, date] = [afterOf('skipped'), afterOf('billingAttemptExpectedDate')];
    if (skipped === undefined && date === undefined) continue;
    const isSkipped = skipped === undefined ? after.skipped : skipped === 'true';
    const isOnDate = date === undefined || parseInstant(date) === parseInstant(after.date);
    if (isSkipped === after.skipped && (isSkipped || isOnDate)) changedCycles.delete(cycleIndex);
    else changedCycles.add(cycleIndex);
  }
  return { ...latest, changedCycles: [...changedCycles] };
}

/**
 * Returns the postponement with the cycles of its edits that are no longer as it left them by these cycles at the
 * platform. Cycles that were not read count as before.
 */
export function withObservedCycles(
  { dates, latest }: PostponementState & { readonly latest: LatestPostponement },
  observed: Readonly<Record<string, CycleFacts>>,
): LatestPostponement {
  const changedCycles = new Set(latest.changedCycles);
  const positions = new Map(
    latest.edits.map(({ cycleIndex, after: positionAfter }) => [cycleIndex, positionAfter]),
  );
  for (const [index, { isSkipped, date, editedAt }] of Object.entries(observed)) {
    const cycleIndex = Number(index);
    const after = positions.get(cycleIndex) ?? { skipped: isSkipped, date: undefined };
    const isOnDate = isSkipped || after.date === undefined || date * 1000 === parseInstant(after.date);
    const isContentMoved = editedAt !== undefined && movesContent({ dates, latest }, cycleIndex);
    if (isSkipped === after.skipped && isOnDate && !isContentMoved) changedCycles.delete(cycleIndex);
    else changedCycles.add(cycleIndex);
  }
  return { ...latest, changedCycles: [...changedCycles] };
}

/**
 * Whether reverting the postponement moves the content of the cycle's order to another order. A revert moves each order
 * after the skipped cycle, up to the last one with an assigned date, to the cycle before.
 */
export function movesContent(
  { dates, latest }: PostponementState & { readonly latest: LatestPostponement },
  cycleIndex: number,
): boolean {
  const { skippedCycle } = latest;
  if (skippedCycle === undefined) return false;
  return cycleIndex > skippedCycle && cycleIndex <= (dates?.laid.laidThrough ?? skippedCycle + 1);
}
