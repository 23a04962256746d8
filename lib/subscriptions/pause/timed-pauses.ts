/**
 * Pauses with their ends as due items of the scheduled work. The record decides: a due item that is not of its
 * contract's present pause is void, so leaving one behind does no harm, and missing one never happens.
 */
import { ifAnswered } from '../../errors/if-answered.ts';
import { createDueItems, type DueItem, type DueItems } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';
import type { OperationDeps } from '../operation.ts';
import { createPauseRecords, type PauseRecord, type PauseRecords } from './pause-record.ts';

export type TimedPauses = Pick<PauseRecords, 'read' | 'readMany' | 'claim'> & {
  /** Writes a pause in the place of the one that was read. Refused: it is another by now, or is being resumed. */
  set(before: PauseRecord | undefined, after: PauseRecord): Promise<'done' | 'refused'>;
  /** The pause is over. One that has taken its place stays. */
  end(pause: PauseRecord): Promise<void>;
};

/** Operations on the status of a contract are given pauses beside what every operation is given. */
export type PauseDeps = OperationDeps & { readonly timedPauses: TimedPauses };

/** The end of a pause; undefined: it has none. Each pause has its own, even if they end at the same time. */
function dueEnd(pause: PauseRecord): DueItem | undefined {
  const { shopId, contractNumber, pauseId, resumesAtMs } = pause;
  if (resumesAtMs === undefined) return undefined;
  const name = `${contractNumber}#${pauseId}`;
  return { kind: 'pause', shopId, dueAtMs: resumesAtMs, name, payload: { contractNumber, pauseId } };
}

type Deps = { readonly table: Table; readonly now: () => number };

/** Timed pauses over the table, of one container. Every failure is TEMPORARILY_UNAVAILABLE. */
export function createTimedPauses({ table, now }: Deps): TimedPauses {
  const { read, readMany, claim, replace, clear } = createPauseRecords({ table });
  const dueItems = createDueItems({ table, now });
  return {
    read,
    readMany,
    claim,
    async set(before, after) {
      const end = dueEnd(after);
      // First, so that no pause is without its end.
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

/** A due item that cannot be removed now is void, and goes when its time comes. */
async function removeEnd(dueItems: DueItems, pause: PauseRecord): Promise<void> {
  const end = dueEnd(pause);
  if (end === undefined) return;
  await ifAnswered(() => dueItems.remove(end));
}
