/** A store's stream as webhooks: their bodies are made of the entries as they are now. */
import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { readStream } from '../../storage/stream/read-stream.ts';
import type { StreamRecord } from '../../storage/stream/stream-record.ts';
import type { Item, ItemKey, Table } from '../../storage/table.ts';
import type { ContractNumber, EventNumber } from '../../timeline/event-number.ts';
import { eventKey, toEventRecord } from '../../timeline/event-record.ts';
import { toWebhookPayload } from '../to-webhook-payload.ts';
import type { StreamEvent } from './endpoint-run.ts';

type Deps = {
  readonly table: Pick<Table, 'query' | 'batchGet'>;
  readonly now: () => number;
  readonly namespaces: { readonly platform: string; readonly client: string };
};

/** As many as one request reads. */
const BATCH = 100;

/** At most `limit` of the stream from `fromNumber` on, in order; fewer: there are no more. TEMPORARILY_UNAVAILABLE. */
export async function readWebhooks(
  deps: Deps,
  shopId: ShopId,
  page: { readonly fromNumber: number; readonly limit: number },
): Promise<StreamEvent[]> {
  const records = await readStream(deps, shopId, page);
  const entries = await readEntries(deps, records);
  return records.map((record) => ({
    number: record.number,
    contract: record.contract,
    webhook: webhookOf(deps, record, entries),
  }));
}

type Entries = ReadonlyMap<string, Item>;

async function readEntries({ table }: Deps, records: readonly StreamRecord[]): Promise<Entries> {
  // One entry may be told several times.
  const keys = new Map<string, ItemKey>();
  for (const record of records) {
    const key = keyOfEntry(record);
    if (key !== undefined) keys.set(nameOf(key), key);
  }
  const all = [...keys.values()];
  const batches = Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) =>
    table.batchGet(all.slice(index * BATCH, (index + 1) * BATCH)),
  );
  const found = (await settleAll(batches)).flat().filter((item) => item !== undefined);
  return new Map(found.map((item) => [nameOf(item), item]));
}

function webhookOf({ namespaces }: Deps, record: StreamRecord, entries: Entries): StreamEvent['webhook'] {
  const key = keyOfEntry(record);
  const item = key && entries.get(nameOf(key));
  const entry = item && toEventRecord(item);
  const payload = toWebhookPayload({ record, entry, namespaces });
  return payload && { type: payload.type, id: record.id, body: JSON.stringify(payload) };
}

function keyOfEntry({ shopId, contract, entry }: StreamRecord): ItemKey | undefined {
  if (entry === undefined) return undefined;
  const ref = { shopId, contract: contract as ContractNumber | undefined };
  return eventKey({ ...ref, number: entry.number as EventNumber });
}

function nameOf({ pk, sk }: ItemKey): string {
  return `${pk}\n${sk}`;
}
