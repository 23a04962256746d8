/**
 * Records the hour in which an admin key was last used. Each request reads the recorded hour with its store, so a key
 * is written once an hour, for any number of servers; a request without a valid key writes nothing.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createRecentlyUsed } from '../domain/recently-used.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import { writeKeyUse } from '../storage/key-usage.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { Table } from '../storage/table.ts';

/** Settles, and never rejects, when the use is recorded or the write failed. */
export type RecordKeyUse = (store: StoreRecord, keyId: AdminKeyId) => Promise<void>;

const HOUR_MS = 3_600_000;
const RETRY_AFTER_FAILURE_MS = 60_000;
const MAX_KEYS = 1_000;
const MAX_RESPONSE_DELAY_MS = 250;

/**
 * Creates the recorder of one container. A failed write is retried at the key's next use, at least a minute later.
 */
export function createRecordKeyUse({
  table,
  now,
}: {
  readonly table: Pick<Table, 'update'>;
  readonly now: () => number;
}): RecordKeyUse {
  const notBefore = createRecentlyUsed<AdminKeyId, number>(MAX_KEYS);
  return async (store, keyId) => {
    const nowMs = now();
    const hourMs = nowMs - (nowMs % HOUR_MS);
    const isNoted = (store.keyLastUses?.[keyId] ?? 0) >= hourMs;
    if (isNoted || nowMs < (notBefore.get(keyId) ?? 0)) return;
    notBefore.set(keyId, nowMs + RETRY_AFTER_FAILURE_MS);
    await writeKeyUse(table, store, { keyId, hourMs }).catch(() => undefined);
  };
}

/**
 * Waits for a write that started with the request and has usually finished: a frozen container would lose it. A
 * response waits at most 250 ms for it, once a minute while the table is slow; a lost write is repeated at the next
 * use.
 */
export async function waitBrieflyForRecording(noted: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([
    noted,
    wait(MAX_RESPONSE_DELAY_MS, undefined, { signal: over.signal }).catch(() => undefined),
  ]);
  over.abort();
}
