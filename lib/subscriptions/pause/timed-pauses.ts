/**
 * Pauses, with their ends as due items of the scheduled work. The record decides: a due item of another pause is
 * invalid. So a remaining item does no harm, and no pause lacks its item.
 */
import { ifAnswered } from '../../errors/if-answered.ts';
import { createDueItems, type DueItem, type DueItems } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';
import type { OperationDeps } from '../operation.ts';
import { createPauseRecords, type PauseRecord, type PauseRecords } from './pause-record.ts';

export type TimedPauses = Pick<PauseRecords, 'read' | 'readMany' | 'claim'> & {
  /** Replaces the pause that was read. Refused when it has changed since, or is being resumed. */
  set(before: PauseRecord | undefined, after: PauseRecord): Promise<'done' | 'refused'>;
  /** Deletes the pause, unless another pause has replaced it. */
  end(pause: PauseRecord): Promise<void>;
};

/** Operations on a contract's status also need the pauses. */
export type PauseDeps = OperationDeps & { readonly timedPauses: TimedPauses };

/**
 * Returns the due item of a pause's end. Each pause has its own item, even if pauses end at the same time.
 * @returns undefined when the pause has no end
 */
function dueEnd(pause: PauseRecord): DueItem | undefined {
  const { shopId, contractNumber, pauseId, resumesAtMs } = pause;
  if (resumesAtMs === undefined) return undefined;
  const name = `${contractNumber}#${pauseId}`;
  return { kind: 'pause', shopId, dueAtMs: resumesAtMs, name, payload: { contractNumber, pauseId } };
}

type Deps = { readonly table: Table; readonly now: () => number };

/** Creates the pauses of one container over the table. Every failure is TEMPORARILY_UNAVAILABLE. */
export function createTimedPauses({ table, now }: Deps): TimedPauses {
  const { read, readMany, claim, replace, clear } = createPauseRecords({ table });
  const dueItems = createDueItems({ table, now });
  return {
    read,
    readMany,
    claim,
    async set(before, after) {
      const end = dueEnd(after);
      // Written first, so that no pause lacks its end.
      if (end !== undefined) await dueItems.put(end);
      const outcome = await replace(before, after, now());
      if (outcome === 'done' && before !== undefined) await removeEnd(dueItems, before);
      return outcome;
    },
    async end(pause) {
      if ((await clear(pause)) === 'done') await removeEnd(dueItems, pause);
    },
  };
}

/** A due item that cannot be removed now is invalid, and is removed when it is due. */
async function removeEnd(dueItems: DueItems, pause: PauseRecord): Promise<void> {
  const end = dueEnd(pause);
  if (end === undefined) return;
  await ifAnswered(() => dueItems.remove(end));
}
