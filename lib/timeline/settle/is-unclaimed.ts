/**
 * The idempotency record names a run before the platform request is sent. An intent that the idempotency record
 * does not name has changed nothing: its process crashed, or another request won the key.
 */

import { KEY_LIFETIME_MS } from '../../storage/idempotency-record.ts';
import type { Table } from '../../storage/table.ts';
import type { OpenIntent } from '../intent.ts';

/** Whether the platform was certainly not asked; false without a key. TEMPORARILY_UNAVAILABLE. */
export async function isUnclaimed(
  { table, now }: { readonly table: Table; readonly now: () => number },
  { repeat: idempotentRequest, id, createdAtMs }: Pick<OpenIntent, 'repeat' | 'id' | 'createdAtMs'>,
): Promise<boolean> {
  // Later the claim may have ended, and another come.
  if (idempotentRequest === undefined || now() >= createdAtMs + KEY_LIFETIME_MS) return false;
  return (await table.get(idempotentRequest))?.runId !== id;
}
