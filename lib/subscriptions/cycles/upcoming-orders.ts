/**
 * Computes the next orders of a contract after a change, for the payload. The cycles are read together with the
 * contract before the change, and the schedule edits of the change are applied to them here. This saves a platform
 * request.
 */
import { formatPlatformDate } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { isBeyondOneYear } from '../find-date-error.ts';
import type { OperationDeps } from '../operation.ts';
import { findNextOrder } from '../order-content.ts';
import {
  type CycleWithoutOrder,
  orderDateOfCycle,
  type PostponedDates,
} from '../order-dates/postponements.ts';
import { type ContractState, type RootFieldReads, readContractState } from '../read-contract-state.ts';
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
 * Builds the root field that reads `count` cycles, starting with the one that contains `fromMs`, at most a year
 * ahead. Both instants are in epoch milliseconds.
 */
export function buildUpcomingReads(
  fromMs: number,
  nowMs: number,
  count = UPCOMING_CYCLE_COUNT,
): RootFieldReads {
  const endMs = nowMs + MAX_CYCLE_READ_AHEAD_MS;
  const startMs = Math.min(Math.max(fromMs, nowMs), endMs);
  const dateRange = { startDate: formatPlatformDate(startMs), endDate: formatPlatformDate(endMs) };
  return {
    rootFields: `_svcUpcoming: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcUpcomingDates, first: ${count}) { nodes { ${CYCLE_SELECTION} } }`,
    declarations: ['$_svcUpcomingDates: SubscriptionBillingCyclesDateRangeSelector!'],
    variables: { _svcUpcomingDates: dateRange },
  };
}

/**
 * Reads the contract's cycles again, as many as the platform returns, if the cycles of the first page are all skipped
 * or paid. Otherwise returns the first page without a platform request.
 * @throws PLATFORM_UNAVAILABLE when the state cannot be read
 */
export async function readBeyondSkippedOrders(
  deps: Pick<OperationDeps, 'sendToPlatform' | 'now'>,
  { contractId, fromMs }: { readonly contractId: string; readonly fromMs: number },
  firstPage: UpcomingState,
): Promise<UpcomingState> {
  const upcomingCycles = firstPage._svcUpcoming?.nodes ?? [];
  if (findNextOrder(upcomingCycles, deps.now()) !== undefined || upcomingCycles.length < UPCOMING_CYCLE_COUNT)
    return firstPage;
  const stateSelection = {
    contractSelection: '',
    ...buildUpcomingReads(fromMs, deps.now(), MAX_UPCOMING_CYCLES_READ),
  };
  const { state } = await readContractState<ContractState & UpcomingState>(deps, {
    contractId,
    reads: stateSelection,
  });
  return state ?? firstPage;
}

/**
 * Returns `skippedOrders` and `upcomingOrders` of the payload. Skipped orders have their dates from before the
 * change. Applies the schedule edits to the cycles that were read before the change.
 */
export function buildUpcomingOrderLists(
  { _svcUpcoming }: UpcomingState,
  { cyclesBefore = [], edits = [], nowMs, postponedDates }: OrdersListChange,
): Readonly<Record<'skippedOrders' | 'upcomingOrders', readonly UpcomingOrder[]>> {
  const cycleByIndex = new Map(
    [...cyclesBefore, ...(_svcUpcoming?.nodes ?? [])].map((one) => [one.cycleIndex, one]),
  );
  const editByCycle = new Map(edits.map((edit) => [edit.cycleIndex, edit]));
  const unbilledCycles = [...cycleByIndex.values()].filter(({ status }) => status !== 'BILLED');
  const orders = unbilledCycles.flatMap((cycle) => {
    const { cycleIndex, skipped: wasSkipped, billingAttemptExpectedDate: dateBefore } = cycle;
    const { billingDate = dateBefore, skip: skipped = wasSkipped } = editByCycle.get(cycleIndex) ?? {};
    const cycleAfter = { ...cycle, billingAttemptExpectedDate: billingDate, skipped };
    const isWithoutOrder =
      skipped && postponedDates.withoutOrder?.some((one) => one.cycleIndex === cycleIndex) === true;
    const date = isWithoutOrder ? null : orderDateOfCycle(cycleAfter, { ...postponedDates, nowMs });
    // The date of this order is decided later, when the dates of the postponed contract are extended.
    const isDateUndecided =
      postponedDates.dates !== undefined && isBeyondOneYear(Date.parse(date ?? ''), nowMs);
    return date === null || isDateUndecided ? [] : [{ cycleIndex, date, skipped }];
  });
  return {
    skippedOrders: unbilledCycles
      .filter(({ cycleIndex }) => editByCycle.get(cycleIndex)?.skip === true)
      .map(({ cycleIndex, billingAttemptExpectedDate: date }) => ({ cycleIndex, date, skipped: true })),
    upcomingOrders: takeNextOrders(orders, nowMs),
  };
}

/**
 * `cyclesBefore` are the cycles from now to the requested date, in order. `edits` are the schedule edits of the
 * change. `nowMs` is in epoch milliseconds. `postponedDates` are the dates of a postponed contract after the change.
 */
type OrdersListChange = {
  readonly cyclesBefore?: readonly BillingCycle[];
  readonly edits?: readonly ScheduleEdit[];
  readonly nowMs: number;
  readonly postponedDates: {
    readonly dates: PostponedDates | undefined;
    readonly timeZone: TimeZone;
    /** Skipped cycles whose orders come in other cycles, although the contract has no `dates`. */
    readonly withoutOrder?: readonly CycleWithoutOrder[];
  };
};

/** Returns the next three orders that are not skipped, and the skipped orders between them. */
function takeNextOrders(orders: readonly UpcomingOrder[], nowMs: number): readonly UpcomingOrder[] {
  const nextOrders = orders
    .filter(({ skipped, date }) => !skipped && Date.parse(date) >= nowMs)
    .slice(0, LISTED_ORDER_COUNT);
  const [firstOrder, lastOrder] = [nextOrders.at(0), nextOrders.at(-1)];
  if (firstOrder === undefined || lastOrder === undefined) return [];
  return orders.slice(orders.indexOf(firstOrder), orders.indexOf(lastOrder) + 1);
}
