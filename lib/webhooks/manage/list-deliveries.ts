/**
 * Lists the deliveries of the last 30 days to one endpoint, derived from the store's stream: an accepted event leaves
 * no record except the cursor behind it.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { readStream } from '../../storage/stream/read-stream.ts';
import type { StreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';
import type { WebhookEventType } from '../../timeline/event-type.ts';
import { type Backlog, isBacklogBlocking } from '../deliver/backlog.ts';
import { type EndpointDeliveryState, isNumberProcessed } from '../deliver/endpoint-delivery-state.ts';
import type { EndpointRecord } from '../endpoints.ts';
import { listBacklogsAfterRequestedReplay, readStateAfterRequestedReplay } from './read-endpoint-view.ts';
import {
  filterDeliverableRecords,
  type PageSpan,
  readStreamPage,
  type StreamPage,
} from './read-stream-page.ts';

export type DeliveryStatus = 'DELIVERED' | 'WAITING' | 'PARKED';
export type DeliveryView = {
  readonly number: number;
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly placedAtMs: number;
  readonly status: DeliveryStatus;
  /** Set for the first event of a backlog. */
  readonly attemptCount: number | undefined;
  readonly lastStatusCode: number | undefined;
  readonly nextAttemptAtMs: number | undefined;
};

type Deps = { readonly table: Table; readonly now: () => number };

type DeliveriesRequest = PageSpan & { readonly status: DeliveryStatus | undefined };

/**
 * Reads one page.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listDeliveries(
  deps: Deps,
  endpoint: EndpointRecord,
  { status, ...page }: DeliveriesRequest,
): Promise<StreamPage<DeliveryView>> {
  const deliveryState = await readDeliveryStateWithBacklogs(deps, endpoint);
  const numberBefore = Math.max(page.above ?? -1, endpoint.startsAt - 1);
  return readStreamPage(
    { ...deps, shopId: endpoint.shopId },
    { ...page, above: numberBefore },
    async (records) =>
      toDeliveryViews(endpoint, { records, delivered: deliveryState }).filter(
        (delivery) => status === undefined || delivery.status === status,
      ),
  );
}

/**
 * Finds the deliveries with these numbers, in any order.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findDeliveries(
  deps: Deps,
  endpoint: EndpointRecord,
  numbers: readonly number[],
): Promise<DeliveryView[]> {
  const deliveryState = await readDeliveryStateWithBacklogs(deps, endpoint);
  const deliveryLists = await awaitAll(
    numbers.map((number) =>
      readStream(deps, endpoint.shopId, { fromNumber: number, belowNumber: number + 1, limit: 1 }),
    ),
  );
  return toDeliveryViews(endpoint, { records: deliveryLists.flat(), delivered: deliveryState });
}

/** The worker's state of the endpoint. */
type DeliveryStateWithBacklogs = {
  readonly head: EndpointDeliveryState;
  readonly holding: ReadonlyMap<number, Backlog>;
  /**
   * Resends that the worker has not applied yet: when the store requested them, in epoch milliseconds, by the event's
   * number in the stream.
   */
  readonly requestedAtMs: ReadonlyMap<number, number>;
};

async function readDeliveryStateWithBacklogs(
  { table }: Deps,
  endpoint: EndpointRecord,
): Promise<DeliveryStateWithBacklogs> {
  const deliveryState = await readStateAfterRequestedReplay(table, endpoint);
  const parkedBacklogs = await listBacklogsAfterRequestedReplay(table, endpoint, {
    head: deliveryState,
    keyState: 'PARKED',
  });
  const retryingBacklogs = await listBacklogsAfterRequestedReplay(table, endpoint, {
    head: deliveryState,
    keyState: 'RETRYING',
  });
  const backlogByNumberPairs = [...parkedBacklogs, ...retryingBacklogs].flatMap((backlog) =>
    backlog.numbers.map((number) => [number, backlog] as const),
  );
  const requestedResends = (endpoint.resends ?? []).filter(({ id }) => !deliveryState.resendIds.includes(id));
  return {
    head: deliveryState,
    holding: new Map(backlogByNumberPairs),
    requestedAtMs: new Map(
      requestedResends.map(({ number, askedAtMs: requestedAtMs }) => [number, requestedAtMs]),
    ),
  };
}

/** Omits records that the endpoint does not receive. */
function toDeliveryViews(
  endpoint: EndpointRecord,
  {
    records,
    delivered,
  }: { readonly records: readonly StreamRecord[]; readonly delivered: DeliveryStateWithBacklogs },
): DeliveryView[] {
  const deliverableRecords = filterDeliverableRecords(endpoint, records);
  return deliverableRecords.map(({ record, type }) => toDeliveryView(record, type, delivered));
}

function toDeliveryView(
  { number, id, placedAtMs }: StreamRecord,
  type: WebhookEventType,
  { head, holding, requestedAtMs: requestedResends }: DeliveryStateWithBacklogs,
): DeliveryView {
  const holdingBacklog = holding.get(number);
  const isFirst = holdingBacklog?.numbers[0] === number;
  const isBlocked = holdingBacklog !== undefined && isBacklogBlocking(holdingBacklog);
  const requestedAtMs = requestedResends.get(number);
  const isWaiting = requestedAtMs !== undefined || (isBlocked && holdingBacklog.state !== 'PARKED');
  const deliveryStatus = isWaiting ? 'WAITING' : holdingBacklog !== undefined ? 'PARKED' : undefined;
  return {
    ...{ number, eventId: id, type, placedAtMs },
    status: deliveryStatus ?? (isNumberProcessed(head.passed, number) ? 'DELIVERED' : 'WAITING'),
    attemptCount: isFirst ? holdingBacklog.refusals : undefined,
    lastStatusCode: isFirst && typeof holdingBacklog.answer === 'number' ? holdingBacklog.answer : undefined,
    nextAttemptAtMs: requestedAtMs ?? (isFirst && isWaiting ? holdingBacklog.nextAtMs : undefined),
  };
}
