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
  /** How often the event was sent and refused. Only set for the first event of a backlog, as is `lastStatusCode`. */
  readonly attemptCount: number | undefined;
  readonly lastStatusCode: number | undefined;
  readonly nextAttemptAtMs: number | undefined;
};

type Deps = { readonly table: Table; readonly now: () => number };

type DeliveriesRequest = PageSpan & { readonly status: DeliveryStatus | undefined };

/**
 * Lists one page of the deliveries to an endpoint.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listDeliveries(
  deps: Deps,
  endpoint: EndpointRecord,
  { status, ...page }: DeliveriesRequest,
): Promise<StreamPage<DeliveryView>> {
  const deliveryState = await readDeliveryStateWithBacklogs(deps, endpoint);
  const aboveNumber = Math.max(page.above ?? -1, endpoint.startsAt - 1);
  return readStreamPage(
    { ...deps, shopId: endpoint.shopId },
    { ...page, above: aboveNumber },
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
  const recordLists = await awaitAll(
    numbers.map((number) =>
      readStream(deps, endpoint.shopId, { fromNumber: number, belowNumber: number + 1, limit: 1 }),
    ),
  );
  return toDeliveryViews(endpoint, { records: recordLists.flat(), delivered: deliveryState });
}

/** The worker's state of an endpoint, with a replay request applied that the worker has not applied yet. */
type DeliveryStateWithBacklogs = {
  readonly deliveryState: EndpointDeliveryState;
  readonly backlogByNumber: ReadonlyMap<number, Backlog>;
  /**
   * Resends that the worker has not applied yet: when the store requested them, in epoch milliseconds, by the event's
   * number in the stream.
   */
  readonly requestedAtMsByNumber: ReadonlyMap<number, number>;
};

async function readDeliveryStateWithBacklogs(
  { table }: Deps,
  endpoint: EndpointRecord,
): Promise<DeliveryStateWithBacklogs> {
  const deliveryState = await readStateAfterRequestedReplay(table, endpoint);
  const parkedBacklogs = await listBacklogsAfterRequestedReplay(table, endpoint, {
    deliveryState,
    keyState: 'PARKED',
  });
  const retryingBacklogs = await listBacklogsAfterRequestedReplay(table, endpoint, {
    deliveryState,
    keyState: 'RETRYING',
  });
  const backlogByNumberPairs = [...parkedBacklogs, ...retryingBacklogs].flatMap((backlog) =>
    backlog.numbers.map((number) => [number, backlog] as const),
  );
  const requestedResends = (endpoint.resends ?? []).filter(({ id }) => !deliveryState.resendIds.includes(id));
  return {
    deliveryState,
    backlogByNumber: new Map(backlogByNumberPairs),
    requestedAtMsByNumber: new Map(
      requestedResends.map(({ number, askedAtMs: requestedAtMs }) => [number, requestedAtMs]),
    ),
  };
}

/** Converts stream records to deliveries, without the records that the endpoint does not receive. */
function toDeliveryViews(
  endpoint: EndpointRecord,
  {
    records,
    delivered: stateWithBacklogs,
  }: { readonly records: readonly StreamRecord[]; readonly delivered: DeliveryStateWithBacklogs },
): DeliveryView[] {
  const deliverableRecords = filterDeliverableRecords(endpoint, records);
  return deliverableRecords.map(({ record, type }) => toDeliveryView(record, type, stateWithBacklogs));
}

function toDeliveryView(
  { number, id, placedAtMs }: StreamRecord,
  type: WebhookEventType,
  { deliveryState, backlogByNumber, requestedAtMsByNumber }: DeliveryStateWithBacklogs,
): DeliveryView {
  const holdingBacklog = backlogByNumber.get(number);
  const isFirstOfBacklog = holdingBacklog?.numbers[0] === number;
  const isBlocked = holdingBacklog !== undefined && isBacklogBlocking(holdingBacklog);
  const requestedAtMs = requestedAtMsByNumber.get(number);
  const isWaiting = requestedAtMs !== undefined || (isBlocked && holdingBacklog.state !== 'PARKED');
  const deliveryStatus = isWaiting ? 'WAITING' : holdingBacklog !== undefined ? 'PARKED' : undefined;
  return {
    ...{ number, eventId: id, type, placedAtMs },
    status:
      deliveryStatus ?? (isNumberProcessed(deliveryState.processedNumbers, number) ? 'DELIVERED' : 'WAITING'),
    attemptCount: isFirstOfBacklog ? holdingBacklog.refusals : undefined,
    lastStatusCode:
      isFirstOfBacklog && typeof holdingBacklog.answer === 'number' ? holdingBacklog.answer : undefined,
    nextAttemptAtMs: requestedAtMs ?? (isFirstOfBacklog && isWaiting ? holdingBacklog.nextAtMs : undefined),
  };
}
