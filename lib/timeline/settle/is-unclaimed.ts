/**
 * An intent under a key is claimed before the platform is asked. So one that the claim does not name has changed nothing:
 * its process died, or another request had the key.
 */

import { KEY_LIFETIME_MS } from '../../storage/idempotency-record.ts';
import type { Table } from '../../storage/table.ts';
import type { OpenIntent } from '../open-intent.ts';

/** Whether the platform was certainly not asked; false without a key. TEMPORARILY_UNAVAILABLE. */
export async function isUnclaimed(
  { table, now }: { readonly table: Table; readonly now: () => number },
  { repeat: idempotentRequest, id, createdAtMs }: Pick<OpenIntent, 'repeat' | 'id' | 'createdAtMs'>,
): Promise<boolean> {
  // Later the claim may have ended, and another come.
  if (idempotentRequest === undefined || now() >= createdAtMs + KEY_LIFETIME_MS) return false;
  return (await table.get(idempotentRequest))?.runId !== id;
}
