/**
 * One pass over the whole table serves all erasures that are due, of all stores: each by itself would read as much. Passes
 * begin six hours apart at least, which bounds what they cost however many people are erased. The pass lies in the table
 * with its position, and is taken under a lease.
 */
import type { ItemKey, Table } from '../storage/table.ts';

export type SweepPass = {
  readonly leaseId: string;
  readonly beganAtMs: number;
  /** Where the next page begins; undefined: at the beginning. */
  readonly position: ItemKey | undefined;
  /** In the first round a contract may be found after some of its items had been passed: then there is a second. */
  readonly round: 1 | 2;
  readonly needsSecond: boolean;
};
type Deps = { readonly table: Table; readonly now: () => number; readonly newId: () => string };

const KEY: ItemKey = { pk: 'COMPLIANCE#SWEEP', sk: 'SWEEP' };
const LEASE_MS = 60_000;
const APART_MS = 6 * 3_600_000;

/** The pass that was begun and broke off, or a new one; undefined: another run has it, or the last was a moment ago. */
export async function takePass({ table, now, newId }: Deps): Promise<SweepPass | undefined> {
  const found = await table.get(KEY);
  const [nowMs, leaseId] = [now(), newId()];
  const leaseUntilMs = nowMs + LEASE_MS;
  if (found === undefined || found.endedAtMs !== undefined) {
    const beganAtMs = Number(found?.beganAtMs ?? 0);
    if (beganAtMs + APART_MS > nowMs) return undefined;
    const pass = { leaseId, beganAtMs: nowMs, round: 1, needsSecond: false } as const;
    const outcome = await table.put(
      { ...KEY, ...pass, leaseUntilMs },
      { condition: 'attribute_not_exists(pk) OR beganAtMs = :before', values: { ':before': beganAtMs } },
    );
    return outcome === 'done' ? { ...pass, position: undefined } : undefined;
  }
  const taken = await table.update({
    key: KEY,
    update: 'SET leaseId = :id, leaseUntilMs = :until',
    condition: 'leaseUntilMs < :now AND attribute_not_exists(endedAtMs)',
    leaves: { leaseId },
    values: { ':id': leaseId, ':until': leaseUntilMs, ':now': nowMs },
  });
  if (taken.outcome === 'refused') return undefined;
  const { beganAtMs, position, round, needsSecond } = taken.item as unknown as SweepPass;
  return { leaseId, beganAtMs, position, round, needsSecond };
}

/** Keeps how far the pass is, and the lease. Refused: another run has it. */
export async function keepPosition(
  { table, now }: Deps,
  { leaseId, position, round, needsSecond }: SweepPass,
): Promise<'done' | 'refused'> {
  const { outcome } = await table.update({
    key: KEY,
    update: `SET leaseUntilMs = :until, #round = :round, needsSecond = :second${position ? ', #position = :position' : ' REMOVE #position'}`,
    condition: 'leaseId = :id',
    names: { '#position': 'position', '#round': 'round' },
    values: {
      ':id': leaseId,
      ':until': now() + LEASE_MS,
      ':round': round,
      ':second': needsSecond,
      ...(position && { ':position': { pk: position.pk, sk: position.sk } }),
    },
  });
  return outcome;
}

/** Frees the lease, so that the next run goes on at once. */
export async function leavePass({ table }: Deps, { leaseId }: SweepPass): Promise<void> {
  await table.update({
    key: KEY,
    update: 'SET leaseUntilMs = :zero',
    condition: 'leaseId = :id',
    values: { ':id': leaseId, ':zero': 0 },
  });
}

export async function endPass({ table, now }: Deps, { leaseId }: SweepPass): Promise<void> {
  await table.update({
    key: KEY,
    update: 'SET endedAtMs = :now',
    condition: 'leaseId = :id',
    values: { ':id': leaseId, ':now': now() },
  });
}
