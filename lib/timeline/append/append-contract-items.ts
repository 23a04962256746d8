/**
 * Appends the queued items of one contract in three steps: applies them to the recorded state, commits the new state
 * together with the batch of records to append, and writes the batch. If a crash interrupts the last step, the next run
 * finds a committed source in the queue and writes the batch again.
 */
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { ScheduledTask, ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import type { AppendToStream } from '../../storage/stream/append-to-stream.ts';
import type { NewStreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';
import {
  type ContractNumber,
  type EventRecord,
  eventItemKey,
  type TimelineRef,
  writeTimelineEntry,
} from '../event-record.ts';
import { applyQueuedItems } from './apply-queued-items.ts';
import { findRetryTriggers, type RetryTrigger } from './find-retry-trigger.ts';
import { type QueuedTimelineItem, toNoticeStreamRecord } from './queue-item.ts';
import { type AppendBatch, commitRecordedState, type RecordedState } from './recorded-state.ts';
import { splitEntryIntoRecords } from './split-entry-into-records.ts';

export type AppendContractDeps = {
  readonly table: Pick<Table, 'batchGet' | 'get' | 'query' | 'put' | 'update'>;
  readonly scheduledTasks: Pick<ScheduledTasks, 'find' | 'remove'>;
  readonly append: AppendToStream;
  /** Enqueues the contract for the worker of store events, which reads it again. */
  readonly observeAgain: (shopId: ShopId, contract: ContractNumber) => Promise<void>;
  /** Has the service's billing try a declined payment again. */
  readonly reportRetryTrigger?: (help: RetryTrigger) => Promise<void>;
  readonly now: () => number;
};

/** `count`: the appended items. `waits`: the others must not be appended in this run. */
type AppendResult = { readonly count: number; readonly waits: boolean };

/**
 * Appends the items of one contract, in the order of their numbers.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function appendContractItems(
  deps: AppendContractDeps,
  read: RecordedState,
  queued: readonly QueuedTimelineItem[],
): Promise<AppendResult> {
  const committedSources = new Set(read.batch?.sources);
  const committedItems = queued.filter(({ item }) => committedSources.has(formatSourceName(item)));
  if (read.batch !== undefined && committedItems.length > 0)
    await writeAppendBatch(deps, read, { ...read.batch, items: committedItems });
  const uncommittedItems = queued.filter((one) => !committedItems.includes(one));
  const appliedItems = applyQueuedItems(read, uncommittedItems, deps.now());
  const { state, done, entries, corrections, records, waits } = appliedItems;
  const batch = { sources: done.map(({ item }) => formatSourceName(item)), entries, corrections, records };
  if (state !== read && (await commitRecordedState(deps, { ...state, batch })) === 'refused')
    return { count: committedItems.length, waits: true };
  if (appliedItems.isObservedAgain) await deps.observeAgain(read.shopId, read.contract);
  await writeAppendBatch(deps, read, { ...batch, items: done });
  return { count: committedItems.length + done.length, waits };
}

/**
 * Appends the events of the whole store. They wait for no change in progress.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function appendStoreEventItems(
  deps: AppendContractDeps,
  shopId: ShopId,
  items: readonly QueuedTimelineItem[],
): Promise<AppendResult> {
  const readyItems = items.filter(({ notice, entry }) => notice !== undefined || entry !== undefined);
  const streamRecords = readyItems.flatMap(({ notice, entry }) =>
    entry ? splitEntryIntoRecords(entry) : notice ? [toNoticeStreamRecord(notice)] : [],
  );
  const appendBatch = { entries: [], corrections: [], records: streamRecords, items: readyItems };
  await writeAppendBatch(deps, { shopId, contract: undefined }, appendBatch);
  return { count: readyItems.length, waits: false };
}

/**
 * Returns the name of an item in a batch. A charge's entry is queued for each of its states, under the same id. An intent
 * can have the number of one that was removed, if the clock of its process is behind.
 */
function formatSourceName({ name, id, payload }: ScheduledTask): string {
  return `${name} ${id} ${payload.action ?? ''}`;
}

/** Writes external entries, then corrections of own entries, then stream records; last the items leave the queue. */
async function writeAppendBatch(
  deps: AppendContractDeps,
  ref: TimelineRef,
  { items, ...batch }: Omit<AppendBatch, 'sources'> & { readonly items: readonly QueuedTimelineItem[] },
): Promise<void> {
  let { records } = batch;
  for (const eventRecord of batch.entries) {
    const writtenEntry = await writeTimelineEntry(deps, eventRecord);
    if (writtenEntry.number !== eventRecord.number)
      records = records.map((record) => withNewEntryNumber(record, eventRecord, writtenEntry));
  }
  for (const { number, changes } of batch.corrections) {
    await deps.table.update({
      key: eventItemKey({ ...ref, number }),
      update: 'SET #changes = :changes',
      // An erasure may have removed values from the entry: then its changes stay as they are.
      condition: 'attribute_exists(pk) AND attribute_not_exists(isForgotten)',
      names: { '#changes': 'changes' },
      values: { ':changes': changes },
    });
  }
  await reportRetryTrigger(deps, ref, batch);
  await deps.append(ref.shopId, records);
  await awaitAll(items.map(({ item }) => deps.scheduledTasks.remove(item)));
}

/** A batch that is written again after a crash is reported again. */
async function reportRetryTrigger(
  deps: Pick<AppendContractDeps, 'reportRetryTrigger'>,
  { shopId, contract }: TimelineRef,
  batch: Pick<AppendBatch, 'entries' | 'records'>,
): Promise<void> {
  if (contract === undefined) return;
  for (const changed of findRetryTriggers(batch))
    await deps.reportRetryTrigger?.({ shopId, contract, changed });
}

/** Points the records of an entry to the number under which it was written: another entry had its first number. */
function withNewEntryNumber(
  record: NewStreamRecord,
  { id, number: taken }: EventRecord,
  { number }: EventRecord,
): NewStreamRecord {
  if (record.entry === undefined || record.entry.number !== taken) return record;
  const isRecordOfEntry = record.id === id || record.id.startsWith(`${id}-`);
  return isRecordOfEntry ? { ...record, entry: { ...record.entry, number } } : record;
}
