/**
 * `webhookEndpointRoot`, `webhookEndpointsRoot`, `webhookDeliveriesRoot` and `subscriptionEventsRoot`: all come from the table,
 * without a request to the platform.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { eventTypeEnumName } from '../../lib/timeline/event-type.ts';
import { listEndpoints, MAX_ENDPOINTS } from '../../lib/webhooks/endpoints.ts';
import { type DeliveryStatus, listDeliveries } from '../../lib/webhooks/manage/list-deliveries.ts';
import { listEvents } from '../../lib/webhooks/manage/list-events.ts';
import type { RunContext } from '../plan/run-context.ts';
import { createServiceValueRoot } from './service-value-root.ts';
import {
  parseEndpointGid,
  parseEventTypeEnum,
  toDeliveryValue,
  toEndpointValue,
} from './webhooks/endpoint-value.ts';
import { buildConnection, parsePageRequest } from './webhooks/read-page.ts';

const MAX_WEBHOOK_PAGE_SIZE = 100;

export const webhookEndpointRoot = createServiceValueRoot('WebhookEndpoint', async (context, { id }) => {
  const endpoint = await findEndpointOfStore(context, id);
  return endpoint && toEndpointValue(context, endpoint);
});

export const webhookEndpointsRoot = createServiceValueRoot(
  'WebhookEndpointConnection',
  async (context, args) => {
    const pageRequest = parsePageRequest(args, MAX_WEBHOOK_PAGE_SIZE);
    const allEndpoints = await listEndpoints(context.table, context.store.shopId);
    const positionedEndpoints = allEndpoints.map((endpoint) => ({
      endpoint,
      position: endpoint.createdAtMs * (MAX_ENDPOINTS + 1) + endpoint.slot,
    }));
    const { above = -1, below = Infinity, size, descending } = pageRequest;
    const endpointsInRange = positionedEndpoints
      .filter(({ position }) => position > above && position < below)
      .sort((one, other) => (descending ? other.position - one.position : one.position - other.position));
    const readItems = [];
    for (const { endpoint, position } of endpointsInRange.slice(0, size)) {
      readItems.push({ position, node: await toEndpointValue(context, endpoint) });
    }
    return buildConnection(pageRequest, { readItems, isMore: endpointsInRange.length > size });
  },
);

export const webhookDeliveriesRoot = createServiceValueRoot(
  'WebhookDeliveryConnection',
  async (context, args) => {
    const pageRequest = parsePageRequest(args, MAX_WEBHOOK_PAGE_SIZE);
    const endpoint = await findEndpointOfStore(context, args.endpointId);
    if (endpoint === undefined) throw createUnknownEndpointError();
    const deliveryStatus = (args.status ?? undefined) as DeliveryStatus | undefined;
    const { items, hasMore, lastNumber } = await listDeliveries(context, endpoint, {
      ...pageRequest,
      status: deliveryStatus,
    });
    const readItems = items.map((delivery) => ({
      position: delivery.number,
      node: toDeliveryValue(context, endpoint, delivery),
    }));
    return buildConnection(pageRequest, { readItems, isMore: hasMore, endPosition: lastNumber });
  },
);

export const subscriptionEventsRoot = createServiceValueRoot(
  'SubscriptionStreamEventConnection',
  async (context, args) => {
    const pageRequest = parsePageRequest(args, MAX_WEBHOOK_PAGE_SIZE);
    const { table, now, store, identity } = context;
    const request = {
      ...pageRequest,
      // GraphQL accepts a single value in place of a list (section 3.11).
      types: (args.types ?? undefined) && [args.types].flat().map((name) => parseEventTypeEnum(String(name))),
      actor: typeof args.actor === 'string' ? args.actor : undefined,
      fromMs: toEpochMs(args.recordedFrom),
      untilMs: toEpochMs(args.recordedBefore),
    };
    const deps = { table, now, gidNamespace: identity.namespaces.client };
    const { items, hasMore, lastNumber } = await listEvents(deps, store.shopId, request);
    const readItems = items.map(({ number, id, payload }) => ({
      position: number,
      node: {
        ...{ eventId: id, type: eventTypeEnumName(payload.type), recordedAt: payload.data.recordedAt },
        body: payload,
      },
    }));
    return buildConnection(pageRequest, { readItems, isMore: hasMore, endPosition: lastNumber });
  },
);

function toEpochMs(value: unknown): number | undefined {
  return typeof value === 'string' ? Date.parse(value) : undefined;
}

async function findEndpointOfStore(context: RunContext, id: unknown) {
  const endpointId = parseEndpointGid(id);
  if (endpointId === undefined) return undefined;
  const endpoints = await listEndpoints(context.table, context.store.shopId);
  return endpoints.find((endpoint) => endpoint.id === endpointId);
}

function createUnknownEndpointError(): ServiceError {
  const message = 'This endpoint was not found. List webhookEndpoints to see their IDs.';
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}
