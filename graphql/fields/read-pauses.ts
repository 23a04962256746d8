/** Reads the stored pauses of several contracts in one batch. */
import { type ContractRef, parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import { createPauseRecordRepository } from '../../lib/subscriptions/pause/pause-record.ts';
import type { ReadPauses, RunContext } from '../plan/run-context.ts';

/**
 * Reads the pauses of contracts by ids, without those that the response has already read. An id that is not a contract's has
 * none. A pause that was ended outside the service still has a record: the platform's status decides whether a contract
 * is paused.
 */
export async function readPauses(
  { table, store }: RunContext,
  contractIds: Iterable<string>,
  known: ReadPauses = new Map(),
): Promise<ReadPauses> {
  const contractRefs = [...new Set(contractIds)].flatMap((id): (ContractRef & { readonly id: string })[] => {
    const ref = known.has(id) ? undefined : parseContractRef(store.shopId, id);
    return ref === undefined ? [] : [{ ...ref, id }];
  });
  if (contractRefs.length === 0) return known;
  const pauseRecords = await createPauseRecordRepository({ table }).readMany(contractRefs);
  for (const [index, { id }] of contractRefs.entries()) known.set(id, pauseRecords[index]);
  return known;
}
