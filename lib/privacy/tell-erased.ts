/**
 * Merchants' servers are told that a customer was erased, once for each contract: by that they know whom to forget, and
 * the number of the customer, which the table is not to hold any more, is not needed.
 */
import type { ErasureRecord } from '../storage/privacy/compliance-requests.ts';
import { enqueueNotice } from '../timeline/append/queue-item.ts';
import type { ContractNumber } from '../timeline/event-number.ts';

type Deps = Parameters<typeof enqueueNotice>[0];

/** What goes there is whosever it was when it has run out, or only says that the erasure was asked for. */
const TELL_NOBODY = ['COMPLIANCE', 'COOLDOWN', 'MARK', 'SHARE', 'SIGN_IN'];

/**
 * Puts the events of an erasure into the queue; none where nobody was found, for then a number was mistyped, or the person was never
 * here. May be repeated: their ids stay the same. TEMPORARILY_UNAVAILABLE.
 */
export function noticeErased(deps: Deps) {
  return async (record: ErasureRecord): Promise<void> => {
    const { shopId, hash, erasedAtMs, contracts, removed, changed } = record;
    const event = { type: 'customer.erased', atMs: erasedAtMs } as const;
    const isKnown = Object.keys({ ...removed, ...changed }).some((family) => !TELL_NOBODY.includes(family));
    const none = isKnown ? [{ id: `erased-${erasedAtMs}-${hash.slice(0, 8)}`, contract: undefined }] : [];
    const all = contracts.map((contract) => ({
      id: `erased-${erasedAtMs}-${contract}`,
      contract: contract as ContractNumber,
    }));
    for (const of of all.length === 0 ? none : all) await enqueueNotice(deps, { shopId, event, ...of });
  };
}
