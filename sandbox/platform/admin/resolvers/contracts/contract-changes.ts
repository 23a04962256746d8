/** What every change of a contract does, and when none is allowed any more. */
import type { ContractRecord } from '../../../state/contract-records.ts';
import { isoInstant } from '../../../state/instant.ts';
import type { StoreState } from '../../../state/state.ts';

/** A cancelled or expired contract never changes again. */
export function isTerminated({ content }: ContractRecord): boolean {
  return content.status === 'CANCELLED' || content.status === 'EXPIRED';
}

/** Marks the contract as changed. Schedule edits leave `revisionId` alone: it counts changes of the contract itself. */
export function touched(contract: ContractRecord, nowMs: number): void {
  contract.updatedAt = isoInstant(nowMs);
}

/** Marks a change that outdates open drafts. */
export function revised(contract: ContractRecord, nowMs: number): void {
  contract.revisionId += 1;
  touched(contract, nowMs);
}

/** Every contract of the store changes as if another app had changed it just now. */
export function outdateDrafts({ contracts }: StoreState, nowMs: number): void {
  for (const contract of contracts.values()) revised(contract, nowMs);
}
