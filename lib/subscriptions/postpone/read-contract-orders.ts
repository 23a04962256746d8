/** Reads a contract with the cycles of its next orders, before the orders are postponed. */
import { formatPlatformDate } from '../../domain/instant.ts';

import type { ContractFacts } from '../contract-facts.ts';
import { CYCLE_SELECTION, isOrderUpcoming } from '../cycles/billing-cycle.ts';
import { MAX_SKIPPED_EARLIER_ORDERS } from '../cycles/plan-order-move.ts';
import type { ClientSelection, OperationDeps } from '../operation.ts';
import { readContractState } from '../read-contract-state.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import { type CycleToDate, ORDERS_WITH_DATES } from './plan-order-dates.ts';

export type PostponableContract = ContractFacts & {
  readonly billingPolicy: Frequency & { readonly anchors: readonly unknown[] };
};

export type ContractWithOrders = {
  /** Undefined when the contract does not exist. */
  readonly contract: PostponableContract | undefined;
  /** Consecutive cycles from the current one on. */
  readonly cycles: readonly CycleToDate[];
  /** Whether the list ends with the contract's last cycle. */
  readonly areAllCycles: boolean;
  /** The root fields of the response, with those that the client selected if `selection` was passed. */
  readonly selectedFields: Readonly<Record<string, unknown>>;
  readonly errors: Awaited<ReturnType<typeof readContractState>>['errors'];
};

type OrdersResponse = {
  readonly contract: PostponableContract;
  readonly _svcOrders: {
    readonly nodes: readonly CycleToDate[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  } | null;
};

/**
 * How many cycles are read: twelve orders that get a date, the order before them, and the order to which the last one's
 * own edit moves.
 */
export const CYCLES_PER_READ = 14;
/**
 * The maximum number of cycles that are read: as many skipped orders as can precede a chosen date, and
 * `CYCLES_PER_READ` after them.
 */
export const MAX_CYCLES_PER_READ = MAX_SKIPPED_EARLIER_ORDERS + CYCLES_PER_READ;
/** The range of dates for which cycles are read: nine years, because the platform may refuse a range of ten. */
const CYCLES_RANGE_MS = 9 * 366 * 86_400_000;

type OrdersReading = {
  readonly contractId: string;
  readonly cycleCount: number;
  /** The client's selection of the contract. */
  readonly selection?: ClientSelection;
};

/**
 * Reads the contract and its cycles from the current one on, at least 12 of them from the next upcoming order on if
 * there are so many. Sends a second request if many skipped orders precede that order.
 * @throws PLATFORM_UNAVAILABLE when the state cannot be read
 */
export async function readOrdersAroundNext(
  deps: Pick<OperationDeps, 'sendToPlatform' | 'now'>,
  contractId: string,
): Promise<ContractWithOrders> {
  const orders = await readContractOrders(deps, { contractId, cycleCount: CYCLES_PER_READ });
  const nextOrderPosition = orders.cycles.findIndex(
    (cycle) => !cycle.skipped && isOrderUpcoming(cycle, deps.now()),
  );
  const hasEnoughCycles =
    nextOrderPosition >= 0 && orders.cycles.length - nextOrderPosition >= ORDERS_WITH_DATES;
  if (hasEnoughCycles || orders.areAllCycles) return orders;
  return readContractOrders(deps, {
    contractId,
    cycleCount: nextOrderPosition >= 0 ? nextOrderPosition + CYCLES_PER_READ : MAX_CYCLES_PER_READ,
  });
}

/**
 * Reads the contract and `cycleCount` cycles in one request.
 * @throws PLATFORM_UNAVAILABLE when the state cannot be read
 */
export async function readContractOrders(
  deps: Pick<OperationDeps, 'sendToPlatform' | 'now'>,
  { contractId, cycleCount, selection }: OrdersReading,
): Promise<ContractWithOrders> {
  const nowMs = deps.now();
  const { state, data, errors } = await readContractState<OrdersResponse>(deps, {
    contractId,
    reads: {
      contractSelection: 'billingPolicy { interval intervalCount anchors { type } }',
      rootFields: `_svcOrders: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: ${cycleCount}) {
        nodes { ${CYCLE_SELECTION} editedContract { createdAt } } pageInfo { hasNextPage } }`,
      declarations: ['$_svcDates: SubscriptionBillingCyclesDateRangeSelector!'],
      variables: {
        _svcDates: {
          startDate: formatPlatformDate(nowMs),
          endDate: formatPlatformDate(nowMs + CYCLES_RANGE_MS),
        },
      },
    },
    ...(selection && { selection }),
  });
  return {
    contract: state?.contract,
    cycles: state?._svcOrders?.nodes ?? [],
    areAllCycles: state?._svcOrders?.pageInfo.hasNextPage !== true,
    selectedFields: data,
    errors,
  };
}
