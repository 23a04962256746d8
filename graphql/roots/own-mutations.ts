/**
 * The mutations of the service's own, each with the payload's fields that are the platform's. What performs them is
 * loaded when the first one is asked for: most containers answer queries alone.
 */
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { ServiceMutation } from '../plan/service-mutation.ts';
import { objectFieldsOf, type ServiceMutationName } from './object-fields.ts';

const loadPerformOperation = loadOnce(() => import('./perform-operation.ts'));
const loadWebhookChanges = loadOnce(() => import('./webhooks/change-webhooks.ts'));
const loadEndSessions = loadOnce(() => import('./end-sessions.ts'));

/** The mutations of which the platform hears nothing. */
const PERFORMED: Readonly<Record<string, ServiceMutation>> = {
  adminKeyRevokeCurrent: {
    objectFields: [],
    storedFields: ['revokedKeyId'],
    perform: async (context) => (await import('./end-key.ts')).endKey(context),
  },
  customerSessionRevoke: {
    objectFields: [],
    storedFields: ['revokedSessionId'],
    perform: async (context, request) => (await loadEndSessions()).endOneSession(context, request),
  },
  customerSessionsRevokeOthers: {
    objectFields: [],
    storedFields: ['revokedCount'],
    isOfSignIn: true,
    perform: async (context) => (await loadEndSessions()).endTheOthers(context),
  },
};

/** The mutations of endpoints, each with what a repeat is told again: never a secret. */
const OF_WEBHOOKS: Readonly<Record<string, readonly string[]>> = {
  webhookDeliveryResend: ['delivery'],
  webhookEndpointCreate: ['endpoint'],
  webhookEndpointDelete: ['deletedId'],
  webhookEndpointReplay: ['endpoint', 'eventCount'],
  webhookEndpointRotateSecret: ['endpoint'],
  webhookEndpointTest: ['endpoint', 'statusCode'],
  webhookEndpointUpdate: ['endpoint'],
};

/** The mutation of that name; undefined: it is the platform's. */
export function serviceMutation(name: string): ServiceMutation | undefined {
  if (Object.hasOwn(OF_WEBHOOKS, name)) return webhookMutation(name);
  if (Object.hasOwn(PERFORMED, name)) return PERFORMED[name];
  if (!isOwn(name)) return undefined;
  return {
    objectFields: objectFieldsOf[name],
    isRecorded: true,
    storedFields: ['deliveryOptions', 'droppedEdits', 'skippedOrders', 'upcomingOrders'],
    async perform(context, request) {
      const { performOperation } = await loadPerformOperation();
      return performOperation(context, name, request);
    },
  };
}

function webhookMutation(name: string): ServiceMutation {
  return {
    objectFields: [],
    storedFields: OF_WEBHOOKS[name] ?? [],
    async perform(context, { args }) {
      const change = (await loadWebhookChanges()).webhookChanges[name];
      if (change === undefined) throw new Error(`nobody does ${name}`);
      return change(context, args);
    },
  };
}

function isOwn(name: string): name is ServiceMutationName {
  return Object.hasOwn(objectFieldsOf, name);
}
