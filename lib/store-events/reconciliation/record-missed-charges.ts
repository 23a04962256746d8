/**
 * Contracts do not say what was charged: the nightly pass reads the store's billing attempts too, and tells of those that
 * others made whose webhook was lost. What was told of an attempt is noted, so that none is told twice.
 */
import { gidTail } from '../../domain/gid.ts';
import { readAttemptPage } from '../charges/read-attempts.ts';
import { type AttemptDeps, recordObservedAttempts } from '../charges/record-attempts.ts';
import type { ReadRun } from '../contracts/read-changed-contracts.ts';
import type { PassRecord } from './pass-record.ts';
import { thatWait } from './still-waiting.ts';

/** Attempts that have not ended, or wait for the customer's bank, are looked at in so many nights more. */
export const LATE_MS = 3 * 86_400_000;

/** Since when a pass looks at charges, by the one before it, whose charges may be left: none from before the store's first. */
export function chargesSinceMs(before: PassRecord): number {
  if (before.state !== 'done') return before.chargesSinceMs;
  return Math.max(before.baselineAtMs, before.beganAtMs - LATE_MS);
}

/**
 * Records the next page of charges and returns the updated pass. May be repeated.
 * @throws the errors of `recordAttempts`
 */
export async function recordChargePage(
  deps: AttemptDeps,
  run: ReadRun,
  pass: PassRecord,
): Promise<PassRecord> {
  const { attempts, next } = await readAttemptPage(deps, run, {
    sinceMs: pass.chargesSinceMs,
    after: pass.after,
  });
  const outcomes = await recordObservedAttempts(deps, run, attempts);
  const waiting = thatWait(attempts, outcomes).map(({ id }) => gidTail(id));
  const waitingCharges = [...pass.waitingCharges, ...waiting];
  return { ...pass, after: next, waitingCharges, state: next === null ? 'waiting' : 'charges' };
}
