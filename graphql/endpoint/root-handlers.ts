/** The root fields that are not simply forwarded, each with its handler. Rarely used handlers are loaded on demand. */
import type { FindRootHandler, RootHandler } from '../plan/root-handler.ts';
import { introspectionRoot } from '../roots/introspection/introspection.ts';
import { serviceInfoRoot } from '../roots/service-info.ts';
import { typenameRoot } from '../roots/typename.ts';

type LoadableRootHandler = RootHandler | (() => Promise<RootHandler>);

const loadNodesRoot = async () => (await import('../roots/nodes.ts')).nodesRoot;
const loadBillingRoots = () => import('../roots/billing-roots.ts');
const loadWebhookRoots = () => import('../roots/webhook-roots.ts');
const loadCustomerListRoot = async () => (await import('../roots/customer-list-root.ts')).customerListRoot;

const QUERY_ROOT_HANDLERS: Readonly<Record<string, LoadableRootHandler>> = {
  __schema: introspectionRoot,
  __type: introspectionRoot,
  __typename: typenameRoot,
  adminKeys: async () => (await import('../roots/admin-keys.ts')).adminKeysRoot,
  billingCharge: async () => (await loadBillingRoots()).billingChargeRoot,
  billingCharges: async () => (await loadBillingRoots()).billingChargesRoot,
  billingPreview: async () => (await loadBillingRoots()).billingPreviewRoot,
  billingRun: async () => (await loadBillingRoots()).billingRunRoot,
  billingRuns: async () => (await loadBillingRoots()).billingRunsRoot,
  billingSettings: async () => (await loadBillingRoots()).billingSettingsRoot,
  // They also accept ids of timeline entries.
  event: loadNodesRoot,
  node: loadNodesRoot,
  nodes: loadNodesRoot,
  serviceInfo: serviceInfoRoot,
  subscriptionEvents: async () => (await loadWebhookRoots()).subscriptionEventsRoot,
  webhookDeliveries: async () => (await loadWebhookRoots()).webhookDeliveriesRoot,
  webhookEndpoint: async () => (await loadWebhookRoots()).webhookEndpointRoot,
  webhookEndpoints: async () => (await loadWebhookRoots()).webhookEndpointsRoot,
  subscriptionBillingCycles: async () => (await import('../roots/billing-cycles.ts')).billingCyclesRoot,
  subscriptionContractDetails: async () => (await import('../roots/contract-details.ts')).contractDetailsRoot,
  subscriptionIntervalInfo: async () =>
    (await import('../roots/interval-info/interval-info.ts')).intervalInfoRoot,
  subscriptionLineOptions: async () =>
    (await import('../roots/line-options/line-options.ts')).lineOptionsRoot,
};

/** The mutations themselves are in mutations/mutations.ts. */
const MUTATION_ROOT_HANDLERS: Readonly<Record<string, LoadableRootHandler>> = { __typename: typenameRoot };

/** Returns the handler of a root field, for the policy's decision if a customer is acting. */
export const findRootHandler: FindRootHandler = (rootType, name, decision) => {
  if (decision?.kind === 'narrowed') return loadCustomerListRoot();
  const handlers = rootType === 'QueryRoot' ? QUERY_ROOT_HANDLERS : MUTATION_ROOT_HANDLERS;
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  return typeof handler === 'function' ? handler() : handler;
};
