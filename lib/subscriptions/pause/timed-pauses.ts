/**
 * Pause records, each with a scheduled task that ends the pause. The task is written before its pause, so every pause
 * with an end has one. A task without its pause is ignored, so one that remains does no harm.
 */
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import {
  createScheduledTaskRepository,
  type ScheduledTask,
  type ScheduledTasks,
} from '../../storage/scheduled-tasks.ts';
import type { Table } from '../../storage/table.ts';
import type { OperationDeps } from '../operation.ts';
import { createPauseRecordRepository, type PauseRecord, type PauseRecordRepository } from './pause-record.ts';

export type TimedPauseRepository = Pick<PauseRecordRepository, 'read' | 'readMany' | 'claim'> & {
  /** Replaces the pause that was read. Returns `refused` when it has changed since, or is being resumed. */
  set(pauseBefore: PauseRecord | undefined, pauseAfter: PauseRecord): Promise<'done' | 'refused'>;
  /** Deletes the pause, unless another pause has replaced it. */
  end(pause: PauseRecord): Promise<void>;
};

/** The dependencies of operations that change a contract's status. */
export type PauseDeps = OperationDeps & { readonly timedPauses: TimedPauseRepository };

/**
 * Returns the scheduled task that ends a pause. Its name contains the pause's id, so the tasks of pauses that end at
 * the same time differ.
 * @returns undefined when the pause does not end by itself
 */
function toPauseEndScheduledTask(pause: PauseRecord): ScheduledTask | undefined {
  const { shopId, contractNumber, pauseId, resumesAtMs } = pause;
  if (resumesAtMs === undefined) return undefined;
  const name = `${contractNumber}#${pauseId}`;
  return { kind: 'pause', shopId, dueAtMs: resumesAtMs, name, payload: { contractNumber, pauseId } };
}

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Creates the repository of timed pauses. The methods throw TEMPORARILY_UNAVAILABLE when the table cannot be used.
 */
export function createTimedPauseRepository({ table, now }: Deps): TimedPauseRepository {
  const { read, readMany, claim, replace, clear } = createPauseRecordRepository({ table });
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  return {
    read,
    readMany,
    claim,
    async set(pauseBefore, pauseAfter) {
      const endTask = toPauseEndScheduledTask(pauseAfter);
      // Write the scheduled task first: a crash must not leave a pause that never ends.
      if (endTask !== undefined) await scheduledTasks.put(endTask);
      const writeOutcome = await replace(pauseBefore, pauseAfter, now());
      if (writeOutcome === 'done' && pauseBefore !== undefined)
        await removePauseEnd(scheduledTasks, pauseBefore);
      return writeOutcome;
    },
    async end(pause) {
      if ((await clear(pause)) === 'done') await removePauseEnd(scheduledTasks, pause);
    },
  };
}

/** Removes the scheduled task of a pause. Ignores a table failure: a task that remains is removed when it is due. */
async function removePauseEnd(scheduledTasks: ScheduledTasks, pause: PauseRecord): Promise<void> {
  const endTask = toPauseEndScheduledTask(pause);
  if (endTask === undefined) return;
  await ignoreServiceError(() => scheduledTasks.remove(endTask));
}
