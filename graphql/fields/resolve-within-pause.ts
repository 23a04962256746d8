/** Resolves `isWithinPause`, which marks the orders that a contract's pause skips. */
import type { ResolveServiceField } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { readPauses } from './read-pauses.ts';

type PauseContract = { readonly id: string; readonly status: string };

/**
 * Whether each cycle's order falls into the pause of its contract: it is not billed, and due before the pause ends. An order
 * that was due before the pause began is not in it. One table read for all paused contracts.
 */
export const resolveWithinPause: ResolveServiceField = async (context, tasks, progress) => {
  const contractOfTask = ({ parent }: ServiceTask) => parent._svcSource as PauseContract;
  const pausedContracts = tasks.map(contractOfTask).filter(({ status }) => status === 'PAUSED');
  const pauseByContract = await readPauses(
    context,
    pausedContracts.map(({ id }) => id),
    progress.pauses,
  );
  return tasks.map((task) => {
    const { id, status } = contractOfTask(task);
    if (status !== 'PAUSED' || task.parent._svcBilling === 'BILLED') return false;
    const { pausedAtMs = context.now(), resumesAtMs = Number.POSITIVE_INFINITY } =
      pauseByContract.get(id) ?? {};
    const dueMs = Date.parse(String(task.parent._svcDue));
    return pausedAtMs <= dueMs && dueMs < resumesAtMs;
  });
};
