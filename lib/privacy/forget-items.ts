/** Takes a person out of items, whoever found them, and counts what was done by family. */
import { settleAll } from '../domain/settle-all.ts';
import type { FamilyCounts } from '../storage/privacy/compliance-requests.ts';
import type { Item, Table } from '../storage/table.ts';
import { familyOf, forgetItem } from './forget-item.ts';
import type { Whom } from './whom.ts';

/** What was removed, and changed, by family. */
export type Tally = { removed: FamilyCounts; changed: FamilyCounts };

export const noTally = (): Tally => ({ removed: {}, changed: {} });

const AT_ONCE = 10;
/** An item may change while it is looked at, though not often. What is left is found by the next search. */
const MOST_TRIES = 4;

/** Forgets the person in each of the items. TEMPORARILY_UNAVAILABLE. */
export async function forgetItems(
  table: Table,
  items: readonly Item[],
  { whom, tally }: { readonly whom: Whom; readonly tally: Tally },
): Promise<void> {
  const concerned = items.filter((item) => forgetItem(item, whom) !== 'keep');
  for (let from = 0; from < concerned.length; from += AT_ONCE) {
    const some = concerned.slice(from, from + AT_ONCE);
    const done = await settleAll(some.map((item) => forgetOne(table, item, whom)));
    for (const [index, what] of done.entries()) count(tally, what, some[index]);
  }
}

function count(tally: Tally, what: 'removed' | 'changed' | undefined, item: Item | undefined): void {
  if (what === undefined || item === undefined) return;
  const family = familyOf(item);
  tally[what] = { ...tally[what], [family]: (tally[what][family] ?? 0) + 1 };
}

async function forgetOne(table: Table, found: Item, whom: Whom): Promise<'removed' | 'changed' | undefined> {
  const key = { pk: found.pk, sk: found.sk };
  let item: Item | undefined = found;
  for (let tries = 0; tries < MOST_TRIES && item !== undefined; tries++) {
    const forgetting = forgetItem(item, whom);
    if (forgetting === 'keep') return undefined;
    if (forgetting === 'remove') {
      await table.delete(key);
      return 'removed';
    }
    if ((await table.update({ key, ...forgetting })).outcome === 'done') return 'changed';
    item = await table.get(key);
  }
  return undefined;
}
