/**
 * A billing attempt is recorded once, by whoever takes it first: an item beside the contract's entries, in none of their pages,
 * says by which intent or entry.
 */
import { gidTail } from '../domain/gid.ts';
import type { Table } from '../storage/table.ts';
import { type TimelineRef, timelinePartition } from './event-record.ts';

/** Such items sort behind the digits of every entry. */
const HEAD = '~billingAttempts.';

/** Who records an attempt: the id of an intent, or of an entry; undefined: nobody yet. TEMPORARILY_UNAVAILABLE. */
export async function ownerOfAttempt(
  { table }: { readonly table: Pick<Table, 'get'> },
  ref: TimelineRef,
  attemptId: string,
): Promise<string | undefined> {
  const head = await table.get(keyOf(ref, attemptId));
  return head && String(head.intentId);
}

type Taking = TimelineRef & { readonly attemptId: string; readonly id: string };

/** Takes an attempt for an intent or an entry; false: another one has it. May be repeated. TEMPORARILY_UNAVAILABLE. */
export async function takeAttempt(
  { table }: { readonly table: Pick<Table, 'put'> },
  { attemptId, id: intentId, ...ref }: Taking,
): Promise<boolean> {
  const outcome = await table.put(
    { ...keyOf(ref, attemptId), shopId: ref.shopId, after: attemptId, intentId },
    { condition: 'attribute_not_exists(pk) OR intentId = :own', values: { ':own': intentId } },
  );
  return outcome === 'done';
}

function keyOf(ref: TimelineRef, attemptId: string) {
  return { pk: timelinePartition(ref), sk: `${HEAD}${gidTail(attemptId)}` };
}
