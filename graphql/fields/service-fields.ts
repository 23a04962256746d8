/** The service's fields in the platform's types, and their resolvers. */
import { loadOnce } from '../../lib/domain/load-once.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { PAYLOAD_EVENT_COORDINATE } from '../compile/selection/field-treatment.ts';
import { CONTRACT_CYCLES_COORDINATE } from '../compile/selection/further-read.ts';
import type { ResolveServiceField, ServiceFields } from '../plan/run-context.ts';
import { formatPortalUrl } from './portal-url.ts';

/** Loads a resolver with the first document that needs it, because few documents select these fields. */
function createLazyResolver(load: () => Promise<ResolveServiceField>): ResolveServiceField {
  const loadResolver = loadOnce(load);
  return async (...args) => (await loadResolver())(...args);
}

const resolveNull: ResolveServiceField = (_context, tasks) => tasks.map(() => null);

/** The resolvers by `Type.field`. `closed` resolves every field that is closed while a customer is acting. */
export const SERVICE_FIELD_RESOLVERS: ServiceFields = {
  closed: (_context, tasks) => tasks.map(() => new ServiceError('FORBIDDEN')),
  [PAYLOAD_EVENT_COORDINATE]: createLazyResolver(
    async () => (await import('./resolve-payload-events.ts')).resolvePayloadEvents,
  ),
  'Customer.portalUrl': ({ store }, tasks) => tasks.map(() => formatPortalUrl(store)),
  'Customer.sessions': createLazyResolver(
    async () => (await import('./resolve-sessions.ts')).resolveSessions,
  ),
  'SubscriptionBillingCycle.isWithinPause': createLazyResolver(
    async () => (await import('./resolve-within-pause.ts')).resolveWithinPause,
  ),
  'SubscriptionBillingCycle.orderDate': createLazyResolver(
    async () => (await import('./resolve-order-dates.ts')).resolveOrderDates,
  ),
  'SubscriptionBillingCycle.overdue': createLazyResolver(
    async () => (await import('./resolve-overdue-orders.ts')).resolveOverdueOrders,
  ),
  'SubscriptionBillingCycle.total': createLazyResolver(
    async () => (await import('./resolve-cycle-totals.ts')).resolveCycleTotals,
  ),
  // Null in user errors of the platform, which a merchant gets unchanged. The service's own user errors set these fields.
  'SubscriptionBillingCycleSkipUserError.advice': resolveNull,
  'SubscriptionBillingCycleSkipUserError.details': resolveNull,
  'SubscriptionContractStatusUpdateUserError.advice': resolveNull,
  'SubscriptionContractStatusUpdateUserError.details': resolveNull,
  'UserError.advice': resolveNull,
  'UserError.code': resolveNull,
  [CONTRACT_CYCLES_COORDINATE]: createLazyResolver(
    async () => (await import('./resolve-billing-cycles.ts')).resolveBillingCycles,
  ),
  'SubscriptionContract.cancellation': createLazyResolver(
    async () => (await import('./resolve-cancellations.ts')).resolveCancellations,
  ),
  'SubscriptionContract.currentPause': createLazyResolver(
    async () => (await import('./resolve-pauses.ts')).resolvePauses,
  ),
  'SubscriptionContract.events': createLazyResolver(
    async () => (await import('./resolve-events.ts')).resolveEvents,
  ),
  'SubscriptionContract.nextOrder': createLazyResolver(
    async () => (await import('./resolve-next-orders.ts')).resolveNextOrders,
  ),
  'SubscriptionContract.payment': createLazyResolver(
    async () => (await import('./resolve-payments.ts')).resolvePayments,
  ),
  'SubscriptionContract.postponement': createLazyResolver(
    async () => (await import('./resolve-postponements.ts')).resolvePostponements,
  ),
  'SubscriptionContract.portalUrl': ({ store }, tasks) =>
    tasks.map(({ parent }) => formatPortalUrl(store, parent._svcContract)),
};
