/** The items of a person that keys lead to, page by page. */

import { type DueItems, dueKey } from '../storage/due-items.ts';
import type { SessionRecord } from '../storage/sessions/session-record.ts';
import { customerSessionsKey } from '../storage/sessions/session-record.ts';
import { signInKey } from '../storage/sessions/sign-ins.ts';
import type { Item, Table } from '../storage/table.ts';
import type { ContractNumber } from '../timeline/event-number.ts';
import { timelinePartition } from '../timeline/event-record.ts';
import type { Person, Whom } from './whom.ts';

/** The customer's sessions, and the sign-ins that they came from. */
export async function itemsOfSignIns(table: Table, { shopId, customerId }: Person): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf(table, customerSessionsKey(shopId, customerId))) items.push(...page);
  const signIns: Item[] = [];
  for (const { signIn } of items as unknown as readonly Partial<SessionRecord>[]) {
    const found = signIn && (await table.get(signInKey(signIn)));
    if (found) signIns.push(found);
  }
  return [...signIns, ...items];
}

type Deps = { readonly table: Table; readonly dueItems: DueItems };

/** What the table has of a contract: its timeline, its pause, and when that ends. */
export async function* itemsOfContract(
  { table, dueItems }: Deps,
  { shopId }: Whom,
  contract: string,
): AsyncGenerator<Item[]> {
  yield* pagesOf(table, timelinePartition({ shopId, contract: contract as ContractNumber }));
  const pause = await table.get({ pk: `PAUSE#${shopId}#${contract}`, sk: 'PAUSE' });
  if (pause === undefined) return;
  const endsAtMs = Number(pause.resumesAtMs ?? 0);
  for await (const end of dueItems.listOfStore('pause', shopId, { fromMs: endsAtMs, toMs: endsAtMs })) {
    yield [{ ...dueKey(end), ...end }];
  }
  yield [pause];
}

async function* pagesOf(table: Table, pk: string): AsyncGenerator<Item[]> {
  let startKey: Item | undefined;
  do {
    const page = await table.query({
      keyCondition: 'pk = :pk',
      values: { ':pk': pk },
      consistent: true,
      ...(startKey && { startKey }),
    });
    yield page.items;
    startKey = page.nextKey;
  } while (startKey !== undefined);
}
