/**
 * Cleans up a store's list of keys before each change: writes expiries and self-revocations into the records, and
 * deletes old records.
 */

import {
  type AdminKeyRecord,
  adminKeyExpiresAtMs,
  ONE_TIME_LINK_LIFETIME_MS,
} from '../../storage/admin-key-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';

const INVALID_KEY_RECORD_RETENTION_MS = 30 * 24 * 3600 * 1000;

/**
 * Returns the list of records. If a key's successor was claimed, its end is written to `notAfter`, because the record
 * of the claim may be deleted later. Leaves out records that have been invalid for 30 days.
 */
export function cleanUpAdminKeyRecords(
  keys: readonly AdminKeyRecord[],
  store: StoreRecord,
  nowMs: number,
): AdminKeyRecord[] {
  return keys
    .map((record) => {
      const expiresAtMs = adminKeyExpiresAtMs(record, store);
      const revokedAt = store.keyRevocations?.[record.id];
      return {
        ...record,
        ...(expiresAtMs !== undefined && { notAfter: expiresAtMs }),
        ...(revokedAt !== undefined && record.state === 'active' && { state: 'revoked' as const, revokedAt }),
      };
    })
    .filter((record) => nowMs < adminKeyInvalidSinceMs(record, store) + INVALID_KEY_RECORD_RETENTION_MS);
}

/** Returns since when the key is invalid, epoch milliseconds. Infinity when it is valid and does not expire. */
function adminKeyInvalidSinceMs(record: AdminKeyRecord, store: StoreRecord): number {
  return Math.min(
    record.revokedAt ?? Infinity,
    store.keyRevocations?.[record.id] ?? Infinity,
    adminKeyExpiresAtMs(record, store) ?? Infinity,
    record.createdAt < store.installedAtMs ? store.installedAtMs : Infinity,
    store.keyClaims[record.id] === undefined ? record.createdAt + ONE_TIME_LINK_LIFETIME_MS : Infinity,
  );
}
