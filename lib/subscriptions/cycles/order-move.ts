/**
 * The next order moves to a date that was asked for: the cycle that holds the date gets it, orders before it are
 * skipped. The platform's `nextBillingDate` is a note that moves no cycle, so both are set.
 */

import { dateText, type Instant, instantText } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { type ChangedFact, cycleDateFact, cycleSkippedFact } from '../../timeline/changed-fact.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import type { RootReads } from '../read-contract-state.ts';
import type { Rhythm } from '../selling-plans/rhythm.ts';
import { type BillingCycle, CYCLE_FIELDS, dueMs, holdsDate } from './billing-cycle.ts';
import type { ScheduleEdit } from './restore-edits.ts';

const DAY_MS = 86_400_000;
/** Farther than any date that may be set. */
export const FARTHEST_MS = 367 * DAY_MS;
/** A weekly contract's of a year: two documents of schedule edits. */
const MOST_BEFORE = 60;

/** As far back as merchants' jobs try declined orders again (docs/merchant-servers.md). */
const OVERDUE_MS = 35 * DAY_MS;
/** A daily contract's of that time, and the one that runs now. */
const MAX_OVERDUE = 36;

type Page<Cycle = BillingCycle> = { readonly nodes: readonly Cycle[] } | null;
type ChargedCycle = BillingCycle & {
  readonly billingAttempts: { readonly nodes: readonly { readonly completedAt: string | null }[] };
};

/** The cycles that `orderDateReads` brings; null: the contract has none. */
export type OrderDateState = { readonly _svcUpToDate: Page; readonly _svcOverdue: Page<ChargedCycle> };

export type OrderMove = {
  /** The cycle of the date, as it is before. */
  readonly cycle: BillingCycle;
  /** The edits that make the move; none if all is as it is to be. */
  readonly edits: readonly ScheduleEdit[];
};

/** The roots that bring the cycles from now to the date, as many as are skipped or moved for it, and those before now. */
export function orderDateReads(dateMs: Instant, nowMs: number): RootReads {
  // A date that is past or too far is refused after the read; the year 10000 is none that the platform reads.
  const endMs = Math.min(Math.max(dateMs, nowMs), nowMs + FARTHEST_MS);
  const dates = { startDate: dateText(nowMs), endDate: dateText(endMs) };
  const before = { startDate: dateText(nowMs - OVERDUE_MS), endDate: dateText(nowMs) };
  const cycles = 'subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector:';
  return {
    roots: `_svcUpToDate: ${cycles} $_svcDates, first: ${MOST_BEFORE + 1}) { nodes { ${CYCLE_FIELDS} } }
      _svcOverdue: ${cycles} $_svcBefore, last: ${MAX_OVERDUE}) {
        nodes { ${CYCLE_FIELDS} billingAttempts(last: 1) { nodes { completedAt } } } }`,
    declarations: ['$_svcDates', '$_svcBefore'].map(
      (name) => `${name}: SubscriptionBillingCyclesDateRangeSelector!`,
    ),
    variables: { _svcDates: dates, _svcBefore: before },
  };
}

/**
 * `ahead`: the cycles from now on, as far as the date or farther; `overdue`: earlier ones that are skipped, too. Undefined: no order can be on that date, because it
 * is paid, too many orders lie before it, or there is none.
 */
export function moveOrderTo(
  dateMs: Instant,
  ahead: readonly BillingCycle[],
  overdue: readonly BillingCycle[] = [],
): OrderMove | undefined {
  const cycles = ahead.slice(0, MOST_BEFORE + 1);
  const cycle = cycles.find((one) => holdsDate(one, dateMs));
  if (cycle === undefined || cycle.status === 'BILLED') return undefined;
  const { cycleIndex, skipped } = cycle;
  const before = cycles.filter(
    (one) => one.cycleIndex < cycleIndex && one.status !== 'BILLED' && !one.skipped,
  );
  const isMoved = skipped || dueMs(cycle) !== dateMs;
  const billingDate = instantText(dateMs);
  return {
    cycle,
    edits: [
      ...[...overdue, ...before].map((one) => ({ cycleIndex: one.cycleIndex, skip: true })),
      ...(isMoved ? [{ cycleIndex, ...(skipped && { skip: false }), billingDate }] : []),
    ],
  };
}

/** The cycles that `orderDateReads` brought. */
export function upToDate({ _svcUpToDate: page }: OrderDateState): readonly BillingCycle[] {
  return page?.nodes ?? [];
}

/**
 * The orders that came due and were not paid, without those that have an open payment: the platform takes no edit of
 * them, and they may be paid.
 */
export function overdueOrders({ _svcOverdue: page, _svcUpToDate: ahead }: OrderDateState): BillingCycle[] {
  const present = ahead?.nodes[0]?.cycleIndex ?? Infinity;
  return (page?.nodes ?? []).filter(
    ({ cycleIndex, status, skipped, billingAttempts }) =>
      cycleIndex < present &&
      status !== 'BILLED' &&
      !skipped &&
      billingAttempts.nodes.every(({ completedAt }) => completedAt !== null),
  );
}

/**
 * Whether no order can be on that date in a new rhythm, which is clear beforehand: a paid order stays paid, and of
 * daily orders too many would lie before the date. A year of any other rhythm has fewer.
 */
export function isOutOfReach(
  dateMs: Instant,
  { cycles, rhythm, nowMs }: { cycles: readonly BillingCycle[]; rhythm: Rhythm; nowMs: number },
): boolean {
  const isPaid = cycles.some((cycle) => cycle.status === 'BILLED' && holdsDate(cycle, dateMs));
  const reachMs = MOST_BEFORE * rhythm.intervalCount * DAY_MS;
  return isPaid || (rhythm.interval === 'DAY' && dateMs - nowMs > reachMs);
}

/** OUT_OF_BOUNDS at the client's `nextBillingDate`. */
export function noOrderOn(dateMs: Instant): OperationError {
  const fault = { field: ['nextBillingDate'], message: message('noOrderOnDate') };
  return refuse('OUT_OF_BOUNDS', fault, { date: instantText(dateMs) });
}

/** What the move changes: the order's own date first, then each order that is skipped or comes after all. */
export function moveFacts({ cycle, edits }: OrderMove, dateMs: Instant): ChangedFact[] {
  const { cycleIndex, billingAttemptExpectedDate: before } = cycle;
  const skips = edits.flatMap(({ cycleIndex: index, skip }) =>
    skip === undefined ? [] : [cycleSkippedFact(index, { before: String(!skip), after: String(skip) })],
  );
  if (dueMs(cycle) === dateMs) return skips;
  return [cycleDateFact(cycleIndex, { before, after: instantText(dateMs) }), ...skips];
}
