/**
 * Stores the skips and moves of a contract during an interval change, from before the commit until they are restored.
 * If the change is interrupted and the interval is changed again, this record still has the edits with the dates that
 * clients requested, while the platform shows them on the orders to which it carried them over.
 */
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import type { ItemKey, Table } from '../../storage/table.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { BillingStartDeps, OverdueOrderDeps } from '../cycles/requested-order.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import { decodeUpcomingEdits, encodeUpcomingEdits } from '../cycles/upcoming-edits.ts';
import type { OperationDeps } from '../operation.ts';
import type { PostponementDeps } from '../order-dates/postponements.ts';
import type { Frequency } from '../selling-plans/frequency.ts';

export type UnfinishedIntervalChange = {
  /** The interval that the change sets. The record is valid only while the contract has this interval. */
  readonly interval: Frequency;
  readonly edits: readonly UpcomingEdit[];
  /** The orders to skip of this change, and of those of the last day that were not finished before it. */
  readonly pastOrders: readonly PastOrders[];
  readonly beganAtMs: number;
};

/**
 * The orders that the platform may count to days before an interval change: those of the cycles from `firstCycleIndex` on
 * that are due until `untilMs`, epoch milliseconds. The service skips them after the commit.
 */
export type PastOrders = { readonly firstCycleIndex: number; readonly untilMs: number };

/** `firstNewCycleIndex`: the index of the first cycle that may end before the change; undefined if none does. */
export function toPastOrders(firstNewCycleIndex: unknown, beganAtMs: number): PastOrders[] {
  return typeof firstNewCycleIndex === 'number'
    ? [{ firstCycleIndex: firstNewCycleIndex, untilMs: beganAtMs }]
    : [];
}

export function isPastOrder(
  { cycleIndex, dueAtMs }: { readonly cycleIndex: number; readonly dueAtMs: number },
  pastOrders: readonly PastOrders[],
): boolean {
  return pastOrders.some((one) => cycleIndex >= one.firstCycleIndex && dueAtMs <= one.untilMs);
}

export type UnfinishedIntervalChanges = {
  /**
   * Reads the record with a consistent read.
   * @returns undefined when the last interval change is finished, or started more than a day ago
   */
  read(ref: ContractRef): Promise<UnfinishedIntervalChange | undefined>;
  store(ref: ContractRef, unfinished: UnfinishedIntervalChange): Promise<void>;
  /** Deletes the record. Ignores a table failure, because the record expires. */
  delete(ref: ContractRef): Promise<void>;
};

/** The dependencies of an interval change. */
export type IntervalChangeDeps = OperationDeps &
  PostponementDeps &
  BillingStartDeps &
  OverdueOrderDeps & { readonly unfinishedIntervals: UnfinishedIntervalChanges };

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * How long after the start of a change its edits are valid. The scheduled work finishes an interrupted change within this
 * time, unless the platform fails for so long.
 */
export const UNFINISHED_EDITS_TTL_MS = 1_800_000;
/** How long billing waits for the skips of a change that cannot be finished. */
const UNFINISHED_INTERVAL_TTL_MS = 86_400_000;

function unfinishedIntervalKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: `INTERVAL#${shopId}#${contractNumber}`, sk: 'UNFINISHED' };
}

/**
 * Creates the repository of unfinished interval changes. They are stored in the table, one item per contract. `read`
 * and `store` throw TEMPORARILY_UNAVAILABLE when the table cannot be used.
 */
export function createUnfinishedIntervalChangeRepository({ table, now }: Deps): UnfinishedIntervalChanges {
  return {
    async read(ref) {
      const item = await table.get(unfinishedIntervalKey(ref));
      const beganAtMs = Number(item?.beganAtMs);
      if (item === undefined || beganAtMs + UNFINISHED_INTERVAL_TTL_MS < now()) return undefined;
      return {
        interval: item.interval as Frequency,
        edits: decodeUpcomingEdits(String(item.edits)),
        pastOrders: item.pastOrders as readonly PastOrders[],
        beganAtMs,
      };
    },
    async store(ref, { interval: { interval, intervalCount }, edits, pastOrders, beganAtMs }) {
      await table.put({
        ...unfinishedIntervalKey(ref),
        shopId: ref.shopId,
        interval: { interval, intervalCount },
        edits: encodeUpcomingEdits(edits),
        pastOrders: pastOrders.map((one) => ({ ...one })),
        beganAtMs,
        expiresAt: Math.ceil((beganAtMs + UNFINISHED_INTERVAL_TTL_MS) / 1000),
      });
    },
    async delete(ref) {
      await ignoreServiceError(() => table.delete(unfinishedIntervalKey(ref)));
    },
  };
}
