/** Resolves `isWithinPause`, which marks the orders that a pause of the contract skips. */
import { readStatusesWhenDue } from '../../lib/billing/payment/overdue-orders.ts';
import type { ReadPauses, ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { readPauses } from './read-pauses.ts';
import { pastOrderOf, sourceContractOf } from './resolve-overdue-orders.ts';

/**
 * Whether each cycle's order falls into a pause of its contract: it is not billed, and due before the present pause ends and
 * after it began; or the contract was paused when the order was due. One table read for all paused contracts, and one for
 * each contract with an unpaid order of the past.
 */
export const resolveWithinPause: ResolveServiceField = async (context, tasks, progress) => {
  const pausedIds = tasks
    .map(sourceContractOf)
    .flatMap(({ id, status }) => (status === 'PAUSED' ? [id] : []));
  const pauses = await readPauses(context, pausedIds, progress.pauses);
  const orders = tasks.map((task) => pastOrderOf(context, task));
  const pastOrders = orders.filter((order) => order !== undefined);
  const statusByOrder = await readStatusesWhenDue(context, pastOrders);
  return tasks.map((task, index) => {
    const order = orders[index];
    const wasPaused = order !== undefined && statusByOrder.get(order) === 'PAUSED';
    return wasPaused || isWithinPresentPause(context, pauses, task);
  });
};

function isWithinPresentPause({ now }: RunContext, pauses: ReadPauses, task: ServiceTask): boolean {
  const { id, status } = sourceContractOf(task);
  if (status !== 'PAUSED' || task.parent._svcBilling === 'BILLED') return false;
  const { pausedAtMs = now(), resumesAtMs = Number.POSITIVE_INFINITY } = pauses.get(id) ?? {};
  const dueMs = Date.parse(String(task.parent._svcDue));
  return pausedAtMs <= dueMs && dueMs < resumesAtMs;
}
