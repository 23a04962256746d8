/** The root fields that are not simply forwarded, each with its kind. Rarely used kinds are loaded on demand. */
import type { RootKind, RootKindOf } from '../plan/root-kind.ts';
import { introspection } from '../roots/introspection/introspection.ts';
import { serviceInfo } from '../roots/service-info.ts';
import { typename } from '../roots/typename.ts';

type Kind = RootKind | (() => Promise<RootKind>);

const nodes = async () => (await import('../roots/nodes.ts')).nodes;
const webhooks = () => import('../roots/webhook-roots.ts');
const narrowed = async () => (await import('../roots/narrowed.ts')).narrowed;

const QUERIES: Readonly<Record<string, Kind>> = {
  __schema: introspection,
  __type: introspection,
  __typename: typename,
  adminKeys: async () => (await import('../roots/admin-keys.ts')).adminKeys,
  // They also accept ids of timeline entries.
  event: nodes,
  node: nodes,
  nodes,
  serviceInfo,
  subscriptionEvents: async () => (await webhooks()).subscriptionEvents,
  webhookDeliveries: async () => (await webhooks()).webhookDeliveries,
  webhookEndpoint: async () => (await webhooks()).webhookEndpoint,
  webhookEndpoints: async () => (await webhooks()).webhookEndpoints,
  subscriptionBillingCycles: async () => (await import('../roots/billing-cycles.ts')).billingCycles,
  subscriptionContractDetails: async () => (await import('../roots/contract-details.ts')).contractDetails,
  subscriptionIntervalInfo: async () =>
    (await import('../roots/interval-info/interval-info.ts')).intervalInfo,
  subscriptionLineOptions: async () => (await import('../roots/line-options/line-options.ts')).lineOptions,
};

const MUTATIONS: Readonly<Record<string, Kind>> = { __typename: typename };

/** Returns the kind of a root field, for the policy's decision if a customer is acting. */
export const rootKindOf: RootKindOf = (rootType, name, decision) => {
  if (decision?.kind === 'narrowed') return narrowed();
  const kinds = rootType === 'QueryRoot' ? QUERIES : MUTATIONS;
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return typeof kind === 'function' ? kind() : kind;
};
