/** Finds where a list of upcoming orders starts if an earlier order is not paid and can still be charged. */
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import type { OverdueCycles } from '../compile/selection/overdue-cycles.ts';
import type { RunContext } from '../plan/run-context.ts';

/**
 * Returns a date in the cycle of the first overdue order. Reads the table for unpaid orders of the past alone.
 * @param cycles undefined or null when the contract has none
 * @returns undefined when no order of a cycle that has ended is overdue
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findOverdueStart(
  context: RunContext,
  cycles: OverdueCycles | null | undefined,
): Promise<string | undefined> {
  const { store, now } = context;
  const endedCycles = (cycles?.nodes ?? []).filter(
    ({ cycleEndAt, sourceContract }) => Date.parse(cycleEndAt) < now() && sourceContract.status === 'ACTIVE',
  );
  if (endedCycles.length === 0) return undefined;
  // Loaded when it is needed, because most responses have no such order.
  const { readOverdueOrders, toPastOrder } = await import('../../lib/billing/payment/overdue-orders.ts');
  const pastOrders = endedCycles.flatMap(
    (cycle) => toPastOrder(parseContractRef(store.shopId, cycle.sourceContract.id), cycle, now()) ?? [],
  );
  const overdueOrders = await readOverdueOrders(context, store, pastOrders);
  const firstOrder = pastOrders.find((order) => overdueOrders.has(order));
  return endedCycles.find(({ cycleIndex }) => cycleIndex === firstOrder?.cycleIndex)?.cycleEndAt;
}
