/** The effects of every contract change, and the states that allow no change. */
import type { ContractRecord } from '../../../state/contract-records.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import type { StoreState } from '../../../state/state.ts';

/** Returns whether the contract is cancelled or expired, and so can never change again. */
export function isTerminated({ content }: ContractRecord): boolean {
  return content.status === 'CANCELLED' || content.status === 'EXPIRED';
}

/**
 * Updates the contract's timestamp. Schedule edits do not change `revisionId`, which counts changes of the contract
 * itself.
 */
export function updateTimestamp(contract: ContractRecord, nowMs: number): void {
  contract.updatedAt = formatIsoInstant(nowMs);
}

/** Increments the revision, which makes open drafts stale. */
export function incrementRevision(contract: ContractRecord, nowMs: number): void {
  contract.revisionId += 1;
  updateTimestamp(contract, nowMs);
}

/** Revises every contract of the store, as if another app had just changed it. */
export function outdateDrafts({ contracts }: StoreState, nowMs: number): void {
  for (const contract of contracts.values()) incrementRevision(contract, nowMs);
}
