/** Reads a store's stream for its users: pages of selected records, and the records that an endpoint receives. */
import type { ShopId } from '../../domain/shop-id.ts';
import { readLastStreamRecord, readStream } from '../../storage/stream/read-stream.ts';
import type { StreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';
import { type WebhookEventType, webhookTypeOfRecord } from '../../timeline/event-type.ts';
import type { EndpointRecord } from '../endpoints.ts';

/** Selects a page: at most `size` records with stream numbers between `above` and `below`, which are both exclusive. */
export type PageSpan = {
  readonly size: number;
  readonly descending: boolean;
  readonly above: number | undefined;
  readonly below: number | undefined;
};

export type StreamPage<Found> = {
  /** The selected items, in the order in which the stream was read. */
  readonly items: readonly Found[];
  readonly hasMore: boolean;
  /** The last stream number that was read, even if its record is not on the page; undefined if none was read. */
  readonly lastNumber: number | undefined;
};

/** Returns the page's items among the records that one read returned, in the same order. */
type SelectRecords<Found> = (records: readonly StreamRecord[]) => Promise<readonly Found[]>;

const RECORDS_PER_READ = 100;
/** A page ends after this many reads, even if it is not full, because few of the read records may be selected. */
const MAX_READS_PER_PAGE = 10;

/**
 * Reads a page of selected records. It reads at most 1,000 records.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readStreamPage<Found extends { readonly number: number }>(
  deps: { readonly table: Pick<Table, 'query'>; readonly now: () => number; readonly shopId: ShopId },
  { size, descending, above = -1, below }: PageSpan,
  selectRecords: SelectRecords<Found>,
): Promise<StreamPage<Found>> {
  const foundItems: Found[] = [];
  let lastReadNumber: number | undefined;
  for (let readsMade = 0; readsMade < MAX_READS_PER_PAGE; readsMade++) {
    const streamRecords = await readStream(deps, deps.shopId, {
      fromNumber: lastReadNumber === undefined || descending ? above + 1 : lastReadNumber + 1,
      belowNumber: lastReadNumber === undefined || !descending ? below : lastReadNumber,
      limit: RECORDS_PER_READ,
      descending,
    });
    const selectedRecords = await selectRecords(streamRecords);
    if (foundItems.length + selectedRecords.length > size) {
      foundItems.push(...selectedRecords.slice(0, size - foundItems.length));
      return { items: foundItems, hasMore: true, lastNumber: foundItems.at(-1)?.number ?? lastReadNumber };
    }
    foundItems.push(...selectedRecords);
    lastReadNumber = streamRecords.at(-1)?.number ?? lastReadNumber;
    if (streamRecords.length < RECORDS_PER_READ)
      return { items: foundItems, hasMore: false, lastNumber: lastReadNumber };
  }
  return { items: foundItems, hasMore: true, lastNumber: lastReadNumber };
}

type Deps = { readonly table: Table; readonly now: () => number };
type DeliverableFilter = Pick<EndpointRecord, 'types' | 'startsAt'>;
export type DeliverableRecord = { readonly record: StreamRecord; readonly type: WebhookEventType };

/** Returns the records that the endpoint receives, each with its type. */
export function filterDeliverableRecords(
  { types, startsAt }: DeliverableFilter,
  records: readonly StreamRecord[],
): DeliverableRecord[] {
  return records.flatMap((record) => {
    const type = record.number < startsAt ? undefined : webhookTypeOfRecord(record);
    return type === undefined || (types !== null && !types.includes(type)) ? [] : [{ record, type }];
  });
}

/** The number of records of which a count checks whether the endpoint receives them; further records are just counted. */
const MAX_INDIVIDUALLY_CHECKED_RECORDS = 1000;

type CountRange = {
  readonly fromNumber: number;
  /** The stream numbers that are left out of the count. */
  readonly excludedNumbers?: ReadonlySet<number>;
};

/**
 * Counts the records from a stream number on that the endpoint receives, and returns the first one. The count is exact within
 * the next 1,000 records; all later records count, even those that the endpoint does not receive.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countDeliverableRecords(
  deps: Deps,
  endpoint: DeliverableFilter & { readonly shopId: ShopId },
  { fromNumber, excludedNumbers = new Set() }: CountRange,
): Promise<{ readonly count: number; readonly firstRecord: StreamRecord | undefined }> {
  const lastStreamRecord = await readLastStreamRecord(deps, endpoint.shopId);
  const numberRange = {
    fromNumber,
    belowNumber: (lastStreamRecord?.number ?? 0) + 1,
    limit: MAX_INDIVIDUALLY_CHECKED_RECORDS,
  };
  const streamRecords = await readStream(deps, endpoint.shopId, numberRange);
  const deliverableRecords = filterDeliverableRecords(endpoint, streamRecords).filter(
    ({ record }) => !excludedNumbers.has(record.number),
  );
  const lastCheckedNumber = streamRecords.at(-1)?.number ?? lastStreamRecord?.number ?? 0;
  const uncheckedCount =
    streamRecords.length < MAX_INDIVIDUALLY_CHECKED_RECORDS
      ? 0
      : (lastStreamRecord?.number ?? lastCheckedNumber) - lastCheckedNumber;
  const excludedCountAfter = [...excludedNumbers].filter((number) => number > lastCheckedNumber).length;
  return {
    count: deliverableRecords.length + Math.max(0, uncheckedCount - excludedCountAfter),
    firstRecord: deliverableRecords[0]?.record,
  };
}
