/** Reads the stored pauses of several contracts in one batch. */
import { type ContractRef, parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import { createPauseRecordRepository, type PauseRecord } from '../../lib/subscriptions/pause/pause-record.ts';
import type { RunContext } from '../plan/run-context.ts';

/**
 * Reads the pauses of contracts by ids. An id that is not a contract's has none. A pause that was ended outside the
 * service still has a record: the platform's status decides whether a contract is paused.
 */
export async function readPauses(
  { table, store }: RunContext,
  contractIds: Iterable<string>,
): Promise<ReadonlyMap<string, PauseRecord>> {
  const ids = [...new Set(contractIds)];
  const refs = ids.flatMap((id): (ContractRef & { readonly id: string })[] => {
    const ref = parseContractRef(store.shopId, id);
    return ref === undefined ? [] : [{ ...ref, id }];
  });
  if (refs.length === 0) return new Map();
  const records = await createPauseRecordRepository({ table }).readMany(refs);
  return new Map(
    refs.flatMap(({ id }, index) => {
      const record = records[index];
      return record === undefined ? [] : [[id, record] as const];
    }),
  );
}
