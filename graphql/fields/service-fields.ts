/** The service's fields in the platform's types, and their resolvers. */
import { loadOnce } from '../../lib/domain/load-once.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { CONTRACT_CYCLES_COORDINATE } from '../compile/selection/further-read.ts';
import { PAYLOAD_EVENT_COORDINATE } from '../compile/selection/treat-field.ts';
import type { ResolveServiceField, ServiceFields } from '../plan/run-context.ts';
import { portalUrl } from './portal-url.ts';

/** Loads a resolver with the first document that needs it, because few documents select these fields. */
function loadResolverLater(load: () => Promise<ResolveServiceField>): ResolveServiceField {
  const loaded = loadOnce(load);
  return async (...args) => (await loaded())(...args);
}

const resolveNull: ResolveServiceField = (_context, tasks) => tasks.map(() => null);

/** The resolvers by `Type.field`. `closed` resolves every field that is closed while a customer is acting. */
export const serviceFields: ServiceFields = {
  closed: (_context, tasks) => tasks.map(() => new ServiceError('FORBIDDEN')),
  [PAYLOAD_EVENT_COORDINATE]: loadResolverLater(
    async () => (await import('./resolve-payload-events.ts')).resolvePayloadEvents,
  ),
  'Customer.portalUrl': ({ store }, tasks) => tasks.map(() => portalUrl(store)),
  'Customer.sessions': loadResolverLater(async () => (await import('./resolve-sessions.ts')).resolveSessions),
  'SubscriptionBillingCycle.isWithinPause': loadResolverLater(
    async () => (await import('./resolve-within-pause.ts')).resolveWithinPause,
  ),
  'SubscriptionBillingCycle.total': loadResolverLater(
    async () => (await import('./resolve-cycle-totals.ts')).resolveCycleTotals,
  ),
  // Refusals of forwarded mutations. The service's own mutations set their advice and details themselves.
  'SubscriptionBillingCycleSkipUserError.advice': resolveNull,
  'SubscriptionBillingCycleSkipUserError.details': resolveNull,
  'SubscriptionContractStatusUpdateUserError.advice': resolveNull,
  'SubscriptionContractStatusUpdateUserError.details': resolveNull,
  'UserError.advice': resolveNull,
  'UserError.code': resolveNull,
  [CONTRACT_CYCLES_COORDINATE]: loadResolverLater(
    async () => (await import('./resolve-billing-cycles.ts')).resolveBillingCycles,
  ),
  'SubscriptionContract.cancellation': loadResolverLater(
    async () => (await import('./resolve-cancellations.ts')).resolveCancellations,
  ),
  'SubscriptionContract.currentPause': loadResolverLater(
    async () => (await import('./resolve-pauses.ts')).resolvePauses,
  ),
  'SubscriptionContract.events': loadResolverLater(
    async () => (await import('./resolve-events.ts')).resolveEvents,
  ),
  'SubscriptionContract.nextOrder': loadResolverLater(
    async () => (await import('./resolve-next-orders.ts')).resolveNextOrders,
  ),
  'SubscriptionContract.postponement': loadResolverLater(
    async () => (await import('./resolve-postponements.ts')).resolvePostponements,
  ),
  'SubscriptionContract.portalUrl': ({ store }, tasks) =>
    tasks.map(({ parent }) => portalUrl(store, parent._svcContract)),
};
