/** Resolves `overdue` of a billing cycle: whether its order, whose date has passed, can still be charged, and when. */
import { type PastOrder, readOverdueOrders, toPastOrder } from '../../lib/billing/payment/overdue-orders.ts';
import { formatPlatformDate } from '../../lib/domain/instant.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import type { ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';

/** Returns the value of each cycle; null unless its order is overdue. Reads the table for unpaid orders of the past alone. */
export const resolveOverdueOrders: ResolveServiceField = async (context, tasks) => {
  const orders = tasks.map((task) =>
    sourceContractOf(task).status === 'ACTIVE' ? pastOrderOf(context, task) : undefined,
  );
  const pastOrders = orders.filter((order) => order !== undefined);
  const overdueOrders = await readOverdueOrders(context, context.store, pastOrders);
  return orders.map((order) => {
    const overdueOrder = order && overdueOrders.get(order);
    return overdueOrder === undefined ? null : { nextRunAt: formatPlatformDate(overdueOrder.nextRunAtMs) };
  });
};

/** Returns the contract of a billing cycle. */
export function sourceContractOf({ parent }: ServiceTask) {
  return parent._svcSource as { readonly id: string; readonly status: string };
}

/** Returns the order of a billing cycle; undefined when it is paid, skipped, upcoming or too old. */
export function pastOrderOf({ store, now }: RunContext, task: ServiceTask): PastOrder | undefined {
  const { parent } = task;
  const cycle = {
    cycleIndex: Number(parent._svcIndex),
    billingAttemptExpectedDate: String(parent._svcDue),
    skipped: parent._svcSkipped === true,
    status: String(parent._svcBilling),
  };
  return toPastOrder(parseContractRef(store.shopId, sourceContractOf(task).id), cycle, now());
}
