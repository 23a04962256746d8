/**
 * Of contracts of a customer who was erased nothing is kept while the tombstone stands: the platform may still name the
 * customer, and a snapshot holds what people wrote. That there was a look is kept, so that the contract is told as new once.
 * Of a customer who has signed in anew it is kept since when: the tombstone outlives the stream's events from before.
 */
import type { Tombstones } from '../../storage/privacy/tombstones.ts';
import { NOTHING_KNOWN, OF_A_PERSON } from '../../storage/stream/forgotten-snapshot.ts';
import type { ContractSnapshot, Snapshots } from './contract-snapshot.ts';

/** The same snapshots, but for those that must not be written whole. TEMPORARILY_UNAVAILABLE. */
export function unlessErased(
  snapshots: Snapshots,
  tombstones: Pick<Tombstones, 'find' | 'hashOf'>,
): Snapshots {
  return {
    ...snapshots,
    async replace(before, after) {
      const { shopId, customerId } = after;
      if (customerId === undefined) return snapshots.replace(before, after);
      const tombstone = await tombstones.find(await tombstones.hashOf({ shopId, customerId }));
      if (tombstone === undefined) return snapshots.replace(before, after);
      const { liftedAtMs: namesSinceMs } = tombstone;
      const kept = namesSinceMs === undefined ? forgotten(after) : { ...after, namesSinceMs };
      return snapshots.replace(before, kept);
    },
  };
}

type Unversioned = Omit<ContractSnapshot, 'version'>;

function forgotten({ telling, ...snapshot }: Unversioned): Unversioned {
  const known = Object.entries(snapshot).filter(([name]) => !OF_A_PERSON.some((one) => one === name));
  // That a contract was made says nothing of anybody.
  const bare = telling.filter((one) => 'entry' in one && one.entry.changes.length === 0);
  return { ...(Object.fromEntries(known) as unknown as Unversioned), ...NOTHING_KNOWN, telling: bare };
}
