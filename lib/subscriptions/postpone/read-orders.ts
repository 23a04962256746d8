/** Reads a contract with the cycles of its next orders, before these are postponed. */
import { formatPlatformDate } from '../../domain/instant.ts';

import type { ContractFacts } from '../contract-facts.ts';
import { CYCLE_SELECTION } from '../cycles/billing-cycle.ts';
import type { AnswerSelection, OperationDeps } from '../operation.ts';
import { readContractState } from '../read-contract-state.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import type { CycleToDate } from './plan-order-dates.ts';

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
  readonly answered: Readonly<Record<string, unknown>>;
  readonly errors: Awaited<ReturnType<typeof readContractState>>['errors'];
};

type State = {
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
/** The platform may refuse a range of ten years. */
const RANGE_MS = 9 * 366 * 86_400_000;

type Reading = {
  readonly contractId: string;
  readonly count: number;
  /** The client's selection of the contract. */
  readonly answer?: AnswerSelection;
};

/**
 * Reads the contract and this number of cycles in one request.
 * @throws PLATFORM_UNAVAILABLE when the response leaves the state open
 */
export async function readContractOrders(
  deps: Pick<OperationDeps, 'ask' | 'now'>,
  { contractId, count, answer }: Reading,
): Promise<ContractWithOrders> {
  const nowMs = deps.now();
  const { state, data, errors } = await readContractState<State>(deps, {
    contractId,
    reads: {
      contract: 'billingPolicy { interval intervalCount anchors { type } }',
      roots: `_svcOrders: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: ${count}) {
        nodes { ${CYCLE_SELECTION} editedContract { createdAt } } pageInfo { hasNextPage } }`,
      declarations: ['$_svcDates: SubscriptionBillingCyclesDateRangeSelector!'],
      variables: {
        _svcDates: { startDate: formatPlatformDate(nowMs), endDate: formatPlatformDate(nowMs + RANGE_MS) },
      },
    },
    ...(answer && { answer }),
  });
  return {
    contract: state?.contract,
    cycles: state?._svcOrders?.nodes ?? [],
    areAllCycles: state?._svcOrders?.pageInfo.hasNextPage !== true,
    answered: data,
    errors,
  };
}
