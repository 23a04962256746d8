/**
 * Cleans up a store's keys before each change: records expiries and self-revocations, and deletes records that have
 * been void for 30 days.
 */

import { type AdminKeyRecord, endOfKey, LINK_LIFETIME_MS } from '../../storage/admin-key-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';

const RETENTION_MS = 30 * 24 * 3600 * 1000;

/**
 * Returns the records. A record with a claimed successor gets a fixed `notAfter`, so that the successor's claim can
 * be deleted later. Records that have been void for 30 days are left out.
 */
export function tidyAdminKeys(
  keys: readonly AdminKeyRecord[],
  store: StoreRecord,
  nowMs: number,
): AdminKeyRecord[] {
  return keys
    .map((record) => {
      const endsAtMs = endOfKey(record, store);
      const revokedAt = store.keyRevocations?.[record.id];
      return {
        ...record,
        ...(endsAtMs !== undefined && { notAfter: endsAtMs }),
        ...(revokedAt !== undefined && record.state === 'active' && { state: 'revoked' as const, revokedAt }),
      };
    })
    .filter((record) => nowMs < voidSince(record, store) + RETENTION_MS);
}

/** Returns epoch milliseconds; Infinity when the key is valid and has no expiry. */
function voidSince(record: AdminKeyRecord, store: StoreRecord): number {
  return Math.min(
    record.revokedAt ?? Infinity,
    store.keyRevocations?.[record.id] ?? Infinity,
    endOfKey(record, store) ?? Infinity,
    record.createdAt < store.installedAtMs ? store.installedAtMs : Infinity,
    store.keyClaims[record.id] === undefined ? record.createdAt + LINK_LIFETIME_MS : Infinity,
  );
}
