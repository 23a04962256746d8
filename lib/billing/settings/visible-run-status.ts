/** The status of runs as merchants and operators see it: while billing is stopped, a run that is not done is STOPPED. */
import type { StoreRecord } from '../../storage/stores.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { BillingSettingsRepository } from '../records/settings.ts';
import { decideBillingStatus } from './decide-billing-status.ts';

type Deps = {
  readonly settings: Pick<BillingSettingsRepository, 'read' | 'readStop'>;
  readonly now: () => number;
};

/** Returns the status of a run as merchants and operators see it. */
export type ToVisibleRunStatus = (run: Pick<BillingRun, 'status'>) => BillingRun['status'] | 'STOPPED';

/**
 * Reads whether the store, or an operator, has stopped billing, and creates the function that returns the visible status
 * of a run.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function createToVisibleRunStatus(
  { settings, now }: Deps,
  store: StoreRecord,
): Promise<ToVisibleRunStatus> {
  const stopAll = await settings.readStop();
  const status = decideBillingStatus(await settings.read(store.shopId), { store, nowMs: now(), stopAll });
  const isStopped = status === 'STOPPED_BY_STORE' || status === 'STOPPED_BY_OPERATOR';
  return (run) => (isStopped && run.status !== 'DONE' ? 'STOPPED' : run.status);
}
