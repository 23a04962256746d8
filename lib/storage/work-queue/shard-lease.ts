/**
 * Lets one run at a time work for a shard of the stores: concurrent runs share the shards, and no two of them append a
 * contract's events in another order. If a run crashes, its lease expires.
 */
import type { StoreShard } from '../scheduled-tasks.ts';
import type { ItemKey, Table } from '../table.ts';

export type ShardLeaseDeps = {
  readonly table: Pick<Table, 'update' | 'delete'>;
  readonly now: () => number;
  readonly newId: () => string;
};

export type ShardLease = {
  /** The condition of a write that needs the lease. */
  readonly ownerCondition: { readonly condition: string; readonly values: { readonly ':token': string } };
  /** Ends the lease early, so that the next run of the shard can start. */
  readonly release: () => Promise<void>;
};

/** Returns the key of the scheduled work's lease of a shard. */
export function shardLeaseKey(shard: StoreShard): ItemKey {
  return { pk: 'DUE#run', sk: `LEASE#${shard}` };
}

/**
 * Takes a lease until `untilMs` (epoch milliseconds), and removes the relist flag of an append lease.
 * @returns undefined when another run has the lease
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function acquireShardLease(
  { table, now, newId }: ShardLeaseDeps,
  key: ItemKey,
  untilMs: number,
): Promise<ShardLease | undefined> {
  const leaseToken = newId();
  const { outcome } = await table.update({
    key,
    update: 'SET leaseToken = :token, leaseUntilMs = :until REMOVE rungAtMs',
    condition: 'attribute_not_exists(leaseUntilMs) OR leaseUntilMs <= :now',
    values: { ':token': leaseToken, ':until': untilMs, ':now': now() },
    writtenValues: { leaseToken },
  });
  if (outcome === 'refused') return undefined;
  const leaseCondition = { condition: 'leaseToken = :token', values: { ':token': leaseToken } };
  return {
    ownerCondition: leaseCondition,
    release: async () => void (await table.delete(key, leaseCondition)),
  };
}

/**
 * The lease for appending to the streams of a shard. A run that finds it taken sets its relist flag, so that the owner
 * lists the queue again.
 */
export type AppendLease = Pick<ShardLease, 'release'> & {
  /**
   * Ends the lease. If another run has set the relist flag since the lease was taken, extends the lease and returns
   * `relist requested`.
   */
  readonly releaseUnlessRelistRequested: () => Promise<'released' | 'relist requested'>;
};

type Deps = ShardLeaseDeps & { readonly shard: StoreShard };

/** Longer than a run appends, and shorter than a minute: the lease blocks at most one scheduled run. */
const APPEND_LEASE_MS = 55_000;
/** The owner may release the lease between the two writes of an attempt. */
const MAX_ACQUIRE_ATTEMPTS = 3;

/**
 * Returns the key of a shard's lease.
 * @internal Tests take and read leases.
 */
export function appendLeaseKey(shard: StoreShard): ItemKey {
  return { pk: 'WAKE#placing', sk: `LEASE#${shard}` };
}

/**
 * Takes the lease of the shard.
 * @returns undefined when another run has it: that run lists the queue again before it releases the lease.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function acquireAppendLease(deps: Deps): Promise<AppendLease | undefined> {
  for (let attempt = 0; attempt < MAX_ACQUIRE_ATTEMPTS; attempt++) {
    const lease = await acquireShardLease(deps, appendLeaseKey(deps.shard), deps.now() + APPEND_LEASE_MS);
    if (lease !== undefined) {
      return {
        release: lease.release,
        releaseUnlessRelistRequested: () => releaseUnlessRelistRequested(deps, lease),
      };
    }
    if (await setRelistFlag(deps)) return undefined;
  }
  return undefined;
}

/**
 * Sets the relist flag.
 * @returns true when a run has the lease and will see the flag
 */
async function setRelistFlag({ table, now, shard }: Deps): Promise<boolean> {
  const { outcome } = await table.update({
    key: appendLeaseKey(shard),
    update: 'SET rungAtMs = :now',
    condition: 'leaseUntilMs > :now',
    values: { ':now': now() },
  });
  return outcome === 'done';
}

/** Only the presence of the flag counts, not its time: the clocks of two runs differ. */
async function releaseUnlessRelistRequested(
  { table, now, shard }: Deps,
  { ownerCondition }: ShardLease,
): Promise<'released' | 'relist requested'> {
  const key = appendLeaseKey(shard);
  const noFlagCondition = {
    ...ownerCondition,
    condition: `${ownerCondition.condition} AND attribute_not_exists(rungAtMs)`,
  };
  if ((await table.delete(key, noFlagCondition)) === 'done') return 'released';
  const { outcome } = await table.update({
    key,
    update: 'SET leaseUntilMs = :until REMOVE rungAtMs',
    condition: ownerCondition.condition,
    values: { ...ownerCondition.values, ':until': now() + APPEND_LEASE_MS },
  });
  // An expired lease belongs to another run, which lists the queue itself.
  return outcome === 'done' ? 'relist requested' : 'released';
}
