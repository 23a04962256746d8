/**
 * Tidies a store's keys before each change of them: ends are written down, and that keys have revoked themselves;
 * records long void are dropped.
 */

import { type AdminKeyRecord, endOfKey, LINK_LIFETIME_MS } from '../../storage/admin-key-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';

const RETENTION_MS = 30 * 24 * 3600 * 1000;

/**
 * The records with a fixed `notAfter` where a successor is claimed, so that the successor's claim may be
 * forgotten one day; without those that have been void for 30 days.
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

/** Epoch milliseconds; Infinity: the key is not void, and no end is set. */
function voidSince(record: AdminKeyRecord, store: StoreRecord): number {
  return Math.min(
    record.revokedAt ?? Infinity,
    store.keyRevocations?.[record.id] ?? Infinity,
    endOfKey(record, store) ?? Infinity,
    record.createdAt < store.installedAtMs ? store.installedAtMs : Infinity,
    store.keyClaims[record.id] === undefined ? record.createdAt + LINK_LIFETIME_MS : Infinity,
  );
}
