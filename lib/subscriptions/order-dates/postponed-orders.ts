/** What the record of a contract's postponements says of the latest one: whether it can be taken back, and what changed since. */
import { parseInstant } from '../../domain/instant.ts';
import type { ChangedFact } from '../../timeline/facts.ts';
import type { LatestPostponement, PostponementState } from './postponements.ts';

/** Whether the latest postponement can still be taken back, as far as this service has changed the orders. */
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

/** Returns the postponement with the cycles of its edits that are no longer as it left them after these changes. */
export function withChangedCycles(
  latest: LatestPostponement,
  changes: readonly ChangedFact[],
): LatestPostponement {
  const changed = new Set(latest.changedCycles);
  for (const { cycleIndex, after } of latest.edits) {
    const afterOf = (name: string) =>
      changes.findLast(({ field }) => field === `billingCycles.${cycleIndex}.${name}`)?.after ?? undefined;
    const [skipped, date] = [afterOf('skipped'), afterOf('billingAttemptExpectedDate')];
    if (skipped === undefined && date === undefined) continue;
    const isSkipped = skipped === undefined ? after.skipped : skipped === 'true';
    const isOnDate = date === undefined || parseInstant(date) === parseInstant(after.date);
    if (isSkipped === after.skipped && (isSkipped || isOnDate)) changed.delete(cycleIndex);
    else changed.add(cycleIndex);
  }
  return { ...latest, changedCycles: [...changed] };
}
