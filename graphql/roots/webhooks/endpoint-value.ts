/**
 * Endpoints and deliveries as values of the schema, with ids in the platform's namespace, and the parsers of these
 * ids.
 */
import { formatGid, parseGid } from '../../../lib/domain/gid.ts';
import { formatPlatformDate } from '../../../lib/domain/instant.ts';
import {
  eventTypeEnumName,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../../../lib/timeline/event-type.ts';
import { type EndpointId, type EndpointRecord, parseEndpointId } from '../../../lib/webhooks/endpoints.ts';
import type { DeliveryView } from '../../../lib/webhooks/manage/list-deliveries.ts';
import { readEndpointView } from '../../../lib/webhooks/manage/read-endpoint-view.ts';
import type { RunContext } from '../../plan/run-context.ts';

const ENDPOINT_TYPE = 'WebhookEndpoint';
const DELIVERY_TYPE = 'WebhookDelivery';

/**
 * Returns a WebhookEndpoint by field names.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function toEndpointValue(context: RunContext, endpoint: EndpointRecord) {
  const endpointView = await readEndpointView(context, endpoint);
  const { url, description, types, status, createdAtMs, lastDeliveredAtMs, waitingCount } = endpointView;
  return {
    ...{ id: formatEndpointGid(context, endpoint.id), url, description, status, waitingCount },
    types: types?.map(eventTypeEnumName) ?? null,
    createdAt: formatPlatformDate(createdAtMs),
    lastDeliveredAt: formatPlatformDate(lastDeliveredAtMs),
    oldestWaitingAt: formatPlatformDate(endpointView.oldestWaitingAtMs),
  };
}

/** Returns a WebhookDelivery by field names. */
export function toDeliveryValue(context: RunContext, { id }: EndpointRecord, delivery: DeliveryView) {
  const { number, eventId, type, placedAtMs, status, attemptCount, lastStatusCode } = delivery;
  const platformNamespace = context.identity.namespaces.platform;
  return {
    ...{
      id: formatGid({ namespace: platformNamespace, type: DELIVERY_TYPE, tail: `${id}.${number}` }),
      eventId,
      status,
    },
    type: eventTypeEnumName(type),
    createdAt: formatPlatformDate(placedAtMs),
    attemptCount: attemptCount ?? null,
    lastStatusCode: lastStatusCode ?? null,
    nextAttemptAt: formatPlatformDate(delivery.nextAttemptAtMs),
  };
}

export function formatEndpointGid({ identity }: RunContext, id: EndpointId): string {
  return formatGid({ namespace: identity.namespaces.platform, type: ENDPOINT_TYPE, tail: id });
}

/**
 * Parses an endpoint's id, in any namespace.
 * @returns undefined when the text is not such an id
 */
export function parseEndpointGid(text: unknown): EndpointId | undefined {
  const gid = parseGid(String(text));
  return gid?.type === ENDPOINT_TYPE ? parseEndpointId(gid.tail) : undefined;
}

/**
 * Parses a delivery's id into the endpoint and the stream number.
 * @returns undefined when the text is not such an id
 */
export function parseDeliveryGid(text: unknown): { id: EndpointId; number: number } | undefined {
  const gid = parseGid(String(text));
  if (gid?.type !== DELIVERY_TYPE) return undefined;
  const [, endpoint = '', digits = ''] = /^(\w+)\.([1-9]\d{0,14})$/.exec(gid.tail) ?? [];
  const id = parseEndpointId(endpoint);
  return id && { id, number: Number(digits) };
}

const EVENT_TYPE_BY_ENUM_NAME = new Map(WEBHOOK_EVENT_TYPES.map((type) => [eventTypeEnumName(type), type]));

/** Returns the type of an enum value. The schema has no other values. */
export function parseEventTypeEnum(name: string): WebhookEventType {
  const type = EVENT_TYPE_BY_ENUM_NAME.get(name);
  if (type === undefined) throw new Error(`no type of event is called ${name}`);
  return type;
}
