/**
 * Assigns new dates to the orders of a contract whose next order keeps its date after its interval was set: the orders after it
 * follow by the new interval. This is necessary because the platform resets moved orders when it recounts the cycles.
 */
import type { Instant } from '../../domain/instant.ts';
import { isoDayIn, localTimeIn, type TimeZone } from '../../domain/time-zone.ts';
import type { OpenChange } from '../../timeline/run-change.ts';
import { type EditReason, orderDueAtMs } from '../cycles/billing-cycle.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import type { OperationDeps } from '../operation.ts';
import type { AssignedDates } from '../order-dates/order-dates.ts';
import type {
  OrderEdit,
  PostponedDates,
  PostponementDeps,
  PostponementRecord,
} from '../order-dates/postponements.ts';
import { type Frequency, isSameFrequency } from '../selling-plans/frequency.ts';
import { extensionDueAtMs, lastAssignedDate, planDatesAfter } from './plan-date-extension.ts';
import type { CycleToDate } from './plan-order-dates.ts';
import { cyclesFromNextOrder } from './postponement-errors.ts';
import { readOrdersAroundNext } from './read-contract-orders.ts';
import { listOrderEditFacts, sendOrderEdits } from './send-order-edits.ts';

type ReassignDatesDeps = Pick<OperationDeps, 'sendToPlatform' | 'now'> &
  PostponementDeps &
  Pick<OpenChange, 'recordAlso'>;

type DatesToReassign = {
  readonly contractId: string;
  readonly record: PostponementRecord;
  /** The interval that was set. */
  readonly frequency: Frequency;
  readonly timeZone: TimeZone;
  readonly reason: EditReason;
};

/**
 * Whether, after a new interval was set, the other orders follow from the date of the next order: they have assigned
 * dates, or the next order keeps its date. `edits` are those that the interval change restores. `dateMs` is the date
 * that the change itself sets for the next order.
 */
export function hasDatesToReassign(
  { dates }: PostponementRecord,
  { edits, dateMs }: { readonly edits: readonly UpcomingEdit[]; readonly dateMs: Instant | undefined },
): boolean {
  const keepsDate = dateMs === undefined && edits.some(({ isChosen, skipped }) => isChosen && !skipped);
  return dates !== undefined || keepsDate;
}

/**
 * Assigns the dates. Ends the postponement if the cycles do not follow the interval. Does nothing for a contract that
 * has another interval now. Sends two platform requests, or three if many skipped orders precede the next one. May run twice.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function reassignOrderDates(deps: ReassignDatesDeps, change: DatesToReassign): Promise<void> {
  const { contractId, record, frequency, reason } = change;
  const { contract, cycles } = await readOrdersAroundNext(deps, contractId);
  if (contract !== undefined && !isSameFrequency(frequency, contract.billingPolicy)) return;
  const hasNoAnchors = contract !== undefined && contract.billingPolicy.anchors.length === 0;
  const plan = hasNoAnchors ? planReassignedDates(deps, change, cycles) : undefined;
  if (plan === undefined) {
    await deps.postponements.end(record, { empty: null });
    return;
  }
  const { edits, dates } = plan;
  if (edits.length > 0) await deps.recordAlso(listOrderEditFacts(edits));
  await sendOrderEdits(deps, { contractId, reason }, edits);
  if (dates !== undefined) await deps.postponements.end(record, { dates, empty: null });
}

/** The planned edits, and the new `dates` of the record. `dates` is undefined if the present ones stay. */
type ReassignedDatesPlan = {
  readonly edits: readonly OrderEdit[];
  readonly dates: PostponedDates | undefined;
};

/**
 * Plans the new dates of the orders.
 * @returns undefined when no order can have an assigned date
 */
function planReassignedDates(
  { now }: Pick<ReassignDatesDeps, 'now'>,
  { record: { dates }, frequency, timeZone }: DatesToReassign,
  cycles: readonly CycleToDate[],
): ReassignedDatesPlan | undefined {
  const nowMs = now();
  // An unpaid order whose date has passed keeps that date.
  const upcomingCycles = cyclesFromNextOrder({ cycles }, nowMs);
  const [next] = upcomingCycles;
  if (next === undefined) return undefined;
  const assignedBefore = isSameFrequency(dates?.laid, frequency) ? dates?.laid : undefined;
  const firstDate = assignedBefore ?? firstAssignedDate(next, frequency, timeZone);
  const extension = planDatesAfter({
    cycles: upcomingCycles.filter(
      ({ cycleIndex }) => cycleIndex <= (assignedBefore?.laidThrough ?? Number.POSITIVE_INFINITY),
    ),
    assignedDates: { ...firstDate, laidThrough: next.cycleIndex },
    ...{ timeZone, nowMs },
  });
  if (extension.kind === 'ended') return undefined;
  const { assignedDates, edits } = extension;
  if (assignedBefore !== undefined) return { edits, dates: undefined };
  const laidUntil = lastAssignedDate(assignedDates, cycles, timeZone) ?? next.billingAttemptExpectedDate;
  const sinceMs = dates?.sinceMs ?? nowMs;
  const extendAtMs = extensionDueAtMs(assignedDates, assignedDates.fromCycle, timeZone);
  // The cycles have been counted again: later indexes belong to other orders, and those before the next order to none.
  const skippedCycles = cycles.flatMap(
    ({ cycleIndex, skipped: isSkipped, billingAttemptExpectedDate: date }) =>
      isSkipped && cycleIndex < assignedDates.fromCycle ? [{ cycleIndex, date }] : [],
  );
  return { edits, dates: { laid: assignedDates, laidUntil, skipped: skippedCycles, sinceMs, extendAtMs } };
}

/** Returns dates whose first order is the next order, on its present date. */
function firstAssignedDate(
  next: CycleToDate,
  { interval, intervalCount }: Frequency,
  timeZone: TimeZone,
): Omit<AssignedDates, 'laidThrough'> {
  const { cycleIndex: fromCycle } = next;
  const { secondOfDay } = localTimeIn(timeZone, orderDueAtMs(next));
  return { interval, intervalCount, fromCycle, day: isoDayIn(timeZone, orderDueAtMs(next)), secondOfDay };
}
