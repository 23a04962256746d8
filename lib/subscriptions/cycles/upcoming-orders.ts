/**
 * Computes the next orders of a contract after a change, for the payload. The cycles are read in the same request as
 * the contract, before the change, and the edits of the change are applied to them here. This saves a platform request.
 */
import { formatPlatformDate } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { isBeyondOneYear } from '../find-date-error.ts';
import type { OperationDeps } from '../operation.ts';
import { findNextOrder } from '../order-content.ts';
import { orderDateOfCycle, type PostponedDates } from '../order-dates/postponements.ts';
import { type ContractState, type RootReads, readContractState } from '../read-contract-state.ts';
import { type BillingCycle, CYCLE_SELECTION } from './billing-cycle.ts';
import { MAX_CYCLE_READ_AHEAD_MS } from './plan-order-move.ts';
import type { ScheduleEdit } from './plan-restored-edits.ts';

/** The value of the schema's type SubscriptionUpcomingOrder. */
type UpcomingOrder = {
  readonly cycleIndex: number;
  /** ISO 8601. */
  readonly date: string;
  readonly skipped: boolean;
};

/** The cycles that `buildUpcomingReads` selects. Null when the contract has no cycles. */
export type UpcomingState = { readonly _svcUpcoming: { readonly nodes: readonly BillingCycle[] } | null };

const LISTED_ORDER_COUNT = 3;
/** How many cycles are read: three orders, and up to seven skipped ones before or between them. */
const UPCOMING_CYCLE_COUNT = 10;

/** The platform's largest page, for contracts whose next orders are all skipped. */
const MAX_UPCOMING_CYCLES_READ = 250;

/**
 * Builds the root field that reads this number of cycles from an instant on, at most a year from now. Epoch milliseconds.
 */
export function buildUpcomingReads(fromMs: number, nowMs: number, count = UPCOMING_CYCLE_COUNT): RootReads {
  const endMs = nowMs + MAX_CYCLE_READ_AHEAD_MS;
  const startMs = Math.min(Math.max(fromMs, nowMs), endMs);
  const dateRange = { startDate: formatPlatformDate(startMs), endDate: formatPlatformDate(endMs) };
  return {
    roots: `_svcUpcoming: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcUpcomingDates, first: ${count}) { nodes { ${CYCLE_SELECTION} } }`,
    declarations: ['$_svcUpcomingDates: SubscriptionBillingCyclesDateRangeSelector!'],
    variables: { _svcUpcomingDates: dateRange },
  };
}

/**
 * Reads the contract's cycles again, as many as the platform returns, if the first ones are all skipped or paid. Sends one
 * platform request then.
 * @throws PLATFORM_UNAVAILABLE when the response leaves the state open
 */
export async function readBeyondSkippedOrders(
  deps: Pick<OperationDeps, 'sendToPlatform' | 'now'>,
  { contractId, fromMs }: { readonly contractId: string; readonly fromMs: number },
  first: UpcomingState,
): Promise<UpcomingState> {
  const upcomingCycles = first._svcUpcoming?.nodes ?? [];
  if (findNextOrder(upcomingCycles, deps.now()) !== undefined || upcomingCycles.length < UPCOMING_CYCLE_COUNT)
    return first;
  const stateSelection = {
    contract: '',
    ...buildUpcomingReads(fromMs, deps.now(), MAX_UPCOMING_CYCLES_READ),
  };
  const { state } = await readContractState<ContractState & UpcomingState>(deps, {
    contractId,
    reads: stateSelection,
  });
  return state ?? first;
}

/**
 * Returns the payload's `skippedOrders`, with the dates of before the change, and `upcomingOrders`. Applies the edits to the
 * cycles that were read before the edits.
 */
export function buildUpcomingOrderLists(
  { _svcUpcoming }: UpcomingState,
  { before = [], edits = [], nowMs, postponed }: OrdersListChange,
): Readonly<Record<'skippedOrders' | 'upcomingOrders', readonly UpcomingOrder[]>> {
  const cycleByIndex = new Map(
    [...before, ...(_svcUpcoming?.nodes ?? [])].map((one) => [one.cycleIndex, one]),
  );
  const editOf = new Map(edits.map((edit) => [edit.cycleIndex, edit]));
  const unbilledCycles = [...cycleByIndex.values()].filter(({ status }) => status !== 'BILLED');
  const orders = unbilledCycles.flatMap((cycle) => {
    const { cycleIndex, skipped: wasSkipped, billingAttemptExpectedDate: dateBefore } = cycle;
    const { billingDate = dateBefore, skip: skipped = wasSkipped } = editOf.get(cycleIndex) ?? {};
    const cycleAfter = { ...cycle, billingAttemptExpectedDate: billingDate, skipped };
    const date = orderDateOfCycle(cycleAfter, { ...postponed, nowMs });
    // Only an extension of the dates decides on these orders.
    const isDateUndecided = postponed.dates !== undefined && isBeyondOneYear(Date.parse(date ?? ''), nowMs);
    return date === null || isDateUndecided ? [] : [{ cycleIndex, date, skipped }];
  });
  return {
    skippedOrders: unbilledCycles
      .filter(({ cycleIndex }) => editOf.get(cycleIndex)?.skip === true)
      .map(({ cycleIndex, billingAttemptExpectedDate: date }) => ({ cycleIndex, date, skipped: true })),
    upcomingOrders: takeNextOrders(orders, nowMs),
  };
}

/**
 * `before`: the cycles from now to the requested date, in order. `edits`: the schedule edits of the change. `nowMs`: epoch
 * milliseconds. `postponed`: the dates of a postponed contract after the change.
 */
type OrdersListChange = {
  readonly before?: readonly BillingCycle[];
  readonly edits?: readonly ScheduleEdit[];
  readonly nowMs: number;
  readonly postponed: { readonly dates: PostponedDates | undefined; readonly timeZone: TimeZone };
};

/** Returns the next three orders, and the skipped orders between them. */
function takeNextOrders(orders: readonly UpcomingOrder[], nowMs: number): readonly UpcomingOrder[] {
  const next = orders
    .filter(({ skipped, date }) => !skipped && Date.parse(date) >= nowMs)
    .slice(0, LISTED_ORDER_COUNT);
  const [first, last] = [next.at(0), next.at(-1)];
  if (first === undefined || last === undefined) return [];
  return orders.slice(orders.indexOf(first), orders.indexOf(last) + 1);
}
