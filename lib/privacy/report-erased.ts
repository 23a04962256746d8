/**
 * Notifies merchants' servers that a customer was erased, once for each contract: they find the customer by the
 * contract, so the event does not need the customer's number, which the table must no longer contain.
 */
import type { ErasureRecord } from '../storage/privacy/compliance-requests.ts';
import { enqueueNotice } from '../timeline/append/queue-item.ts';
import type { ContractNumber } from '../timeline/event-record.ts';

type Deps = Parameters<typeof enqueueNotice>[0];

/** Items of these types may be expired items of other customers, or only record the erasure request. */
const NOT_COUNTED = ['COMPLIANCE', 'COOLDOWN', 'MARK', 'SHARE', 'SIGN_IN'];

/**
 * Enqueues the events of an erasure; none if no data was found, because the number was mistyped, or the person was
 * unknown. Can be repeated: the ids stay the same.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export function noticeErased(deps: Deps) {
  return async (record: ErasureRecord): Promise<void> => {
    const { shopId, hash, erasedAtMs, contracts, removed, changed } = record;
    const event = { type: 'customer.erased', atMs: erasedAtMs } as const;
    const isKnown = Object.keys({ ...removed, ...changed }).some((family) => !NOT_COUNTED.includes(family));
    const none = isKnown ? [{ id: `erased-${erasedAtMs}-${hash.slice(0, 8)}`, contract: undefined }] : [];
    const all = contracts.map((contract) => ({
      id: `erased-${erasedAtMs}-${contract}`,
      contract: contract as ContractNumber,
    }));
    for (const of of all.length === 0 ? none : all) await enqueueNotice(deps, { shopId, event, ...of });
  };
}
