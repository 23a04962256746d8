/**
 * Merchants' servers are told that a customer was erased, once for each contract: by that they know whom to forget, and
 * the number of the customer, which the table is not to hold any more, is not needed.
 */
import type { ErasureRecord } from '../storage/privacy/compliance-requests.ts';
import type { PlaceInStream } from '../storage/stream/place-in-stream.ts';

/** Places the events of an erasure. May be repeated: their ids stay the same. TEMPORARILY_UNAVAILABLE. */
export function placeErased(placeInStream: PlaceInStream) {
  return async ({ shopId, hash, erasedAtMs, contracts }: ErasureRecord): Promise<void> => {
    const event = { type: 'customer.erased', atMs: erasedAtMs } as const;
    const none = [{ id: `erased-${erasedAtMs}-${hash.slice(0, 8)}`, contract: undefined }];
    const all = contracts.map((contract) => ({ id: `erased-${erasedAtMs}-${contract}`, contract }));
    for (const of of all.length === 0 ? none : all) await placeInStream({ shopId, event, ...of });
  };
}
