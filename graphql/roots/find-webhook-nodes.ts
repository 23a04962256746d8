/** Finds the endpoints and deliveries of `node` and `nodes`. They look absent to keys that may not manage them. */
import { type EndpointId, type EndpointRecord, listEndpoints } from '../../lib/webhooks/endpoints.ts';
import { findDeliveries } from '../../lib/webhooks/manage/list-deliveries.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { NodesByPosition, ServiceNode } from './find-event-nodes.ts';
import {
  parseDeliveryGid,
  parseEndpointGid,
  toDeliveryValue,
  toEndpointValue,
} from './webhooks/endpoint-value.ts';

/**
 * Adds the objects that it finds to the known ones. Customers' requests for them were refused before.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findWebhookNodes(
  context: RunContext,
  known: readonly NodesByPosition[],
): Promise<readonly NodesByPosition[]> {
  const { actor, table, store } = context;
  if (actor.kind === 'customer' || !actor.scopes.includes('WEBHOOKS')) return known;
  const ids = new Set(known.flatMap((one) => listVisibleIds(one).map(([, id]) => id)));
  const endpoints = ids.size === 0 ? [] : await listEndpoints(table, store.shopId);
  const nodes = new Map<string, ServiceNode>();
  for (const endpoint of endpoints) await addNodesOfEndpoint(context, endpoint, { ids, nodes });
  return known.map((one) => {
    const found = listVisibleIds(one).flatMap(([position, id]) => {
      const node = nodes.get(id);
      return node === undefined ? [] : [[position, node] as const];
    });
    return { ...one, nodesByPosition: new Map([...one.nodesByPosition, ...found]) };
  });
}

function listVisibleIds({ ids, refused }: NodesByPosition) {
  const named = ([, id]: [number, string]) => (parseEndpointGid(id) ?? parseDeliveryGid(id)) !== undefined;
  return [...ids.webhooks].filter((one) => !refused.has(one[0]) && named(one));
}

type WebhookNodeSearch = { readonly ids: ReadonlySet<string>; readonly nodes: Map<string, ServiceNode> };

async function addNodesOfEndpoint(
  context: RunContext,
  endpoint: EndpointRecord,
  { ids, nodes }: WebhookNodeSearch,
) {
  const requestedId = [...ids].find((id) => parseEndpointGid(id) === endpoint.id);
  if (requestedId !== undefined) {
    nodes.set(requestedId, { typeName: 'WebhookEndpoint', value: await toEndpointValue(context, endpoint) });
  }
  const numbers = parseDeliveryNumbers(ids, endpoint.id);
  if (numbers.size === 0) return;
  for (const delivery of await findDeliveries(context, endpoint, [...numbers.keys()])) {
    const value = toDeliveryValue(context, endpoint, delivery);
    nodes.set(numbers.get(delivery.number) ?? '', { typeName: 'WebhookDelivery', value });
  }
}

/** Returns the stream numbers of the deliveries to an endpoint, each with its id. */
function parseDeliveryNumbers(ids: ReadonlySet<string>, endpoint: EndpointId): ReadonlyMap<number, string> {
  const named = [...ids].flatMap((id) => {
    const delivery = parseDeliveryGid(id);
    return delivery?.id === endpoint ? [[delivery.number, id] as const] : [];
  });
  return new Map(named);
}
