/**
 * The next order on a date that was asked for: the cycle that holds the date gets it, orders before it are skipped. The
 * platform's `nextBillingDate` is a note that moves no cycle, so both are set.
 */
import { type BillingCycle, CYCLE_FIELDS, dueMs } from './billing-cycle.ts';
import { dateText } from './date-text.ts';
import type { StateSelection } from './draft-spec.ts';
import type { ScheduleEdit } from './restore-edits.ts';

/** Farther than any date that may be set. */
const FARTHEST_MS = 367 * 86_400_000;
/** A weekly contract's of a year: two documents of schedule edits. */
const MOST_BEFORE = 60;

type Page = { readonly nodes: readonly BillingCycle[] } | null;

/** What `orderDateReads` brings; null: the contract has no cycles. */
export type OrderDateState = { readonly _svcUpToDate: Page };

export type OrderMove = {
  /** The cycle of the date, as it is before. */
  readonly cycle: BillingCycle;
  /** None: all is as it is to be. */
  readonly edits: readonly ScheduleEdit[];
};

/** The root that brings the cycles from now to the date, as many as are skipped or moved for it. */
export function orderDateReads(dateMs: number, nowMs: number): Omit<StateSelection, 'contract'> {
  // A date that is past or too far is refused after the read; the year 10000 is none that the platform reads.
  const endMs = Math.min(Math.max(dateMs, nowMs), nowMs + FARTHEST_MS);
  const dates = { startDate: dateText(nowMs), endDate: dateText(endMs) };
  return {
    roots: `_svcUpToDate: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: ${MOST_BEFORE + 1}) { nodes { ${CYCLE_FIELDS} } }`,
    declarations: ['$_svcDates: SubscriptionBillingCyclesDateRangeSelector!'],
    variables: { _svcDates: dates },
  };
}

/** Undefined: no order can be on that date, because it is paid, too many orders lie before it, or there is none. */
export function moveOrderTo(dateMs: number, { _svcUpToDate: page }: OrderDateState): OrderMove | undefined {
  const cycles = page?.nodes ?? [];
  const cycle = cycles.find((one) => holds(one, dateMs));
  if (cycle === undefined || cycle.status === 'BILLED') return undefined;
  const { cycleIndex, skipped } = cycle;
  const before = cycles.filter(
    (one) => one.cycleIndex < cycleIndex && one.status !== 'BILLED' && !one.skipped,
  );
  const isMoved = skipped || dueMs(cycle) !== dateMs;
  const billingDate = dateText(dateMs) ?? '';
  return {
    cycle,
    edits: [
      ...before.map((one) => ({ cycleIndex: one.cycleIndex, skip: true })),
      ...(isMoved ? [{ cycleIndex, ...(skipped && { skip: false }), billingDate }] : []),
    ],
  };
}

/** The platform's cycles begin a second after the last one ends. */
function holds({ cycleStartAt, cycleEndAt }: BillingCycle, dateMs: number): boolean {
  const wholeMs = Math.floor(dateMs / 1000) * 1000;
  return Date.parse(cycleStartAt) <= wholeMs && wholeMs <= Date.parse(cycleEndAt);
}
