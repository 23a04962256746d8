/**
 * Reads pages of the timelines of several contracts. Each page costs one table request, however long its timeline is and
 * in whichever direction it is read.
 */
import { awaitAll } from '../domain/await-all.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type PageArguments, parsePageSize } from '../platform/admin-api/page-size.ts';
import { queryAllPages } from '../storage/query-all.ts';
import { type ScanTable, scanAllPages } from '../storage/scan.ts';
import type { Item, Table } from '../storage/table.ts';
import {
  type ContractNumber,
  type EventRecord,
  parseEventNumber,
  timelineActionPartition,
  timelinePartition,
  toEventRecord,
} from './event-record.ts';
import {
  adjacentEventNumber,
  type EventFilter,
  intersectEventNumberRanges,
  parseEventQuery,
} from './parse-event-query.ts';

/** The client's arguments of `events`. */
export type EventsArguments = PageArguments & { readonly query?: string | null };

/** Selects the timeline of the whole store, in place of a contract's. It is a text, so that a missing value selects nothing. */
export const STORE_TIMELINE = 'whole store';

export type EventsRequest = {
  readonly shopId: ShopId;
  /** The contracts whose entries are read, at most 25. */
  readonly contracts: readonly (ContractNumber | typeof STORE_TIMELINE)[];
  readonly args: EventsArguments;
};

export type EventPage = {
  readonly edges: readonly { readonly cursor: string; readonly record: EventRecord }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
};

const MAX_CONTRACTS_PER_REQUEST = 25;

/**
 * Reads one page for each contract.
 * @throws GRAPHQL_VALIDATION_FAILED for wrong arguments, QUERY_TOO_COMPLEX for too many contracts, TEMPORARILY_UNAVAILABLE
 */
export async function readEvents(
  { table }: { readonly table: Table },
  { shopId, contracts, args }: EventsRequest,
): Promise<EventPage[]> {
  if (new Set(contracts).size > MAX_CONTRACTS_PER_REQUEST) {
    const message = `A response can contain the events of up to ${MAX_CONTRACTS_PER_REQUEST} contracts. Request fewer contracts.`;
    throw new ServiceError('QUERY_TOO_COMPLEX', { message });
  }
  const page = toEventPageSelection(args);
  return awaitAll(
    contracts.map((contract) =>
      readEventPage(table, { ...page, partition: eventPartitionOf(page, shopId, contract) }),
    ),
  );
}

/** Selects one page of each contract's timeline. */
type EventPageSelection = EventFilter & {
  readonly size: number;
  /** Whether the newest entry is read first: for the last page of a list, or the first page of a reversed list. */
  readonly descending: boolean;
  readonly isFromEnd: boolean;
  readonly hasAfter: boolean;
  readonly hasBefore: boolean;
};

function toEventPageSelection(args: EventsArguments): EventPageSelection {
  const { after, before, reverse, query } = args;
  const { size, isFromEnd } = parsePageSize(args);
  const isNewestFirst = reverse === true;
  let eventFilter = parseEventQuery(query);
  for (const [cursor, isLowerBound] of [
    [after, !isNewestFirst],
    [before, isNewestFirst],
  ] as const) {
    if ((cursor ?? null) === null) continue;
    const eventNumber = decodeEventCursor(String(cursor));
    const cursorRange = isLowerBound
      ? { low: adjacentEventNumber(eventNumber, 1), high: eventFilter.high }
      : { low: eventFilter.low, high: adjacentEventNumber(eventNumber, -1) };
    eventFilter = intersectEventNumberRanges(eventFilter, cursorRange);
  }
  const hasAfter = (after ?? null) !== null;
  const hasBefore = (before ?? null) !== null;
  return { ...eventFilter, size, descending: isNewestFirst !== isFromEnd, isFromEnd, hasAfter, hasBefore };
}

function eventPartitionOf(
  { action }: EventPageSelection,
  shopId: ShopId,
  contractNumber: EventsRequest['contracts'][number],
) {
  const ref = { shopId, contract: contractNumber === STORE_TIMELINE ? undefined : contractNumber };
  return action === undefined
    ? { pk: timelinePartition(ref) }
    : { actionPk: timelineActionPartition(ref, action) };
}

type EventPartition = ReturnType<typeof eventPartitionOf>;

async function readEventPage(
  table: Table,
  page: EventPageSelection & { readonly partition: EventPartition },
): Promise<EventPage> {
  const { size, isFromEnd, hasAfter, hasBefore } = page;
  const pageItems = await readEventPageItems(table, page);
  const hasMore = pageItems.length > size;
  const eventRecords = pageItems.slice(0, size).map(toEventRecord);
  if (isFromEnd) eventRecords.reverse();
  const edges = eventRecords.map((record) => ({ cursor: encodeEventCursor(record.number), record }));
  // Entries are never removed, so the entry of a cursor exists outside the page.
  return {
    edges,
    hasNextPage: hasBefore || (!isFromEnd && hasMore),
    hasPreviousPage: hasAfter || (isFromEnd && hasMore),
  };
}

/** Reads the page's items, and the item after them if there is one. */
async function readEventPageItems(
  table: Table,
  { partition, low, high, size, descending }: EventPageSelection & { readonly partition: EventPartition },
): Promise<Item[]> {
  if (low > high) return [];
  const [[keyAttribute, partitionKey] = ['pk', '']] = Object.entries(partition);
  const isActionIndex = keyAttribute === 'actionPk';
  const eventsQuery = {
    keyCondition: `${keyAttribute} = :pk AND ${isActionIndex ? 'actionSk' : 'sk'} BETWEEN :low AND :high`,
    values: { ':pk': partitionKey, ':low': low, ':high': high },
    consistent: !isActionIndex,
    ...{ descending, limit: size + 1 },
    ...(isActionIndex && { index: 'actions' }),
  };
  const eventItems: Item[] = [];
  for await (const item of queryAllPages(table, eventsQuery)) {
    eventItems.push(item);
    if (eventItems.length > size) break;
  }
  return eventItems;
}

function encodeEventCursor(number: string): string {
  return Buffer.from(number).toString('base64url');
}

function decodeEventCursor(text: string): string {
  const parsedNumber = parseEventNumber(Buffer.from(text, 'base64url').toString());
  if (parsedNumber === undefined) throw invalidArgumentError('The cursor is not one of a list of events.');
  return parsedNumber.number;
}

function invalidArgumentError(message: string): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

/**
 * Lists the changes that an admin key made, for an operator after a leak, oldest first. Older entries have no key id.
 * Scans the whole table.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listChangesByAdminKey(
  { scan }: { readonly scan: ScanTable },
  { shopId, keyId }: { readonly shopId: ShopId; readonly keyId: string },
): Promise<EventRecord[]> {
  const actorFilter = {
    filter: 'begins_with(pk, :timeline) AND #actor.keyId = :keyId',
    names: { '#actor': 'actor' },
    values: { ':timeline': `TIMELINE#${shopId}#`, ':keyId': keyId },
  };
  const changesByKey: EventRecord[] = [];
  for await (const item of scanAllPages(scan, actorFilter)) changesByKey.push(toEventRecord(item));
  return changesByKey.sort((one, other) => one.createdAtMs - other.createdAtMs);
}
