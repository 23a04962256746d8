/** The append step over any table. */
import { composeRetryTriggers } from '../functions/compose/compose-billing-charges.ts';
import { createInbox } from '../lib/storage/inbox/inbox.ts';
import { createScheduledTaskRepository, type ScheduledTask } from '../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../lib/storage/stores.ts';
import { createAppendToStream } from '../lib/storage/stream/append-to-stream.ts';
import type { NewStreamRecord } from '../lib/storage/stream/stream-record.ts';
import type { Table } from '../lib/storage/table.ts';
import { acquireAppendLease } from '../lib/storage/work-queue/shard-lease.ts';
import { type AppendDeps, appendQueuedItems } from '../lib/timeline/append/append-queued-items.ts';
import { isObservationOrNotice } from '../lib/timeline/append/queue-item.ts';
import { findEntriesOfIntents, toOpenIntent } from '../lib/timeline/intent.ts';
import { tableOf } from './rights/guarded-table.ts';

type Over = { readonly table: Table; readonly now: () => number };

/** Appends a record to a store's stream, past the queue. */
export function appendingOver(over: Over) {
  return (record: NewStreamRecord) => createAppendToStream(over)(record.shopId, [record]);
}

/** Returns the worker's dependencies with its rights, for stores that are all installed. Enqueues no store. */
export function appenderOver({ table: unguarded, now }: Over): AppendDeps {
  const table = tableOf('webhook-deliveries', unguarded);
  return {
    ...{
      table,
      now,
      scheduledTasks: createScheduledTaskRepository({ table, now }),
      startAppending: () => createAppendToStream({ table, now }),
    },
    ...composeRetryTriggers({ table, now }),
    stores: { find: async () => ({ status: 'installed' }) as StoreRecord },
    enqueueDelivery: async () => undefined,
    observeAgain: (shopId, contract) =>
      createInbox({ table, now, newId: () => crypto.randomUUID() }).put(shopId, {
        topicGroup: 'contracts',
        object: contract,
      }),
    acquireLease: (shard) => acquireAppendLease({ table, now, shard, newId: () => crypto.randomUUID() }),
    random: () => 0,
    logger: { error: () => undefined },
  };
}

/** Runs the append step once. Returns the number of items that it removed from the queue. */
export function appendNow(over: Over, endAtMs = Number.POSITIVE_INFINITY): Promise<number> {
  return appendQueuedItems(appenderOver(over), endAtMs);
}

/** Returns the intents whose changes are not settled and have no entries. */
export async function unsettled(table: Table, items: readonly ScheduledTask[]): Promise<ScheduledTask[]> {
  const changes = items.filter((item) => !isObservationOrNotice(item));
  const entries = await findEntriesOfIntents({ table }, changes.map(toOpenIntent));
  return changes.filter((_, index) => entries[index] === undefined);
}
