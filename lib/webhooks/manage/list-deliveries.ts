/**
 * What became of the events of the last 30 days at one endpoint, read off the store's stream: what the endpoint accepted
 * leaves no trace but the cursor that has passed it.
 */
import { settleAll } from '../../domain/settle-all.ts';
import { readStream } from '../../storage/stream/read-stream.ts';
import type { StreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';
import type { WebhookEventType } from '../../timeline/event-type.ts';
import { type Backlog, holdsUp } from '../deliver/backlog.ts';
import type { DeliveryHead } from '../deliver/delivery-head.ts';
import { isPassed } from '../deliver/passed-numbers.ts';
import type { EndpointRecord } from '../endpoints.ts';
import { type PageSpan, readStreamPage, type StreamPage } from './read-stream-page.ts';
import { toldRecords } from './told-records.ts';
import { listWishedBacklogs, readWishedHead } from './wished-delivery.ts';

export type DeliveryStatus = 'DELIVERED' | 'WAITING' | 'PARKED';
export type ShownDelivery = {
  readonly number: number;
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly placedAtMs: number;
  readonly status: DeliveryStatus;
  /** Of the first of a contract's events that wait behind one another. */
  readonly attemptCount: number | undefined;
  readonly lastStatusCode: number | undefined;
  readonly nextAttemptAtMs: number | undefined;
};

type Deps = { readonly table: Table; readonly now: () => number };

type DeliveriesRequest = PageSpan & { readonly status: DeliveryStatus | undefined };

/** One page. TEMPORARILY_UNAVAILABLE. */
export async function listDeliveries(
  deps: Deps,
  endpoint: EndpointRecord,
  { status, ...page }: DeliveriesRequest,
): Promise<StreamPage<ShownDelivery>> {
  const delivered = await readDelivered(deps, endpoint);
  const above = Math.max(page.above ?? -1, endpoint.startsAt - 1);
  return readStreamPage({ ...deps, shopId: endpoint.shopId }, { ...page, above }, async (records) =>
    toDeliveries(endpoint, { records, delivered }).filter(
      (delivery) => status === undefined || delivery.status === status,
    ),
  );
}

/** Those of the stream's records with these numbers, in no order. TEMPORARILY_UNAVAILABLE. */
export async function findDeliveries(
  deps: Deps,
  endpoint: EndpointRecord,
  numbers: readonly number[],
): Promise<ShownDelivery[]> {
  const delivered = await readDelivered(deps, endpoint);
  const found = await settleAll(
    numbers.map((number) =>
      readStream(deps, endpoint.shopId, { fromNumber: number, belowNumber: number + 1, limit: 1 }),
    ),
  );
  return toDeliveries(endpoint, { records: found.flat(), delivered });
}

/** The delivery of one record; undefined: the endpoint is not for it. TEMPORARILY_UNAVAILABLE. */
export async function showDelivery(
  deps: Deps,
  endpoint: EndpointRecord,
  record: StreamRecord,
): Promise<ShownDelivery | undefined> {
  const delivered = await readDelivered(deps, endpoint);
  return toDeliveries(endpoint, { records: [record], delivered })[0];
}

/** What the worker knows of the endpoint. */
type Delivered = {
  readonly head: DeliveryHead;
  readonly holding: ReadonlyMap<number, Backlog>;
  /** When the store asked for it again, by number, where the worker has not looked since. Epoch milliseconds. */
  readonly asked: ReadonlyMap<number, number>;
};

async function readDelivered({ table }: Deps, endpoint: EndpointRecord): Promise<Delivered> {
  const head = await readWishedHead(table, endpoint);
  const parked = await listWishedBacklogs(table, endpoint, { head, place: 'PARKED' });
  const retried = await listWishedBacklogs(table, endpoint, { head, place: 'RETRYING' });
  const all = [...parked, ...retried].flatMap((backlog) =>
    backlog.numbers.map((number) => [number, backlog] as const),
  );
  const asked = (endpoint.resends ?? []).filter(({ id }) => !head.resendIds.includes(id));
  return {
    head,
    holding: new Map(all),
    asked: new Map(asked.map(({ number, askedAtMs }) => [number, askedAtMs])),
  };
}

/** Those that the endpoint is not for, or was not there for, are left out. */
function toDeliveries(
  endpoint: EndpointRecord,
  { records, delivered }: { readonly records: readonly StreamRecord[]; readonly delivered: Delivered },
): ShownDelivery[] {
  const told = toldRecords(endpoint, records);
  return told.map(({ record, type }) => toDelivery(record, type, delivered));
}

function toDelivery(
  { number, id, placedAtMs }: StreamRecord,
  type: WebhookEventType,
  { head, holding, asked }: Delivered,
): ShownDelivery {
  const backlog = holding.get(number);
  const isFirst = backlog?.numbers[0] === number;
  const isHeldUp = backlog !== undefined && holdsUp(backlog);
  const askedAtMs = asked.get(number);
  const waits = askedAtMs !== undefined || (isHeldUp && backlog.state !== 'PARKED');
  const status = waits ? 'WAITING' : backlog !== undefined ? 'PARKED' : undefined;
  return {
    ...{ number, eventId: id, type, placedAtMs },
    status: status ?? (isPassed(head.passed, number) ? 'DELIVERED' : 'WAITING'),
    attemptCount: isFirst ? backlog.refusals : undefined,
    lastStatusCode: isFirst && typeof backlog.answer === 'number' ? backlog.answer : undefined,
    nextAttemptAtMs: askedAtMs ?? (isFirst && waits ? backlog.nextAtMs : undefined),
  };
}
