/**
 * Stores a contract's edits during an interval change, from before the commit until they are restored. If the change
 * is interrupted and the interval is changed once more, this record has the edits at the dates that clients
 * requested. The platform shows them on the orders that it has carried them to.
 */
import { ifAnswered } from '../../errors/if-answered.ts';
import type { ItemKey, Table } from '../../storage/table.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import { packEdits, unpackEdits } from '../cycles/upcoming-edits.ts';
import type { OperationDeps } from '../operation.ts';
import type { Frequency } from '../selling-plans/frequency.ts';

export type UnfinishedInterval = {
  /** The interval that the change sets. The record is invalid under another one. */
  readonly interval: Frequency;
  readonly edits: readonly UpcomingEdit[];
  readonly beganAtMs: number;
};

export type UnfinishedIntervals = {
  /**
   * Reads consistently.
   * @returns undefined when the last change is finished, or long past
   */
  read(ref: ContractRef): Promise<UnfinishedInterval | undefined>;
  storeResponse(ref: ContractRef, unfinished: UnfinishedInterval): Promise<void>;
  /** Deletes the record. Never throws if the table does not respond: a remaining record expires in half an hour. */
  delete(ref: ContractRef): Promise<void>;
};

/** An interval change also needs these records. */
export type IntervalDeps = OperationDeps & { readonly unfinishedIntervals: UnfinishedIntervals };

type Deps = { readonly table: Table; readonly now: () => number };

/** The scheduled work has finished the change by then. */
const VOID_AFTER_MS = 1_800_000;

function keyOf({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: `INTERVAL#${shopId}#${contractNumber}`, sk: 'UNFINISHED' };
}

/** Creates the records over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createUnfinishedIntervals({ table, now }: Deps): UnfinishedIntervals {
  return {
    async read(ref) {
      const item = await table.get(keyOf(ref));
      const beganAtMs = Number(item?.beganAtMs);
      if (item === undefined || beganAtMs + VOID_AFTER_MS < now()) return undefined;
      return { interval: item.interval as Frequency, edits: unpackEdits(String(item.edits)), beganAtMs };
    },
    async storeResponse(ref, { interval: { interval, intervalCount }, edits, beganAtMs }) {
      await table.put({
        ...keyOf(ref),
        shopId: ref.shopId,
        interval: { interval, intervalCount },
        edits: packEdits(edits),
        beganAtMs,
        expiresAt: Math.ceil((beganAtMs + VOID_AFTER_MS) / 1000),
      });
    },
    async delete(ref) {
      await ifAnswered(() => table.delete(keyOf(ref)));
    },
  };
}
