/** Reads records of a store's stream, and finds the position of a time. */
import type { ShopId } from '../../domain/shop-id.ts';
import { queryAllPages } from '../query-all.ts';
import type { Table } from '../table.ts';
import { STREAM_LIFETIME_MS, type StreamRecord, selectStreamFrom, toStreamRecord } from './stream-record.ts';

type Deps = { readonly table: Pick<Table, 'query'>; readonly now: () => number };

type StreamSpan = {
  /** The first number of the span. */
  readonly fromNumber?: number;
  /** The number after the last one of the span; undefined for the end of the stream. */
  readonly belowNumber?: number | undefined;
  readonly limit: number;
  /** Whether the last record comes first. */
  readonly descending?: boolean;
};

/**
 * Reads at most `limit` records of this span, in order, with consistent reads. Records older than 30 days are omitted,
 * because the table may delete them later than that. Fewer records mean the end of the span.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readStream(
  { table, now }: Deps,
  shopId: ShopId,
  { fromNumber = 0, belowNumber, limit, descending = false }: StreamSpan,
): Promise<StreamRecord[]> {
  if (belowNumber !== undefined && belowNumber <= fromNumber) return [];
  const expiredAtMs = now() - STREAM_LIFETIME_MS;
  const foundRecords: StreamRecord[] = [];
  const streamSelection = { ...selectStreamFrom(shopId, fromNumber, belowNumber), descending, limit };
  for await (const item of queryAllPages(table, streamSelection)) {
    const streamRecord = toStreamRecord(item);
    if (streamRecord.placedAtMs > expiredAtMs) foundRecords.push(streamRecord);
    if (foundRecords.length === limit) break;
  }
  return foundRecords;
}

/**
 * Reads the last record.
 * @returns undefined when the stream is empty
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readLastStreamRecord(
  { table }: Pick<Deps, 'table'>,
  shopId: ShopId,
): Promise<StreamRecord | undefined> {
  const selection = { ...selectStreamFrom(shopId), descending: true, limit: 1 };
  const [item] = (await table.query(selection)).items;
  return item && toStreamRecord(item);
}

/**
 * Finds the number of the first record that was appended at `sinceMs` or later. Without such a record, returns the number
 * after the last one, or 0 for an empty stream. Makes about twenty reads of one record, for any length of the stream.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findStreamNumberSince(deps: Deps, shopId: ShopId, sinceMs: number): Promise<number> {
  const lastRecord = await readLastStreamRecord(deps, shopId);
  const [firstRecord] = await readStream(deps, shopId, { limit: 1 });
  if (lastRecord === undefined || firstRecord === undefined) return 0;
  let [firstNumber, endNumber] = [firstRecord.number, lastRecord.number + 1];
  while (firstNumber < endNumber) {
    const middleNumber = Math.floor((firstNumber + endNumber) / 2);
    const [record] = await readStream(deps, shopId, { fromNumber: middleNumber, limit: 1 });
    if (record === undefined || record.placedAtMs >= sinceMs) endNumber = middleNumber;
    else firstNumber = record.number + 1;
  }
  return firstNumber;
}
