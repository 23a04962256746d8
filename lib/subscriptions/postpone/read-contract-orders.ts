/** Reads a contract with the cycles of its next orders, before these are postponed. */
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
  /** Whether the contract has no cycle after these. */
  readonly areAllCycles: boolean;
  /** The client's selection, if it is read. */
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
/** As many skipped orders as can precede a chosen date, and the cycles after them. */
export const MAX_CYCLES_PER_READ = MAX_SKIPPED_EARLIER_ORDERS + CYCLES_PER_READ;
/** The platform may refuse a range of ten years. */
const CYCLES_RANGE_MS = 9 * 366 * 86_400_000;

type OrdersReading = {
  readonly contractId: string;
  readonly count: number;
  /** The client's selection of the contract. */
  readonly selection?: ClientSelection;
};

/**
 * Reads the contract and the cycles from the current one on, with enough of them from the next upcoming order on. Sends a
 * second request if many skipped orders precede that order.
 * @throws PLATFORM_UNAVAILABLE when the response leaves the state open
 */
export async function readOrdersAroundNext(
  deps: Pick<OperationDeps, 'sendToPlatform' | 'now'>,
  contractId: string,
): Promise<ContractWithOrders> {
  const orders = await readContractOrders(deps, { contractId, count: CYCLES_PER_READ });
  const next = orders.cycles.findIndex((cycle) => !cycle.skipped && isOrderUpcoming(cycle, deps.now()));
  const hasEnoughCycles = next >= 0 && orders.cycles.length - next >= ORDERS_WITH_DATES;
  if (hasEnoughCycles || orders.areAllCycles) return orders;
  return readContractOrders(deps, {
    contractId,
    count: next >= 0 ? next + CYCLES_PER_READ : MAX_CYCLES_PER_READ,
  });
}

/**
 * Reads the contract and this number of cycles in one request.
 * @throws PLATFORM_UNAVAILABLE when the response leaves the state open
 */
export async function readContractOrders(
  deps: Pick<OperationDeps, 'sendToPlatform' | 'now'>,
  { contractId, count, selection }: OrdersReading,
): Promise<ContractWithOrders> {
  const nowMs = deps.now();
  const { state, data, errors } = await readContractState<OrdersResponse>(deps, {
    contractId,
    reads: {
      contract: 'billingPolicy { interval intervalCount anchors { type } }',
      roots: `_svcOrders: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: ${count}) {
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
