/**
 * Reminders of open charges (`REMINDER#{shop}`, sort key: time, contract and cycle): when something has to be done about
 * a charge. The charge decides: a reminder of another time than its `remindAtMs` is void.
 */
import { queryAllPages } from '../../storage/query-all.ts';
import type { Item, ItemKey, Table } from '../../storage/table.ts';
import type { OrderRef } from './charge-record.ts';
import { formatCycleKey, formatTimeKey, isBeforeEnd, type KeyRange, selectKeyRange } from './key-range.ts';

/** `atMs`: when the reminder is due. `putAtMs`: when it was put, which earlier items lack. Both epoch milliseconds. */
export type BillingReminder = OrderRef & { readonly atMs: number; readonly putAtMs?: number };

export type BillingReminders = ReturnType<typeof createBillingReminders>;

/** Creates the reminders over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createBillingReminders({
  table,
}: {
  readonly table: Pick<Table, 'put' | 'delete' | 'query'>;
}) {
  const listReminders = async function* (shopId: OrderRef['shopId'], range: KeyRange) {
    for await (const item of queryAllPages(table, selectKeyRange(`REMINDER#${shopId}`, range)))
      if (isBeforeEnd(item, range)) yield toReminder(item);
  };
  return {
    async put(reminder: Required<BillingReminder>): Promise<void> {
      const { shopId, contractNumber, cycleIndex, atMs, putAtMs } = reminder;
      await table.put({ ...reminderItemKey(reminder), shopId, contractNumber, cycleIndex, atMs, putAtMs });
    },
    /**
     * Removes the reminder, unless it was put after `putUntilMs` (epoch milliseconds): its charge may not be written yet.
     */
    async remove(reminder: BillingReminder, putUntilMs: number): Promise<void> {
      await table.delete(reminderItemKey(reminder), {
        condition: 'attribute_not_exists(putAtMs) OR putAtMs <= :putUntilMs',
        values: { ':putUntilMs': putUntilMs },
      });
    },
    /** Lists the store's reminders that are due at `nowMs` (epoch milliseconds), the earliest first. */
    listDue: (shopId: OrderRef['shopId'], nowMs: number) =>
      listReminders(shopId, { before: formatTimeKey(nowMs + 1) }),
    /** Lists the store's reminders whose keys are in the range. */
    list: listReminders,
  };
}

/** Returns the sort key of a reminder. */
export function reminderSortKey({ atMs, contractNumber, cycleIndex }: BillingReminder): string {
  return `${formatTimeKey(atMs)}#${contractNumber}#${formatCycleKey(cycleIndex)}`;
}

function reminderItemKey(reminder: BillingReminder): ItemKey {
  return { pk: `REMINDER#${reminder.shopId}`, sk: reminderSortKey(reminder) };
}

function toReminder({ pk: _pk, sk: _sk, ...reminder }: Item): BillingReminder {
  return reminder as unknown as BillingReminder;
}
