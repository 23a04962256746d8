/**
 * Pages of the timelines of several contracts, each with as many table requests as it has pages in the answer: one,
 * however long the timeline is and whichever way it is read.
 */
import { settleAll } from '../domain/settle-all.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type PageArguments, readPageSize } from '../platform/admin-api/page-size.ts';
import { queryAll } from '../storage/query-all.ts';
import { type ScanTable, scanAll } from '../storage/sdk-client/table-scan.ts';
import type { Item, Table } from '../storage/table.ts';
import {
  actionPartition,
  type ContractNumber,
  type EventRecord,
  parseEventNumber,
  timelinePartition,
  toEventRecord,
} from './event-record.ts';
import { type EventFilter, narrowed, nextNumber, parseEventQuery } from './parse-event-query.ts';

/** The arguments of `events`, as the client gave them. */
export type EventsArguments = PageArguments & { readonly query?: string | null };

/** Stands for a contract: what was done to many of them. Not `undefined`, which nobody may get there by mistake. */
export const WHOLE_STORE = 'whole store';

export type EventsRequest = {
  readonly shopId: ShopId;
  /** QUERY_TOO_COMPLEX beyond 25. */
  readonly contracts: readonly (ContractNumber | typeof WHOLE_STORE)[];
  readonly args: EventsArguments;
};

export type EventPage = {
  readonly edges: readonly { readonly cursor: string; readonly record: EventRecord }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
};

const MAX_CONTRACTS = 25;

/** One page for each contract. GRAPHQL_VALIDATION_FAILED: the arguments; TEMPORARILY_UNAVAILABLE: the table. */
export async function readEvents(
  { table }: { readonly table: Table },
  { shopId, contracts, args }: EventsRequest,
): Promise<EventPage[]> {
  if (new Set(contracts).size > MAX_CONTRACTS) {
    const message = `A response can contain the events of up to ${MAX_CONTRACTS} contracts. Request fewer contracts.`;
    throw new ServiceError('QUERY_TOO_COMPLEX', { message });
  }
  const page = toPage(args);
  return settleAll(
    contracts.map((contract) => readPage(table, { ...page, partition: partitionOf(page, shopId, contract) })),
  );
}

/** A page as it is read, in the order of the table. */
type Page = EventFilter & {
  readonly size: number;
  /** Whether the newest is read first: at the end of the list, or from its beginning if that is reversed. */
  readonly descending: boolean;
  readonly isFromEnd: boolean;
  readonly hasAfter: boolean;
  readonly hasBefore: boolean;
};

function toPage(args: EventsArguments): Page {
  const { after, before, reverse, query } = args;
  const { size, isFromEnd } = readPageSize(args);
  const isReversed = reverse === true;
  let filter = parseEventQuery(query);
  for (const [cursor, isLower] of [
    [after, !isReversed],
    [before, isReversed],
  ] as const) {
    if ((cursor ?? null) === null) continue;
    const number = readCursor(String(cursor));
    const range = isLower
      ? { low: nextNumber(number, 1), high: filter.high }
      : { low: filter.low, high: nextNumber(number, -1) };
    filter = narrowed(filter, range);
  }
  const hasAfter = (after ?? null) !== null;
  const hasBefore = (before ?? null) !== null;
  return { ...filter, size, descending: isReversed !== isFromEnd, isFromEnd, hasAfter, hasBefore };
}

function partitionOf({ action }: Page, shopId: ShopId, of: EventsRequest['contracts'][number]) {
  const ref = { shopId, contract: of === WHOLE_STORE ? undefined : of };
  return action === undefined ? { pk: timelinePartition(ref) } : { actionPk: actionPartition(ref, action) };
}

type Partition = ReturnType<typeof partitionOf>;

async function readPage(table: Table, page: Page & { readonly partition: Partition }): Promise<EventPage> {
  const { size, isFromEnd, hasAfter, hasBefore } = page;
  const found = await readItems(table, page);
  const isMore = found.length > size;
  const records = found.slice(0, size).map(toEventRecord);
  if (isFromEnd) records.reverse();
  const edges = records.map((record) => ({ cursor: toCursor(record.number), record }));
  // Entries never go, so the one that a cursor names lies beyond the page.
  return {
    edges,
    hasNextPage: hasBefore || (!isFromEnd && isMore),
    hasPreviousPage: hasAfter || (isFromEnd && isMore),
  };
}

/** The page's items and one more, if there is one. */
async function readItems(
  table: Table,
  { partition, low, high, size, descending }: Page & { readonly partition: Partition },
): Promise<Item[]> {
  if (low > high) return [];
  const [[name, partitionKey] = ['pk', '']] = Object.entries(partition);
  const isIndex = name === 'actionPk';
  const selection = {
    keyCondition: `${name} = :pk AND ${isIndex ? 'actionSk' : 'sk'} BETWEEN :low AND :high`,
    values: { ':pk': partitionKey, ':low': low, ':high': high },
    consistent: !isIndex,
    ...{ descending, limit: size + 1 },
    ...(isIndex && { index: 'actions' }),
  };
  const items: Item[] = [];
  for await (const item of queryAll(table, selection)) {
    items.push(item);
    if (items.length > size) break;
  }
  return items;
}

/** The text that stands for a place in the list. */
function toCursor(number: string): string {
  return Buffer.from(number).toString('base64url');
}

function readCursor(text: string): string {
  const parsed = parseEventNumber(Buffer.from(text, 'base64url').toString());
  if (parsed === undefined) throw invalid('The cursor is none of a list of events.');
  return parsed.number;
}

function invalid(message: string): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

/**
 * The entries of a store that name the key, oldest first; those from before key ids were kept name none. Reads the
 * whole table: for operators alone. TEMPORARILY_UNAVAILABLE.
 */
export async function changesOfKey(
  { scan }: { readonly scan: ScanTable },
  { shopId, keyId }: { readonly shopId: ShopId; readonly keyId: string },
): Promise<EventRecord[]> {
  const filter = {
    filter: 'begins_with(pk, :timeline) AND #actor.keyId = :keyId',
    names: { '#actor': 'actor' },
    values: { ':timeline': `TIMELINE#${shopId}#`, ':keyId': keyId },
  };
  const records: EventRecord[] = [];
  for await (const item of scanAll(scan, filter)) records.push(toEventRecord(item));
  return records.sort((one, other) => one.createdAtMs - other.createdAtMs);
}
