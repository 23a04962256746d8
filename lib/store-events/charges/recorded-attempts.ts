/** The last recorded state of external attempts, so that a redelivered webhook records nothing new. */
import { gidTail } from '../../domain/gid.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Table } from '../../storage/table.ts';
import { attemptOutcome, type ObservedAttempt } from '../../timeline/record-charge.ts';

type Deps = { readonly table: Table; readonly now: () => number };

/** Webhooks can be days late, not months. */
const RETENTION_MS = 60 * 86_400_000;

export async function isRecordedAs(
  { table }: Deps,
  shopId: ShopId,
  attempt: ObservedAttempt,
): Promise<boolean> {
  const item = await table.get(keyOf(shopId, attempt));
  return item?.outcome === attemptOutcome(attempt).kind;
}

export async function recordAttemptState(
  { table, now }: Deps,
  shopId: ShopId,
  attempt: ObservedAttempt,
): Promise<void> {
  const expiresAt = Math.ceil((now() + RETENTION_MS) / 1000);
  await table.put({ ...keyOf(shopId, attempt), shopId, outcome: attemptOutcome(attempt).kind, expiresAt });
}

function keyOf(shopId: ShopId, { id }: ObservedAttempt) {
  return { pk: `SNAPSHOT#${shopId}`, sk: `billingAttempts.${gidTail(id)}` };
}
