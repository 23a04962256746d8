/** Finds the next order of a contract if it can be sent now, and the cycle that contains its new date. */
import { formatPlatformDate, type Instant, parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { sendNowSettingOf, timeZoneOf } from '../../storage/stores.ts';
import { findContractError, requireOwnership } from '../contract-facts.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import {
  createRefusedOutcome,
  createUserError,
  type OperationError,
  type OperationOutcome,
} from '../operation-error.ts';
import { findNextOrder } from '../order-content.ts';
import type { ClaimDeps } from '../order-dates/claim-orders.ts';
import type { PostponementRecord } from '../order-dates/postponements.ts';
import { readContract } from '../read-contract.ts';
import { type ContractState, type RootFieldReads, readContractState } from '../read-contract-state.ts';
import { earliestOfferedDate } from '../requested-date.ts';
import {
  type BillingCycle,
  CYCLE_SELECTION,
  findUnexpectedDateError,
  isDateInCycle,
  orderDueAtMs,
  orderErrorDetails,
} from './billing-cycle.ts';
import { MAX_OVERDUE_MS } from './plan-order-move.ts';
import {
  type BillingStartDeps,
  findBillingStartError,
  type OverdueOrderDeps,
  orderNotBeforeError,
} from './requested-order.ts';
import {
  buildUpcomingOrderLists,
  buildUpcomingReads,
  readBeyondSkippedOrders,
  type UpcomingState,
} from './upcoming-orders.ts';

const CONTRACT_ARGUMENT = ['contractId'];

/** The contract with its next cycles and the last cycles before now. */
type OrderToSendState = ContractState &
  UpcomingState & { readonly _svcPrevious: { readonly nodes: readonly PreviousCycle[] } | null };
type PreviousCycle = BillingCycle & {
  readonly billingAttempts: { readonly nodes: readonly { readonly id: string }[] };
};

/** The dependencies of sending an order now. */
export type SendNowDeps = ClaimDeps & BillingStartDeps & OverdueOrderDeps;

const DATE_ARGUMENT = 'expectedDate';
/** How many of the last cycles before now are read, to find the last order that was not skipped. */
const PREVIOUS_CYCLE_COUNT = 4;

/** Builds root fields that read the next cycles, and the last ones before now. */
function buildOrderToSendReads(nowMs: number): RootFieldReads {
  const upcomingReads = buildUpcomingReads(nowMs, nowMs);
  const dateRange = {
    startDate: formatPlatformDate(nowMs - MAX_OVERDUE_MS),
    endDate: formatPlatformDate(nowMs),
  };
  return {
    rootFields: `${upcomingReads.rootFields} _svcPrevious: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcPreviousDates, last: ${PREVIOUS_CYCLE_COUNT}) { nodes { ${CYCLE_SELECTION} billingAttempts(first: 1) { nodes { id } } } }`,
    declarations: [
      ...upcomingReads.declarations,
      '$_svcPreviousDates: SubscriptionBillingCyclesDateRangeSelector!',
    ],
    variables: { ...upcomingReads.variables, _svcPreviousDates: dateRange },
  };
}

/** The next order, and how it can be sent now. */
export type OrderToSend = {
  readonly state: OrderToSendState;
  /** The cycle of the next order. */
  readonly nextCycle: BillingCycle;
  /** The cycle that contains `atMs`. It can be earlier than the cycle of the next order. */
  readonly currentCycle: BillingCycle;
  /** The date that the next order gets. */
  readonly atMs: Instant;
  /** The contract's postponement record; undefined when it has none. */
  readonly record: PostponementRecord | undefined;
};

/**
 * Returns the next order, or the outcome of the operation if that order cannot be sent now or is due already. Sends
 * one platform request, one more if the next ten orders are skipped, and one more if the order is due already.
 * `record` has the contract's postponements.
 */
export async function findOrderToSend(
  deps: SendNowDeps,
  { args, selection }: OperationRequest,
  record: PostponementRecord | undefined,
): Promise<OrderToSend | OperationOutcome> {
  const contractId = String(args.contractId);
  const nowMs = deps.now();
  const { state, nextCycle: upcomingOrder } = await readNextOrder(deps, contractId, nowMs);
  const orderToSend = findNamedDueOrder(state, args, nowMs) ?? upcomingOrder;
  requireOwnership(deps, state?.contract);
  const orderError =
    findContractError(state?.contract, 'contractId') ?? findSendNowError(deps, state, orderToSend, args);
  if (orderError !== undefined) return createRefusedOutcome([orderError]);
  if (state === undefined || orderToSend === undefined) throw new Error('neither found nor refused');
  const atMs = earliestOfferedDate(nowMs);
  if (orderDueAtMs(orderToSend) <= atMs) {
    const outcome = await readContract(deps, { contractId, selection });
    const postponedDates = { dates: record?.dates, timeZone: timeZoneOf(deps.store) };
    const { upcomingOrders } = buildUpcomingOrderLists(state, { nowMs, postponedDates });
    return { ...outcome, locals: { upcomingOrders } };
  }
  const currentCycle = state._svcUpcoming?.nodes.find((cycle) => isDateInCycle(cycle, atMs)) ?? orderToSend;
  // While the current cycle is paid, the order cannot be due before its own cycle starts.
  const firstMs = Date.parse(orderToSend.cycleStartAt);
  const dateError =
    currentCycle.status === 'BILLED'
      ? orderNotBeforeError(orderToSend, {
          argument: DATE_ARGUMENT,
          firstMs,
          errorMessage: message('orderNotBefore', { day: firstMs }),
        })
      : await findBillingStartError(deps, orderToSend, { argument: DATE_ARGUMENT, dateMs: atMs });
  if (dateError !== undefined) return createRefusedOutcome([dateError]);
  const unpaidOrder = await findUnpaidEarlierOrder(deps, state);
  if (unpaidOrder !== undefined) return createRefusedOutcome([earlierOrderUnpaidError(unpaidOrder)]);
  return { state, nextCycle: orderToSend, currentCycle, atMs, record };
}

type NextOrderToSend = {
  readonly state: OrderToSendState | undefined;
  readonly nextCycle: BillingCycle | undefined;
};

async function readNextOrder(
  deps: OperationDeps,
  contractId: string,
  nowMs: number,
): Promise<NextOrderToSend> {
  const stateSelection = { contractSelection: '', ...buildOrderToSendReads(nowMs) };
  const { state } = await readContractState<OrderToSendState>(deps, { contractId, reads: stateSelection });
  if (state === undefined) return { state, nextCycle: undefined };
  const { _svcUpcoming } = await readBeyondSkippedOrders(deps, { contractId, fromMs: nowMs }, state);
  return {
    state: { ...state, _svcUpcoming },
    nextCycle: findNextOrder(_svcUpcoming?.nodes ?? [], nowMs),
  };
}

/**
 * Returns the order that the client named by `expectedDate` if this date has passed: the order was sent already, so
 * the request is a retry.
 */
function findNamedDueOrder(
  state: OrderToSendState | undefined,
  { expectedDate }: OperationRequest['args'],
  nowMs: number,
): BillingCycle | undefined {
  return state?._svcUpcoming?.nodes.find(
    (cycle) =>
      !cycle.skipped &&
      cycle.status !== 'BILLED' &&
      orderDueAtMs(cycle) < nowMs &&
      orderDueAtMs(cycle) === parseInstant(expectedDate),
  );
}

/** Returns why the next order of an existing contract cannot be sent now; undefined when it can. */
function findSendNowError(
  { store }: OperationDeps,
  state: OrderToSendState | undefined,
  nextOrder: BillingCycle | undefined,
  { expectedDate }: OperationRequest['args'],
): OperationError | undefined {
  if (sendNowSettingOf(store) === 'OFF') {
    return createUserError('SEND_NOW_NOT_OFFERED', { field: null, message: message('sendNowNotOffered') });
  }
  const contractStatus = state?.contract.status ?? '';
  if (contractStatus !== 'ACTIVE') {
    const fieldAndMessage = { field: CONTRACT_ARGUMENT, message: message('contractNotActive') };
    return createUserError('CONTRACT_NOT_ACTIVE', fieldAndMessage, { status: contractStatus });
  }
  if (nextOrder === undefined) {
    return createUserError('NO_UPCOMING_ORDER', {
      field: CONTRACT_ARGUMENT,
      message: message('noUpcomingOrder'),
    });
  }
  return findUnexpectedDateError(nextOrder, expectedDate);
}

/**
 * Returns the last order whose date has passed, if it is unpaid: due, declined or being charged. The next run would charge it
 * together with the order that is sent now. An order that is not charged any more does not count: for example, it fell into
 * a pause, or billing has given it up.
 */
async function findUnpaidEarlierOrder(
  deps: SendNowDeps,
  { contract, _svcPrevious }: OrderToSendState,
): Promise<BillingCycle | undefined> {
  const pastOrders = (_svcPrevious?.nodes ?? []).filter(
    (cycle) => !cycle.skipped && orderDueAtMs(cycle) < deps.now(),
  );
  const lastPaidIndex = pastOrders.findLastIndex(({ status }) => status === 'BILLED');
  const overdueOrders = await deps.selectOverdueOrders(contract.id, pastOrders.slice(lastPaidIndex + 1));
  return overdueOrders.at(-1);
}

function earlierOrderUnpaidError(order: BillingCycle): OperationError {
  const fieldAndMessage = {
    field: CONTRACT_ARGUMENT,
    message: message('earlierOrderUnpaid', { day: orderDueAtMs(order) }),
  };
  return createUserError('INCOMPLETE_BILLING_ATTEMPTS', fieldAndMessage, orderErrorDetails(order));
}
