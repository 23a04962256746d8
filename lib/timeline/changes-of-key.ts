/** An operator whose admin key has leaked asks what the key has changed, whatever contract it was. */
import type { ShopId } from '../domain/shop-id.ts';
import { type ScanTable, scanAll } from '../storage/sdk-client/table-scan.ts';
import { type EventRecord, toEventRecord } from './event-record.ts';

/**
 * The entries of a store that name the key, oldest first; those from before key ids were kept name none. Reads the
 * whole table: for operators alone. TEMPORARILY_UNAVAILABLE.
 */
export async function changesOfKey(
  { scan }: { readonly scan: ScanTable },
  { shopId, keyId }: { readonly shopId: ShopId; readonly keyId: string },
): Promise<EventRecord[]> {
  const filter = {
    filter: 'begins_with(pk, :timeline) AND #actor.keyId = :keyId',
    names: { '#actor': 'actor' },
    values: { ':timeline': `TIMELINE#${shopId}#`, ':keyId': keyId },
  };
  const records: EventRecord[] = [];
  for await (const item of scanAll(scan, filter)) records.push(toEventRecord(item));
  return records.sort((one, other) => one.createdAtMs - other.createdAtMs);
}
