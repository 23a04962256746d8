/**
 * Sends webhook events about an erasure to the merchant's endpoints: one per contract, or one without a contract if
 * none is known. The merchant's server finds the customer by the contract. The event has no customer number, because
 * the table must not contain it any more.
 */
import type { ErasureRecord } from '../storage/privacy/compliance-requests.ts';
import { enqueueEventNotice } from '../timeline/append/queue-item.ts';
import type { ContractNumber } from '../timeline/event-record.ts';

type Deps = Parameters<typeof enqueueEventNotice>[0];

/**
 * Kinds of items whose removal does not prove that the customer had data. An erasure also removes expired items of other
 * customers (COOLDOWN, SHARE, SIGN_IN) and the erasure request itself (COMPLIANCE, MARK).
 */
const UNCOUNTED_ITEM_KINDS = ['COMPLIANCE', 'COOLDOWN', 'MARK', 'SHARE', 'SIGN_IN'];

/**
 * Queues the events of an erasure. Queues none if no data was found: the customer's number was wrong, or the customer
 * never used the service. Can be repeated, because the ids of the events stay the same.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export function createReportErasure(deps: Deps) {
  return async (erasureRecord: ErasureRecord): Promise<void> => {
    const { shopId, hash, erasedAtMs, contracts, removed, changed } = erasureRecord;
    const event = { type: 'customer.erased', atMs: erasedAtMs } as const;
    const isAnyDataErased = Object.keys({ ...removed, ...changed }).some(
      (itemKind) => !UNCOUNTED_ITEM_KINDS.includes(itemKind),
    );
    const storeNotices = isAnyDataErased
      ? [{ id: `erased-${erasedAtMs}-${hash.slice(0, 8)}`, contract: undefined }]
      : [];
    const contractNotices = contracts.map((contract) => ({
      id: `erased-${erasedAtMs}-${contract}`,
      contract: contract as ContractNumber,
    }));
    for (const notice of contractNotices.length === 0 ? storeNotices : contractNotices)
      await enqueueEventNotice(deps, { shopId, event, ...notice });
  };
}
