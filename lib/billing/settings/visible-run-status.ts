/** The status of runs that merchants and operators see: while billing is stopped, a run that is not done is STOPPED. */
import type { StoreRecord } from '../../storage/stores.ts';
import type { BillingRun } from '../records/run-record.ts';
import { type BillingStatusDeps, readBillingStatus } from './read-billing-status.ts';

/**
 * Reads whether the store, or an operator, has stopped billing.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function isBillingStopped(deps: BillingStatusDeps, store: StoreRecord): Promise<boolean> {
  const { status } = await readBillingStatus(deps, store);
  return status === 'STOPPED_BY_STORE' || status === 'STOPPED_BY_OPERATOR';
}

/** Returns the status of a run that merchants and operators see. `isStopped`: whether the store's billing is stopped. */
export function toVisibleRunStatus(
  { status }: Pick<BillingRun, 'status'>,
  isStopped: boolean,
): BillingRun['status'] | 'STOPPED' {
  return isStopped && status !== 'DONE' ? 'STOPPED' : status;
}
