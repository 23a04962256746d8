/** What the record of a contract's postponements says of an order: its date, and whether the postponement can be taken back. */
import { floorToSecond, formatInstant, parseInstant } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import type { ChangedFact } from '../../timeline/facts.ts';
import { regularOrderDateMs } from './order-dates.ts';
import type { LatestPostponement, PostponedDates, PostponementState } from './postponements.ts';

type CycleWithOrder = {
  readonly cycleIndex: number;
  readonly cycleStartAt: string;
  readonly cycleEndAt: string;
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
};

/**
 * Returns the date of the cycle's order, ISO 8601. For a skipped order it is the date that the order has when it is
 * restored: the platform sets no date on a skipped order, and may drop the one that the order had.
 * @returns null when the cycle has no order, because a postponement moved it to the next cycle
 */
export function orderDateOfCycle(
  cycle: CycleWithOrder,
  dates: Pick<PostponedDates, 'laid' | 'skipped'> | undefined,
  timeZone: TimeZone,
): string | null {
  const { cycleIndex, cycleEndAt, skipped, billingAttemptExpectedDate } = cycle;
  if (!skipped || dates === undefined) return billingAttemptExpectedDate;
  if (dates.skipped.some((one) => one.cycleIndex === cycleIndex)) return null;
  const dateMs = regularOrderDateMs(cycle, dates.laid, timeZone);
  const isLaid = dateMs !== Date.parse(cycleEndAt);
  return isLaid ? formatInstant(floorToSecond(dateMs)) : billingAttemptExpectedDate;
}

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
  { cycleIndex }: Pick<CycleWithOrder, 'cycleIndex'>,
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
