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
  readonly reportRetryTrigger?: (trigger: RetryTrigger) => Promise<void>;
  readonly now: () => number;
};

/** `remainingItemsWait`: the items that were not appended must not be appended in this run. */
type AppendResult = { readonly appendedCount: number; readonly remainingItemsWait: boolean };

/**
 * Appends the items of one contract, in the order of their numbers.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function appendContractItems(
  deps: AppendContractDeps,
  recordedState: RecordedState,
  queuedItems: readonly QueuedTimelineItem[],
): Promise<AppendResult> {
  const committedSources = new Set(recordedState.batch?.sources);
  const committedItems = queuedItems.filter(({ item }) => committedSources.has(formatSourceName(item)));
  if (recordedState.batch !== undefined && committedItems.length > 0)
    await writeAppendBatch(deps, recordedState, { ...recordedState.batch, items: committedItems });
  const uncommittedItems = queuedItems.filter((queuedItem) => !committedItems.includes(queuedItem));
  const applyResult = applyQueuedItems(recordedState, uncommittedItems, deps.now());
  const { state, appliedItems, entries, corrections, records, remainingItemsWait } = applyResult;
  const batch = {
    sources: appliedItems.map(({ item }) => formatSourceName(item)),
    entries,
    corrections,
    records,
  };
  if (state !== recordedState && (await commitRecordedState(deps, { ...state, batch })) === 'refused')
    return { appendedCount: committedItems.length, remainingItemsWait: true };
  if (applyResult.mustObserveAgain) await deps.observeAgain(recordedState.shopId, recordedState.contract);
  await writeAppendBatch(deps, recordedState, { ...batch, items: appliedItems });
  return { appendedCount: committedItems.length + appliedItems.length, remainingItemsWait };
}

/**
 * Appends the queued events of the whole store, which belong to no contract. They do not wait for changes in progress.
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
  return { appendedCount: readyItems.length, remainingItemsWait: false };
}

/**
 * Returns the unique name of a queue item in a batch. A charge's entry is queued for each of its states under the same id,
 * so the name includes the action. An intent can have the number of an intent that was removed, so it includes the id.
 */
function formatSourceName({ name, id, payload }: ScheduledTask): string {
  return `${name} ${id} ${payload.action ?? ''}`;
}

/** Writes external entries, then corrections of the service's entries, then stream records; then removes the queue items. */
async function writeAppendBatch(
  deps: AppendContractDeps,
  timelineRef: TimelineRef,
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
      key: eventItemKey({ ...timelineRef, number }),
      update: 'SET #changes = :changes',
      // An erasure may have removed values from the entry: then its changes stay as they are.
      condition: 'attribute_exists(pk) AND attribute_not_exists(isForgotten)',
      names: { '#changes': 'changes' },
      values: { ':changes': changes },
    });
  }
  await reportRetryTrigger(deps, timelineRef, batch);
  await deps.append(timelineRef.shopId, records);
  await awaitAll(items.map(({ item }) => deps.scheduledTasks.remove(item)));
}

/** Reports changes after which a declined payment may succeed. A batch that is written again is reported again. */
async function reportRetryTrigger(
  deps: Pick<AppendContractDeps, 'reportRetryTrigger'>,
  { shopId, contract }: TimelineRef,
  batch: Pick<AppendBatch, 'entries' | 'records'>,
): Promise<void> {
  if (contract === undefined) return;
  for (const kind of findRetryTriggers(batch)) await deps.reportRetryTrigger?.({ shopId, contract, kind });
}

/** Points a record of an entry to the number under which the entry was written, if another entry had its first number. */
function withNewEntryNumber(
  record: NewStreamRecord,
  { id, number: takenNumber }: EventRecord,
  { number: writtenNumber }: EventRecord,
): NewStreamRecord {
  if (record.entry === undefined || record.entry.number !== takenNumber) return record;
  const isRecordOfEntry = record.id === id || record.id.startsWith(`${id}-`);
  return isRecordOfEntry ? { ...record, entry: { ...record.entry, number: writtenNumber } } : record;
}
