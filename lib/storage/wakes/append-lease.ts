/**
 * One run at a time appends events, of all stores: two runs would append those of a contract in another order. A run
 * that dies leaves the lease to run out.
 */
import type { Table } from '../table.ts';

export type AppendLease = { readonly release: () => Promise<void> };

type Deps = {
  readonly table: Pick<Table, 'update' | 'delete'>;
  readonly now: () => number;
  readonly newId: () => string;
};

const KEY = { pk: 'WAKE#placing', sk: 'LEASE' };
/** Longer than a run appends, and shorter than a minute: the next run but one is never kept off. */
const LEASE_MS = 55_000;

/** Takes the lease; undefined: another run has it. TEMPORARILY_UNAVAILABLE. */
export async function takeAppendLease({ table, now, newId }: Deps): Promise<AppendLease | undefined> {
  const leaseToken = newId();
  const { outcome } = await table.update({
    key: KEY,
    update: 'SET leaseToken = :token, leaseUntilMs = :until',
    condition: 'attribute_not_exists(leaseUntilMs) OR leaseUntilMs <= :now',
    values: { ':token': leaseToken, ':until': now() + LEASE_MS, ':now': now() },
    leaves: { leaseToken },
  });
  if (outcome === 'refused') return undefined;
  return {
    async release() {
      await table.delete(KEY, { condition: 'leaseToken = :token', values: { ':token': leaseToken } });
    },
  };
}
