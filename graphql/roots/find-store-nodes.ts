/**
 * Finds the objects of `node` and `nodes` that belong to the store: webhook endpoints, deliveries, runs and charges. Those of
 * webhooks look absent to keys that may not manage them.
 */
import { type EndpointId, type EndpointRecord, listEndpoints } from '../../lib/webhooks/endpoints.ts';
import { findDeliveries } from '../../lib/webhooks/manage/list-deliveries.ts';
import type { RunContext } from '../plan/run-context.ts';
import { findChargeValue, findRunValue, parseChargeGid, parseRunGid } from './billing/billing-values.ts';
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
export async function findStoreNodes(
  context: RunContext,
  knownNodes: readonly NodesByPosition[],
): Promise<readonly NodesByPosition[]> {
  if (context.actor.kind === 'customer') return knownNodes;
  const ids = new Set(knownNodes.flatMap((one) => listVisibleIds(one).map(([, id]) => id)));
  const nodeById = new Map<string, ServiceNode>();
  if (context.actor.scopes.includes('WEBHOOKS')) await addWebhookNodes(context, { ids, nodes: nodeById });
  for (const id of ids) {
    const node = await findBillingNode(context, id);
    if (node !== undefined) nodeById.set(id, node);
  }
  return knownNodes.map((one) => {
    const nodeEntries = listVisibleIds(one).flatMap(([position, id]) => {
      const node = nodeById.get(id);
      return node === undefined ? [] : [[position, node] as const];
    });
    return { ...one, nodesByPosition: new Map([...one.nodesByPosition, ...nodeEntries]) };
  });
}

function listVisibleIds({ ids, refusalByPosition }: NodesByPosition) {
  return [...ids.storeObjects].filter(([position]) => !refusalByPosition.has(position));
}

async function findBillingNode(context: RunContext, id: string): Promise<ServiceNode | undefined> {
  const run = parseRunGid(id) && (await findRunValue(context, id));
  if (run) return { typeName: 'BillingRun', value: run };
  const order = parseChargeGid(id);
  const charge = order && (await findChargeValue(context, order));
  return charge && { typeName: 'BillingCharge', value: charge };
}

async function addWebhookNodes(context: RunContext, search: StoreNodeSearch): Promise<void> {
  const isWebhookNodeId = (id: string) => (parseEndpointGid(id) ?? parseDeliveryGid(id)) !== undefined;
  const endpoints = [...search.ids].some(isWebhookNodeId)
    ? await listEndpoints(context.table, context.store.shopId)
    : [];
  for (const endpoint of endpoints) await addNodesOfEndpoint(context, endpoint, search);
}

type StoreNodeSearch = { readonly ids: ReadonlySet<string>; readonly nodes: Map<string, ServiceNode> };

async function addNodesOfEndpoint(
  context: RunContext,
  endpoint: EndpointRecord,
  { ids, nodes }: StoreNodeSearch,
) {
  const requestedId = [...ids].find((id) => parseEndpointGid(id) === endpoint.id);
  if (requestedId !== undefined) {
    nodes.set(requestedId, { typeName: 'WebhookEndpoint', value: await toEndpointValue(context, endpoint) });
  }
  const deliveryByPosition = parseDeliveryNumbers(ids, endpoint.id);
  if (deliveryByPosition.size === 0) return;
  for (const delivery of await findDeliveries(context, endpoint, [...deliveryByPosition.keys()])) {
    const value = toDeliveryValue(context, endpoint, delivery);
    nodes.set(deliveryByPosition.get(delivery.number) ?? '', { typeName: 'WebhookDelivery', value });
  }
}

/** Returns the stream numbers of the deliveries to an endpoint, each with its id. */
function parseDeliveryNumbers(ids: ReadonlySet<string>, endpoint: EndpointId): ReadonlyMap<number, string> {
  const endpointIdEntries = [...ids].flatMap((id) => {
    const delivery = parseDeliveryGid(id);
    return delivery?.id === endpoint ? [[delivery.number, id] as const] : [];
  });
  return new Map(endpointIdEntries);
}
