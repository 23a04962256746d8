/**
 * The state of a sweep of the whole table. One sweep serves all due erasures of all stores, because a sweep for one of
 * them would read just as much. Sweeps start at least six hours apart, which limits their cost. The table stores
 * position and lease of the sweep.
 */
import type { ItemKey, Table } from '../storage/table.ts';

export type SweepRun = {
  readonly leaseId: string;
  readonly beganAtMs: number;
  /** The key after which the next page starts. Undefined at the start of the table. */
  readonly position: ItemKey | undefined;
  /** The first round may find a contract after pages with its items. A second round then finds these. */
  readonly round: 1 | 2;
  readonly needsSecond: boolean;
};
type Deps = { readonly table: Table; readonly now: () => number; readonly newId: () => string };

const SWEEP_RUN_KEY: ItemKey = { pk: 'COMPLIANCE#SWEEP', sk: 'SWEEP' };
const SWEEP_LEASE_MS = 60_000;
const MIN_SWEEP_START_INTERVAL_MS = 6 * 3_600_000;

/**
 * Takes over an interrupted sweep, or starts a new one.
 * @returns undefined when another run has the lease, or the last sweep started less than six hours ago
 */
export async function startSweepRun({ table, now, newId }: Deps): Promise<SweepRun | undefined> {
  const storedRun = await table.get(SWEEP_RUN_KEY);
  const [nowMs, leaseId] = [now(), newId()];
  const leaseUntilMs = nowMs + SWEEP_LEASE_MS;
  if (storedRun === undefined || storedRun.endedAtMs !== undefined) {
    const beganAtMs = Number(storedRun?.beganAtMs ?? 0);
    if (beganAtMs + MIN_SWEEP_START_INTERVAL_MS > nowMs) return undefined;
    const sweepRun = { leaseId, beganAtMs: nowMs, round: 1, needsSecond: false } as const;
    const outcome = await table.put(
      { ...SWEEP_RUN_KEY, ...sweepRun, leaseUntilMs },
      { condition: 'attribute_not_exists(pk) OR beganAtMs = :before', values: { ':before': beganAtMs } },
    );
    return outcome === 'done' ? { ...sweepRun, position: undefined } : undefined;
  }
  const leaseResult = await table.update({
    key: SWEEP_RUN_KEY,
    update: 'SET leaseId = :id, leaseUntilMs = :until',
    condition: 'leaseUntilMs < :now AND attribute_not_exists(endedAtMs)',
    writtenValues: { leaseId },
    values: { ':id': leaseId, ':until': leaseUntilMs, ':now': nowMs },
  });
  if (leaseResult.outcome === 'refused') return undefined;
  const { beganAtMs, position, round, needsSecond } = leaseResult.item as unknown as SweepRun;
  return { leaseId, beganAtMs, position, round, needsSecond };
}

/**
 * Stores the position of the sweep and extends the lease. Returns `refused` when another run has taken over the sweep.
 */
export async function saveSweepPosition(
  { table, now }: Deps,
  { leaseId, position, round, needsSecond }: SweepRun,
): Promise<'done' | 'refused'> {
  const { outcome } = await table.update({
    key: SWEEP_RUN_KEY,
    update: `SET leaseUntilMs = :until, #round = :round, needsSecond = :second${position ? ', #position = :position' : ' REMOVE #position'}`,
    condition: 'leaseId = :id',
    names: { '#position': 'position', '#round': 'round' },
    values: {
      ':id': leaseId,
      ':until': now() + SWEEP_LEASE_MS,
      ':round': round,
      ':second': needsSecond,
      ...(position && { ':position': { pk: position.pk, sk: position.sk } }),
    },
  });
  return outcome;
}

/** Releases the lease of an unfinished sweep, so that the next run can continue immediately. */
export async function releaseSweepRun({ table }: Deps, { leaseId }: SweepRun): Promise<void> {
  await table.update({
    key: SWEEP_RUN_KEY,
    update: 'SET leaseUntilMs = :zero',
    condition: 'leaseId = :id',
    values: { ':id': leaseId, ':zero': 0 },
  });
}

export async function completeSweepRun({ table, now }: Deps, { leaseId }: SweepRun): Promise<void> {
  await table.update({
    key: SWEEP_RUN_KEY,
    update: 'SET endedAtMs = :now',
    condition: 'leaseId = :id',
    values: { ':id': leaseId, ':now': now() },
  });
}
