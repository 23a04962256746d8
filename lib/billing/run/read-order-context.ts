/** Reads facts about an order's contract that the order does not show: its paid orders, and changes in its timeline. */
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { isDerivedIdempotencyKey } from '../../subscriptions/charge/find-existing-attempt.ts';
import {
  buildCyclesRootField,
  CYCLES_UNTIL_VARIABLE_TYPE,
  countPaidOrders,
  cyclesUntilNowRange,
  ORIGIN_ORDER_SELECTION,
  type PaidOrdersState,
} from '../../subscriptions/count-paid-orders.ts';
import {
  isPastOrder,
  type UnfinishedIntervalChanges,
} from '../../subscriptions/interval/unfinished-intervals.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import { findStatusAt, readEventsSince } from '../records/read-events-since.ts';
import { isUntried } from './decide-order.ts';
import type { OrderState, ReadOrdersDeps } from './read-orders.ts';

const PAID_ORDERS_QUERY = `query($id: ID!, $until: ${CYCLES_UNTIL_VARIABLE_TYPE}) {
  contract: subscriptionContract(id: $id) { ${ORIGIN_ORDER_SELECTION} }
  cycles: ${buildCyclesRootField('$id', '$until')} }`;
const PAID_ORDERS_QUERY_POINTS = 260;

/**
 * Counts the orders of a contract that were paid.
 * @throws the errors of the Admin API client
 */
export async function readPaidOrderCount(
  deps: ReadOrdersDeps & { readonly now: () => number },
  turn: { readonly store: StoreRecord; readonly endAtMs: number },
  contractId: string,
): Promise<number> {
  const { data, errors } = await readWithinBudget(deps, turn, {
    document: PAID_ORDERS_QUERY,
    variables: { id: contractId, until: cyclesUntilNowRange(deps.now()) },
    expectedCost: PAID_ORDERS_QUERY_POINTS,
  });
  const contract = data?.contract as Pick<PaidOrdersState, 'originOrder'> | null | undefined;
  if (!contract) throw failedReadError('the paid orders', errors);
  return countPaidOrders({ ...contract, cycles: (data?.cycles ?? null) as PaidOrdersState['cycles'] });
}

/**
 * Whether the contract was not active when the order was due, by the changes of its status since. Only checked for an order
 * that was due before now and was never tried; otherwise false. The order may have been found ahead of its date, in a pause.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function wasInactiveWhenDue(
  deps: TimelineDeps & { readonly now: () => number },
  charge: BillingCharge,
  { billingAttemptExpectedDate }: Pick<OrderState, 'billingAttemptExpectedDate'>,
): Promise<boolean> {
  const dueAtMs = Date.parse(billingAttemptExpectedDate);
  if (deps.now() <= dueAtMs || !isUntried(charge)) return false;
  const statusWhenDue = findStatusAt(await readEventsSince(deps, charge, dueAtMs), dueAtMs);
  return statusWhenDue !== undefined && statusWhenDue !== 'ACTIVE';
}

/**
 * Whether a change of the contract's interval is interrupted that still has to skip the order, because the platform has
 * counted it to a day before the change. Only read if the contract has changed since the order was due.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function isSkipOfOrderPending(
  { unfinishedIntervals }: { readonly unfinishedIntervals: Pick<UnfinishedIntervalChanges, 'read'> },
  charge: BillingCharge,
  { billingAttemptExpectedDate, sourceContract: { updatedAt } }: OrderState,
): Promise<boolean> {
  const dueAtMs = Date.parse(billingAttemptExpectedDate);
  if (Date.parse(updatedAt) < dueAtMs) return false;
  const unfinishedChange = await unfinishedIntervals.read(charge);
  return isPastOrder({ ...charge, dueAtMs }, unfinishedChange?.pastOrders ?? []);
}

/**
 * Whether the contract has got another payment method, or its method another card, since `sinceMs` (epoch milliseconds).
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function wasMethodChangedSince(
  deps: TimelineDeps,
  charge: BillingCharge,
  sinceMs: number,
): Promise<boolean> {
  const events = await readEventsSince(deps, charge, sinceMs);
  return events.some(
    ({ action, changes }) =>
      action !== 'payment_method_removed' &&
      changes.some(({ field }) => field.startsWith('customerPaymentMethod')),
  );
}

type TimelineDeps = { readonly timeline: Pick<Timeline, 'readEvents'> };

/** Whether another client was paid for a later order since this order's cycle began: its billing job named no cycle. */
export function isLaterOrderPaid(charge: BillingCharge, order: OrderState): boolean {
  return order.laterAttempts.some(
    ({ idempotencyKey, createdAt, state }) =>
      !isDerivedIdempotencyKey(idempotencyKey, charge.contractNumber) &&
      state.__typename === 'SubscriptionBillingAttemptSuccessState' &&
      Date.parse(createdAt) >= Date.parse(order.cycleStartAt),
  );
}
