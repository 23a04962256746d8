/**
 * Reads one customer's sign-ins: all sessions with the time until which they were ended, or whether there are any.
 */
import type { Item, Table } from '../table.ts';
import {
  type SessionRecord,
  type SessionRef,
  type SignInsEndCause,
  sessionAbsentFromMs,
  signInsEndedKey,
  toSessionRecord,
} from './session-record.ts';

export type CustomerRef = Pick<SessionRef, 'shopId' | 'customerId'>;
export type CustomerSessions = {
  readonly sessions: SessionRecord[];
  /** Sign-ins that started until this time are ended, epoch milliseconds. 0 if none were ended. */
  readonly endedAtMs: number;
  readonly endedBy: SignInsEndCause;
};
/**
 * Reads the sessions, including tombstones, and the record that sign-ins were ended; all pages, with consistent reads.
 */
export async function readCustomerSessions(
  table: Table,
  { shopId, customerId }: CustomerRef,
): Promise<CustomerSessions> {
  const endRecordKey = signInsEndedKey(shopId, customerId);
  const signInItems: Item[] = [];
  let startKey: Item | undefined;
  do {
    const queryPage = await table.query({
      keyCondition: 'pk = :pk',
      values: { ':pk': endRecordKey.pk },
      consistent: true,
      ...(startKey && { startKey }),
    });
    signInItems.push(...queryPage.items);
    startKey = queryPage.nextKey;
  } while (startKey !== undefined);
  const sessions = signInItems.flatMap((item) =>
    item.sk === endRecordKey.sk ? [] : (toSessionRecord(item) ?? []),
  );
  const endRecord: Partial<Item> = signInItems.find(({ sk }) => sk === endRecordKey.sk) ?? {};
  // An end record without a reason was written by an operator, before reasons were recorded.
  const { reason = 'operator', bySessionId } = endRecord as Partial<SignInsEndCause>;
  const endedBy = { reason, ...(bySessionId !== undefined && { bySessionId }) };
  return { sessions, endedAtMs: Number(endRecord.endedAtMs ?? 0), endedBy };
}

/** Whether any session, active or revoked, counts as existing at `nowMs`. Usually reads one item. */
export async function hasAnyCustomerSession(
  table: Table,
  { shopId, customerId }: CustomerRef,
  nowMs: number,
): Promise<boolean> {
  const endRecordKey = signInsEndedKey(shopId, customerId);
  let startKey: Item | undefined;
  do {
    const queryPage = await table.query({
      // The sort keys of sessions follow that of the end record.
      keyCondition: 'pk = :pk AND sk > :mark',
      values: { ':pk': endRecordKey.pk, ':mark': endRecordKey.sk },
      consistent: true,
      limit: 1,
      ...(startKey && { startKey }),
    });
    // Expired sessions stay until TTL removes them, within days.
    if (queryPage.items.some((item) => nowMs < sessionAbsentFromMs(item as unknown as SessionRecord)))
      return true;
    startKey = queryPage.nextKey;
  } while (startKey !== undefined);
  return false;
}
