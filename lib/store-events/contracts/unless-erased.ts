/**
 * Contracts of a customer who was erased have no snapshot while the tombstone stands: the platform may still name the
 * customer, and a snapshot holds what people wrote.
 */
import type { Tombstones } from '../../storage/privacy/tombstones.ts';
import type { Snapshots } from './contract-snapshot.ts';

/** The same snapshots, but for those that must not be written. TEMPORARILY_UNAVAILABLE. */
export function unlessErased(
  snapshots: Snapshots,
  tombstones: Pick<Tombstones, 'find' | 'hashOf'>,
): Snapshots {
  return {
    ...snapshots,
    async replace(before, after) {
      const { shopId, customerId } = after;
      if (customerId !== undefined) {
        const tombstone = await tombstones.find(await tombstones.hashOf({ shopId, customerId }));
        if (tombstone !== undefined && tombstone.liftedAtMs === undefined) return 'done';
      }
      return snapshots.replace(before, after);
    },
  };
}
