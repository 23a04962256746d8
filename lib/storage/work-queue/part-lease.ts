/**
 * One run at a time works for a part of the stores, so that concurrent runs share the parts. If a run crashes, its lease
 * expires.
 */
import type { StorePart } from '../due-items.ts';
import type { ItemKey, Table } from '../table.ts';

export type LeaseDeps = {
  readonly table: Pick<Table, 'update' | 'delete'>;
  readonly now: () => number;
  readonly newId: () => string;
};

export type PartLease = {
  /** The condition of a write that needs the lease. */
  readonly own: { readonly condition: string; readonly values: { readonly ':token': string } };
  /** Ends the lease. */
  readonly release: () => Promise<void>;
};

/**
 * Returns the key of the scheduled work's lease of a part.
 */
export function partLeaseKey(part: StorePart): ItemKey {
  return { pk: 'DUE#run', sk: `LEASE#${part}` };
}

/**
 * Takes a lease until `untilMs` (epoch milliseconds), and removes the ring flag of an append lease.
 * @returns undefined when another run has the lease
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function acquireLease(
  { table, now, newId }: LeaseDeps,
  key: ItemKey,
  untilMs: number,
): Promise<PartLease | undefined> {
  const leaseToken = newId();
  const { outcome } = await table.update({
    key,
    update: 'SET leaseToken = :token, leaseUntilMs = :until REMOVE rungAtMs',
    condition: 'attribute_not_exists(leaseUntilMs) OR leaseUntilMs <= :now',
    values: { ':token': leaseToken, ':until': untilMs, ':now': now() },
    leaves: { leaseToken },
  });
  if (outcome === 'refused') return undefined;
  const own = { condition: 'leaseToken = :token', values: { ':token': leaseToken } };
  return { own, release: async () => void (await table.delete(key, own)) };
}
