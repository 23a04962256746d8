/**
 * Moves the next order to a requested date: the cycle that contains the date gets it, and earlier orders are skipped.
 * The platform's `nextBillingDate` moves no cycle, so both are set.
 */

import { dateText, type Instant, instantText } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { type ChangedFact, cycleDateFact, cycleSkippedFact } from '../../timeline/changed-fact.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import type { RootReads } from '../read-contract-state.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import { type BillingCycle, CYCLE_FIELDS, dueMs, holdsDate } from './billing-cycle.ts';
import type { ScheduleEdit } from './restore-edits.ts';

const DAY_MS = 86_400_000;
/** Beyond any date that may be set. */
export const FARTHEST_MS = 367 * DAY_MS;
/** The orders of a weekly contract in a year: two documents of schedule edits. */
const MAX_BEFORE = 60;

/** How far back merchants' jobs retry declined orders (docs/merchant-servers.md). */
const OVERDUE_MS = 35 * DAY_MS;
/** The orders of a daily contract in that time, and the current one. */
const MAX_OVERDUE = 36;

type Page<Cycle = BillingCycle> = { readonly nodes: readonly Cycle[] } | null;
type ChargedCycle = BillingCycle & {
  readonly billingAttempts: { readonly nodes: readonly { readonly completedAt: string | null }[] };
};

/** The cycles that `orderDateReads` selects; null when the contract has none. */
export type OrderDateState = { readonly _svcUpToDate: Page; readonly _svcOverdue: Page<ChargedCycle> };

export type OrderMove = {
  /** The cycle of the date, before the move. */
  readonly cycle: BillingCycle;
  /** The edits that make the move; empty when nothing has to change. */
  readonly edits: readonly ScheduleEdit[];
};

/**
 * Builds the root fields for two lists: the cycles from now to the date, limited to the number that can be skipped or
 * moved; and those before now.
 */
export function orderDateReads(dateMs: Instant, nowMs: number): RootReads {
  // Past and far dates are refused after the read. The platform cannot parse the year 10000.
  const endMs = Math.min(Math.max(dateMs, nowMs), nowMs + FARTHEST_MS);
  const dates = { startDate: dateText(nowMs), endDate: dateText(endMs) };
  const before = { startDate: dateText(nowMs - OVERDUE_MS), endDate: dateText(nowMs) };
  const cycles = 'subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector:';
  return {
    roots: `_svcUpToDate: ${cycles} $_svcDates, first: ${MAX_BEFORE + 1}) { nodes { ${CYCLE_FIELDS} } }
      _svcOverdue: ${cycles} $_svcBefore, last: ${MAX_OVERDUE}) {
        nodes { ${CYCLE_FIELDS} billingAttempts(last: 1) { nodes { completedAt } } } }`,
    declarations: ['$_svcDates', '$_svcBefore'].map(
      (name) => `${name}: SubscriptionBillingCyclesDateRangeSelector!`,
    ),
    variables: { _svcDates: dates, _svcBefore: before },
  };
}

/**
 * Plans the move. `ahead`: the cycles from now to the date or beyond; `overdue`: earlier orders that are skipped too.
 * @returns undefined when no order can be on that date: it is paid, too many orders precede it, or no cycle contains
 * it
 */
export function moveOrderTo(
  dateMs: Instant,
  ahead: readonly BillingCycle[],
  overdue: readonly BillingCycle[] = [],
): OrderMove | undefined {
  const cycles = ahead.slice(0, MAX_BEFORE + 1);
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

/** Returns the cycles from now to the date. */
export function upToDate({ _svcUpToDate: page }: OrderDateState): readonly BillingCycle[] {
  return page?.nodes ?? [];
}

/**
 * Returns orders that are due and unpaid. Orders with an open payment are excluded: the platform refuses to edit
 * them, and the payment may succeed.
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
 * Whether no order can be on that date with a new frequency. Two cases are known beforehand: a paid order stays paid,
 * and too many daily orders precede the date. No other frequency has that many orders in a year.
 */
export function isOutOfReach(
  dateMs: Instant,
  { cycles, frequency, nowMs }: { cycles: readonly BillingCycle[]; frequency: Frequency; nowMs: number },
): boolean {
  const isPaid = cycles.some((cycle) => cycle.status === 'BILLED' && holdsDate(cycle, dateMs));
  const reachMs = MAX_BEFORE * frequency.intervalCount * DAY_MS;
  return isPaid || (frequency.interval === 'DAY' && dateMs - nowMs > reachMs);
}

/** Returns OUT_OF_BOUNDS for the client's `nextBillingDate`. */
export function noOrderOn(dateMs: Instant): OperationError {
  const fault = { field: ['nextBillingDate'], message: message('noOrderOnDate') };
  return refuse('OUT_OF_BOUNDS', fault, { date: instantText(dateMs) });
}

/** Returns what the move changes: first the order's date, then each order that is skipped or restored. */
export function moveFacts({ cycle, edits }: OrderMove, dateMs: Instant): ChangedFact[] {
  const { cycleIndex, billingAttemptExpectedDate: before } = cycle;
  const skips = edits.flatMap(({ cycleIndex: index, skip }) =>
    skip === undefined ? [] : [cycleSkippedFact(index, { before: String(!skip), after: String(skip) })],
  );
  if (dueMs(cycle) === dateMs) return skips;
  return [cycleDateFact(cycleIndex, { before, after: instantText(dateMs) }), ...skips];
}
