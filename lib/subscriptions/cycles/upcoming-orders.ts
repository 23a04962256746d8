/**
 * The next orders of a contract, for a client to show after a change. They are read before the change, in the same request
 * as the contract, and the edits of the change are applied to them, so they cost no request.
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

/** The cycles that `upcomingReads` brings; null: the contract has none. */
export type UpcomingState = { readonly _svcUpcoming: { readonly nodes: readonly BillingCycle[] } | null };

const ORDERS = 3;
/** Leaves room for seven skipped orders between the next three. */
const CYCLES = 10;

/** The root that brings the cycles from this instant on, at most until a year from now. */
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

/** The payload's `skippedOrders` and `upcomingOrders` when these edits were made; the cycles are from before them. */
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

/** `before`: the cycles until the date, in their order. */
type Move = { readonly before?: readonly BillingCycle[]; readonly edits?: readonly ScheduleEdit[] };

/** The next orders, and skipped ones between them. */
function nextOf(orders: readonly UpcomingOrder[]): readonly UpcomingOrder[] {
  const next = orders.filter(({ skipped }) => !skipped).slice(0, ORDERS);
  const [first, last] = [next.at(0), next.at(-1)];
  if (first === undefined || last === undefined) return [];
  return orders.slice(orders.indexOf(first), orders.indexOf(last) + 1);
}
