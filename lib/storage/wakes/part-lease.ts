/**
 * One run of the scheduled work at a time works for a part of the stores: two that begin together share the parts. A run that
 * crashes leaves the lease to run out, before the next run is due.
 */
import type { StorePart } from '../due-items.ts';
import type { ItemKey, Table } from '../table.ts';

type Deps = {
  readonly table: Pick<Table, 'update' | 'delete'>;
  readonly now: () => number;
  readonly newId: () => string;
};

export type PartLease = {
  /** Ends the lease. */
  readonly release: () => Promise<void>;
};

/**
 * Key of the lease of a part.
 * @internal Tests read the lease.
 */
export function partLeaseKey(part: StorePart): ItemKey {
  return { pk: 'DUE#run', sk: `LEASE#${part}` };
}

/**
 * Takes the lease of a part until `untilMs` (epoch milliseconds).
 *
 * @returns undefined when another run has it.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function takePartLease(
  { table, now, newId }: Deps,
  part: StorePart,
  untilMs: number,
): Promise<PartLease | undefined> {
  const leaseToken = newId();
  const key = partLeaseKey(part);
  const { outcome } = await table.update({
    key,
    update: 'SET leaseToken = :token, leaseUntilMs = :until',
    condition: 'attribute_not_exists(leaseUntilMs) OR leaseUntilMs <= :now',
    values: { ':token': leaseToken, ':until': untilMs, ':now': now() },
    leaves: { leaseToken },
  });
  if (outcome === 'refused') return undefined;
  const own = { condition: 'leaseToken = :token', values: { ':token': leaseToken } };
  return { release: async () => void (await table.delete(key, own)) };
}
