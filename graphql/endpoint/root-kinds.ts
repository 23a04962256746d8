/** The root fields that are not simply forwarded, each with its kind. Rarely used kinds are loaded on demand. */
import type { RootKind, RootKindOf } from '../plan/root-kind.ts';
import { introspectionRoot } from '../roots/introspection/introspection.ts';
import { serviceInfoRoot } from '../roots/service-info.ts';
import { typenameRoot } from '../roots/typename.ts';

type Kind = RootKind | (() => Promise<RootKind>);

const nodes = async () => (await import('../roots/nodes.ts')).nodesRoot;
const webhooks = () => import('../roots/webhook-roots.ts');
const narrowed = async () => (await import('../roots/customer-list-root.ts')).customerListRoot;

const QUERIES: Readonly<Record<string, Kind>> = {
  __schema: introspectionRoot,
  __type: introspectionRoot,
  __typename: typenameRoot,
  adminKeys: async () => (await import('../roots/admin-keys.ts')).adminKeysRoot,
  // They also accept ids of timeline entries.
  event: nodes,
  node: nodes,
  nodes,
  serviceInfo: serviceInfoRoot,
  subscriptionEvents: async () => (await webhooks()).subscriptionEventsRoot,
  webhookDeliveries: async () => (await webhooks()).webhookDeliveriesRoot,
  webhookEndpoint: async () => (await webhooks()).webhookEndpointRoot,
  webhookEndpoints: async () => (await webhooks()).webhookEndpointsRoot,
  subscriptionBillingCycles: async () => (await import('../roots/billing-cycles.ts')).billingCyclesRoot,
  subscriptionContractDetails: async () => (await import('../roots/contract-details.ts')).contractDetailsRoot,
  subscriptionIntervalInfo: async () =>
    (await import('../roots/interval-info/interval-info.ts')).intervalInfoRoot,
  subscriptionLineOptions: async () =>
    (await import('../roots/line-options/line-options.ts')).lineOptionsRoot,
};

const MUTATIONS: Readonly<Record<string, Kind>> = { __typename: typenameRoot };

/** Returns the kind of a root field, for the policy's decision if a customer is acting. */
export const rootKindOf: RootKindOf = (rootType, name, decision) => {
  if (decision?.kind === 'narrowed') return narrowed();
  const kinds = rootType === 'QueryRoot' ? QUERIES : MUTATIONS;
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return typeof kind === 'function' ? kind() : kind;
};
