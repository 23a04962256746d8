/**
 * Records the hour in which an admin key was last used. Each request reads the recorded hour with its store, so a key
 * is written once an hour, for any number of servers; a request without a valid key writes nothing.
 */
import { createLruCache } from '../domain/lru-cache.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import { writeAdminKeyUse } from '../storage/admin-key-usage.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { Table } from '../storage/table.ts';

/** Resolves when the use is recorded or the write has failed. Never rejects; the table's client limits the time. */
export type RecordKeyUse = (store: StoreRecord, keyId: AdminKeyId) => Promise<void>;

const HOUR_MS = 3_600_000;
const KEY_USE_RETRY_AFTER_FAILURE_MS = 60_000;
const MAX_RECORDED_KEYS = 1_000;

/**
 * Creates the function that records key uses in one container. A failed write is retried at the key's next use, at
 * least a minute later.
 */
export function createRecordKeyUse({
  table,
  now,
}: {
  readonly table: Pick<Table, 'update'>;
  readonly now: () => number;
}): RecordKeyUse {
  const nextWriteAtMsByKeyId = createLruCache<AdminKeyId, number>(MAX_RECORDED_KEYS);
  return async (store, keyId) => {
    const nowMs = now();
    const hourMs = nowMs - (nowMs % HOUR_MS);
    const isUseRecorded = (store.keyLastUses?.[keyId] ?? 0) >= hourMs;
    if (isUseRecorded || nowMs < (nextWriteAtMsByKeyId.get(keyId) ?? 0)) return;
    nextWriteAtMsByKeyId.set(keyId, nowMs + KEY_USE_RETRY_AFTER_FAILURE_MS);
    await writeAdminKeyUse(table, store, { keyId, hourMs }).catch(() => undefined);
  };
}
