/**
 * A contract's snapshot is what was read of it last. With it lies what a comparison has found until that is told: so a
 * crash between finding and telling loses nothing, and what is told twice is one entry.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { customersSnapshotKey, snapshotKey } from '../../storage/stream/snapshot-key.ts';
import type { Item, Table } from '../../storage/table.ts';
import type { ContractNumber } from '../../timeline/event-number.ts';
import type { Telling } from '../tell.ts';
import type { ContractReading } from './contract-reading.ts';

export type ContractSnapshot = ContractReading & {
  readonly shopId: ShopId;
  /** New with every write. */
  readonly version: number;
  /** The customer was erased: the contract was looked at, and nothing is known of it. */
  readonly isForgotten?: true;
  /** The customer was erased and has signed in anew then: what happened before may name nobody. */
  readonly namesSinceMs?: number;
  /** Changes of the service's own that were begun before are in it for certain; epoch milliseconds. */
  readonly sinceMs: number;
  /** The ids of those begun since that are in it all the same. */
  readonly seen: readonly string[];
  /** The ids of changes that were open when it was read: they may be in it. */
  readonly open: readonly string[];
  /** What was found, and is not told for certain. */
  readonly telling: readonly Telling[];
  /** The last order that was told ahead, by its index. */
  readonly upcomingTold?: number;
  /** The payment method and its end that were told ahead. */
  readonly expiringTold?: string;
};

export type Snapshots = {
  /** Consistent read. */
  read(shopId: ShopId, contract: ContractNumber): Promise<ContractSnapshot | undefined>;
  /** Consistent read of at most 100. */
  readMany(shopId: ShopId, contracts: readonly ContractNumber[]): Promise<(ContractSnapshot | undefined)[]>;
  /** Writes a snapshot in the place of the one that was read. Refused: it is another by now. */
  replace(
    before: ContractSnapshot | undefined,
    after: Omit<ContractSnapshot, 'version'>,
  ): Promise<'done' | 'refused'>;
  /** What was found is told. */
  told(snapshot: ContractSnapshot): Promise<void>;
};

/** Snapshots over the table. TEMPORARILY_UNAVAILABLE. */
export function createSnapshots({ table }: { readonly table: Table }): Snapshots {
  return {
    async read(shopId, contract) {
      const item = await table.get(snapshotKey(shopId, contract));
      return item && toSnapshot(item);
    },
    async readMany(shopId, contracts) {
      const items = await table.batchGet(contracts.map((contract) => snapshotKey(shopId, contract)));
      return items.map((item) => item && toSnapshot(item));
    },
    async replace(before, after) {
      const { shopId, contract, customerId, readAtMs } = after;
      // Ahead of the snapshot: an erasure that finds no note has nothing to empty.
      if (customerId !== undefined && customerId !== before?.customerId) {
        const note = { shopId, contract, customerId, readAtMs };
        await table.put({ ...customersSnapshotKey(note), ...note });
      }
      return table.put(
        { ...snapshotKey(shopId, contract), ...after, version: (before?.version ?? 0) + 1 },
        before === undefined
          ? { condition: 'attribute_not_exists(pk)' }
          : { condition: 'version = :version', values: { ':version': before.version } },
      );
    },
    async told({ shopId, contract, version }) {
      await table.update({
        key: snapshotKey(shopId, contract),
        update: 'SET telling = :none, version = :next',
        condition: 'version = :version',
        values: { ':none': [], ':next': version + 1, ':version': version },
        leaves: { version: version + 1 },
      });
    },
  };
}

function toSnapshot({ pk: _pk, sk: _sk, ...snapshot }: Item): ContractSnapshot {
  return snapshot as unknown as ContractSnapshot;
}
