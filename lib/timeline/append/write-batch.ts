/** Writes what a commit holds: external entries, corrected entries, then records of the stream; last the items leave the queue. */
import { settleAll } from '../../domain/settle-all.ts';
import type { DueItems } from '../../storage/due-items.ts';
import type { AppendToStream } from '../../storage/stream/append-to-stream.ts';
import type { NewStreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';
import { type Entry, type EventNumber, eventKey, type TimelineRef, writeEntry } from '../event-record.ts';
import type { QueuedItem } from './queue-item.ts';
import type { Batch } from './recorded-state.ts';

type Deps = {
  readonly table: Pick<Table, 'get' | 'put' | 'update'>;
  readonly dueItems: Pick<DueItems, 'remove'>;
  readonly append: AppendToStream;
};
type Writing = { readonly batch: Batch; readonly items: readonly QueuedItem[] };
type Of = TimelineRef;

/** Writes the batch, perhaps once more. TEMPORARILY_UNAVAILABLE: the next run writes it again. */
export async function writeBatch(deps: Deps, of: Of, { batch, items }: Writing): Promise<void> {
  let { records } = batch;
  for (const entry of batch.entries) {
    const { number } = await writeEntry(deps, entry);
    if (number !== entry.number) records = records.map((record) => renumbered(record, entry, number));
  }
  for (const correction of batch.corrections) await correct(deps, of, correction);
  await deps.append(of.shopId, records);
  await settleAll(items.map(({ item }) => deps.dueItems.remove(item)));
}

/** A record of this entry, whose first number belongs to another entry. */
function renumbered(
  record: NewStreamRecord,
  { id, number: taken }: Entry,
  number: EventNumber,
): NewStreamRecord {
  if (record.entry === undefined || record.entry.number !== taken) return record;
  const isOwn = record.id === id || record.id.startsWith(`${id}-`);
  return isOwn ? { ...record, entry: { ...record.entry, number } } : record;
}

/** An erasure may have taken values out of the entry since: then its changes stay as they are. */
async function correct(
  { table }: Deps,
  of: Of,
  { number, changes }: Batch['corrections'][number],
): Promise<void> {
  await table.update({
    key: eventKey({ ...of, number }),
    update: 'SET #changes = :changes',
    condition: 'attribute_exists(pk) AND attribute_not_exists(isForgotten)',
    names: { '#changes': 'changes' },
    values: { ':changes': changes },
  });
}
