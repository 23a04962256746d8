/**
 * The next orders of a contract, which a client can show after a change. They are read in the same request as the
 * contract, before the change, and the edits of the change are applied to them. So they need no extra request.
 */
import { dateText } from '../../domain/instant.ts';
import type { RootReads } from '../read-contract-state.ts';
import { type BillingCycle, CYCLE_FIELDS } from './billing-cycle.ts';
import { FARTHEST_MS } from './order-move.ts';
import type { ScheduleEdit } from './restore-edits.ts';

/** The schema's SubscriptionUpcomingOrder. */
type UpcomingOrder = {
  readonly cycleIndex: number;
  /** ISO 8601. */
  readonly date: string;
  readonly skipped: boolean;
};

/** The cycles that `upcomingReads` selects; null when the contract has none. */
export type UpcomingState = { readonly _svcUpcoming: { readonly nodes: readonly BillingCycle[] } | null };

const ORDERS = 3;
/** Leaves room for seven skipped orders between the next three. */
const CYCLES = 10;

/** Builds the root field for the cycles from this instant on, at most a year from now. */
export function upcomingReads(fromMs: number, nowMs: number): RootReads {
  const endMs = nowMs + FARTHEST_MS;
  const startMs = Math.min(Math.max(fromMs, nowMs), endMs);
  const dates = { startDate: dateText(startMs), endDate: dateText(endMs) };
  return {
    roots: `_svcUpcoming: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcUpcomingDates, first: ${CYCLES}) { nodes { ${CYCLE_FIELDS} } }`,
    declarations: ['$_svcUpcomingDates: SubscriptionBillingCyclesDateRangeSelector!'],
    variables: { _svcUpcomingDates: dates },
  };
}

/**
 * Returns the payload's `skippedOrders` and `upcomingOrders` after these edits. The cycles are from before the edits.
 */
export function ordersAfter(
  { _svcUpcoming }: UpcomingState,
  { before = [], edits = [] }: Move = {},
): Readonly<Record<'skippedOrders' | 'upcomingOrders', readonly UpcomingOrder[]>> {
  const cycles = new Map([...before, ...(_svcUpcoming?.nodes ?? [])].map((one) => [one.cycleIndex, one]));
  const editOf = new Map(edits.map((edit) => [edit.cycleIndex, edit]));
  const orders = [...cycles.values()]
    .filter(({ status }) => status !== 'BILLED')
    .map(({ cycleIndex, billingAttemptExpectedDate, skipped }) => {
      const { billingDate: date = billingAttemptExpectedDate, skip = skipped } = editOf.get(cycleIndex) ?? {};
      return { cycleIndex, date, skipped: skip };
    });
  return {
    skippedOrders: orders.filter(({ cycleIndex }) => editOf.get(cycleIndex)?.skip === true),
    upcomingOrders: nextOf(orders),
  };
}

/** `before`: the cycles until the date, in order. */
type Move = { readonly before?: readonly BillingCycle[]; readonly edits?: readonly ScheduleEdit[] };

/** Returns the next orders and the skipped orders between them. */
function nextOf(orders: readonly UpcomingOrder[]): readonly UpcomingOrder[] {
  const next = orders.filter(({ skipped }) => !skipped).slice(0, ORDERS);
  const [first, last] = [next.at(0), next.at(-1)];
  if (first === undefined || last === undefined) return [];
  return orders.slice(orders.indexOf(first), orders.indexOf(last) + 1);
}
