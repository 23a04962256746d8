/** What is read of one customer: all sessions with the mark that ended them, or whether there is any. */
import type { Item, Table } from '../table.ts';
import { absentFrom } from './session-life.ts';
import {
  type EndedBy,
  endedMarkKey,
  type SessionRecord,
  type SessionRef,
  toSession,
} from './session-record.ts';

export type CustomerRef = Pick<SessionRef, 'shopId' | 'customerId'>;
export type CustomerSessions = {
  readonly sessions: SessionRecord[];
  readonly endedAtMs: number;
  readonly endedBy: EndedBy;
};
/** The sessions, tombstones too, and the mark; all pages, consistently. */
export async function readCustomer(
  table: Table,
  { shopId, customerId }: CustomerRef,
): Promise<CustomerSessions> {
  const mark = endedMarkKey(shopId, customerId);
  const items: Item[] = [];
  let startKey: Item | undefined;
  do {
    const page = await table.query({
      keyCondition: 'pk = :pk',
      values: { ':pk': mark.pk },
      consistent: true,
      ...(startKey && { startKey }),
    });
    items.push(...page.items);
    startKey = page.nextKey;
  } while (startKey !== undefined);
  const sessions = items.flatMap((item) => (item.sk === mark.sk ? [] : (toSession(item) ?? [])));
  const found: Partial<Item> = items.find(({ sk }) => sk === mark.sk) ?? {};
  // Marks from before this was noted are an operator's.
  const { reason = 'operator', bySessionId } = found as Partial<EndedBy>;
  const endedBy = { reason, ...(bySessionId !== undefined && { bySessionId }) };
  return { sessions, endedAtMs: Number(found.endedAtMs ?? 0), endedBy };
}

/** Whether any session, dead or alive, counts as having been at `nowMs`; reads one item, as a rule. */
export async function isAnyStored(
  table: Table,
  { shopId, customerId }: CustomerRef,
  nowMs: number,
): Promise<boolean> {
  const mark = endedMarkKey(shopId, customerId);
  let startKey: Item | undefined;
  do {
    const page = await table.query({
      // Sessions lie behind the mark.
      keyCondition: 'pk = :pk AND sk > :mark',
      values: { ':pk': mark.pk, ':mark': mark.sk },
      consistent: true,
      limit: 1,
      ...(startKey && { startKey }),
    });
    // Those that are long over lie there until TTL removes them, within days.
    if (page.items.some((item) => nowMs < absentFrom(item as unknown as SessionRecord))) return true;
    startKey = page.nextKey;
  } while (startKey !== undefined);
  return false;
}
