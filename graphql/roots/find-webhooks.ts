/** The endpoints and deliveries that `node` and `nodes` name: for keys that may manage them, as if absent for others. */
import { type EndpointId, type EndpointRecord, listEndpoints } from '../../lib/webhooks/endpoints.ts';
import { findDeliveries } from '../../lib/webhooks/manage/list-deliveries.ts';
import type { RunningRoot } from '../plan/root-kind.ts';
import type { RunContext } from '../plan/run-context.ts';
import { type FoundNodes, foundOf, type MadeNode } from './find-events.ts';
import {
  deliveryValue,
  endpointValue,
  parseDeliveryGid,
  parseEndpointGid,
} from './webhooks/endpoint-value.ts';

/** Adds what is found to the roots' outcomes. What a customer asks for was refused before. TEMPORARILY_UNAVAILABLE. */
export async function findWebhooks(context: RunContext, roots: readonly RunningRoot[]): Promise<void> {
  const { actor, table, store } = context;
  if (actor.kind === 'customer' || !actor.scopes.includes('WEBHOOKS')) return;
  const ids = new Set(roots.flatMap(({ outcome }) => visibleIds(foundOf(outcome)).map(([, id]) => id)));
  const endpoints = ids.size === 0 ? [] : await listEndpoints(table, store.shopId);
  const nodes = new Map<string, MadeNode>();
  for (const endpoint of endpoints) await addNodesOf(context, endpoint, { ids, nodes });
  for (const one of roots) {
    const found = foundOf(one.outcome);
    const made = new Map(found.made);
    for (const [position, id] of visibleIds(found)) {
      const node = nodes.get(id);
      if (node !== undefined) made.set(position, node);
    }
    one.outcome = { kind: 'found', found: { ...found, made } satisfies FoundNodes };
  }
}

function visibleIds({ ids, refused }: FoundNodes) {
  const named = ([, id]: [number, string]) => (parseEndpointGid(id) ?? parseDeliveryGid(id)) !== undefined;
  return [...ids.webhooks].filter((one) => !refused.has(one[0]) && named(one));
}

type Search = { readonly ids: ReadonlySet<string>; readonly nodes: Map<string, MadeNode> };

async function addNodesOf(context: RunContext, endpoint: EndpointRecord, { ids, nodes }: Search) {
  const requestedId = [...ids].find((id) => parseEndpointGid(id) === endpoint.id);
  if (requestedId !== undefined) {
    nodes.set(requestedId, { typeName: 'WebhookEndpoint', value: await endpointValue(context, endpoint) });
  }
  const numbers = numbersOf(ids, endpoint.id);
  if (numbers.size === 0) return;
  for (const delivery of await findDeliveries(context, endpoint, [...numbers.keys()])) {
    const value = deliveryValue(context, endpoint, delivery);
    nodes.set(numbers.get(delivery.number) ?? '', { typeName: 'WebhookDelivery', value });
  }
}

/** The numbers of the stream of the deliveries to an endpoint, each with the id that names it. */
function numbersOf(ids: ReadonlySet<string>, endpoint: EndpointId): ReadonlyMap<number, string> {
  const named = [...ids].flatMap((id) => {
    const delivery = parseDeliveryGid(id);
    return delivery?.id === endpoint ? [[delivery.number, id] as const] : [];
  });
  return new Map(named);
}
