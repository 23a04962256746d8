/** Reads a page of a store's stream that contains only selected records. */
import type { ShopId } from '../../domain/shop-id.ts';
import { readStream } from '../../storage/stream/read-stream.ts';
import type { StreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';

/** The numbers between which the page's records are; both are exclusive. */
export type PageSpan = {
  readonly size: number;
  readonly descending: boolean;
  readonly above: number | undefined;
  readonly below: number | undefined;
};

export type StreamPage<Found> = {
  /** In reading order. */
  readonly found: readonly Found[];
  readonly isMore: boolean;
  /** The last number that was read, even if it is not on the page; undefined if none was. */
  readonly lastNumber: number | undefined;
};

/** Selects from some records, preserving their order. */
type Select<Found> = (records: readonly StreamRecord[]) => Promise<readonly Found[]>;

const RECORDS_A_READ = 100;
/** A page ends after this many reads, even if it is not full: possibly few records are selected. */
const MAX_READS = 10;

/**
 * Reads a page from at most 1,000 records.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readStreamPage<Found extends { readonly number: number }>(
  deps: { readonly table: Pick<Table, 'query'>; readonly now: () => number; readonly shopId: ShopId },
  { size, descending, above = -1, below }: PageSpan,
  select: Select<Found>,
): Promise<StreamPage<Found>> {
  const found: Found[] = [];
  let last: number | undefined;
  for (let reads = 0; reads < MAX_READS; reads++) {
    const records = await readStream(deps, deps.shopId, {
      fromNumber: last === undefined || descending ? above + 1 : last + 1,
      belowNumber: last === undefined || !descending ? below : last,
      limit: RECORDS_A_READ,
      descending,
    });
    const selected = await select(records);
    if (found.length + selected.length > size) {
      found.push(...selected.slice(0, size - found.length));
      return { found, isMore: true, lastNumber: found.at(-1)?.number ?? last };
    }
    found.push(...selected);
    last = records.at(-1)?.number ?? last;
    if (records.length < RECORDS_A_READ) return { found, isMore: false, lastNumber: last };
  }
  return { found, isMore: true, lastNumber: last };
}
