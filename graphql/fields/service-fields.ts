/** The fields that this service adds to the platform's types, and who answers each. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { ServiceFields } from '../run/run-context.ts';
import { portalUrl } from './portal-url.ts';
import { resolveEvents } from './resolve-events.ts';
import { resolveNextOrders } from './resolve-next-orders.ts';
import { resolvePauses } from './resolve-pauses.ts';

/** By `Type.field`; `closed` stands for every field that is closed while a customer is acting. */
export const serviceFields: ServiceFields = {
  closed: (_context, tasks) => tasks.map(() => new ServiceError('FORBIDDEN')),
  'Customer.portalUrl': ({ store }, tasks) => tasks.map(() => portalUrl(store)),
  // Few ask for it: the module is loaded by the first who does.
  'Customer.sessions': async (context, tasks, answer) => {
    const { resolveSessions } = await import('./resolve-sessions.ts');
    return resolveSessions(context, tasks, answer);
  },
  'SubscriptionContract.currentPause': resolvePauses,
  'SubscriptionContract.events': resolveEvents,
  'SubscriptionContract.nextOrder': resolveNextOrders,
  'SubscriptionContract.portalUrl': ({ store }, tasks) =>
    tasks.map(({ parent }) => portalUrl(store, parent._svcContract)),
};
