/**
 * The mutations of the service's own, each with the payload's fields that are the platform's. What performs them is
 * loaded when the first one is asked for: most containers answer queries alone.
 */
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { PerformedMutation } from '../run/running-mutation.ts';
import { type OwnMutationName, objectFieldsOf } from './object-fields.ts';

const loadPerformOperation = loadOnce(() => import('./perform-operation.ts'));
const loadWebhookChanges = loadOnce(() => import('./webhooks/change-webhooks.ts'));
const loadEndSessions = loadOnce(() => import('./end-sessions.ts'));

/** The mutations of which the platform hears nothing. */
const KEPT_HERE: Readonly<Record<string, PerformedMutation>> = {
  adminKeyRevokeCurrent: {
    objectFields: [],
    keeps: ['revokedKeyId'],
    perform: async (context) => (await import('./end-key.ts')).endKey(context),
  },
  customerSessionRevoke: {
    objectFields: [],
    keeps: ['revokedSessionId'],
    perform: async (context, request) => (await loadEndSessions()).endOneSession(context, request),
  },
  customerSessionsRevokeOthers: {
    objectFields: [],
    keeps: ['revokedCount'],
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
export function ownMutation(name: string): PerformedMutation | undefined {
  if (Object.hasOwn(OF_WEBHOOKS, name)) return webhookMutation(name);
  if (Object.hasOwn(KEPT_HERE, name)) return KEPT_HERE[name];
  if (!isOwn(name)) return undefined;
  return {
    objectFields: objectFieldsOf[name],
    isTold: true,
    keeps: ['deliveryOptions', 'droppedEdits', 'skippedOrders', 'upcomingOrders'],
    async perform(context, request) {
      const { performOperation } = await loadPerformOperation();
      return performOperation(context, name, request);
    },
  };
}

function webhookMutation(name: string): PerformedMutation {
  return {
    objectFields: [],
    keeps: OF_WEBHOOKS[name] ?? [],
    async perform(context, { args }) {
      const change = (await loadWebhookChanges()).webhookChanges[name];
      if (change === undefined) throw new Error(`nobody does ${name}`);
      return change(context, args);
    },
  };
}

function isOwn(name: string): name is OwnMutationName {
  return Object.hasOwn(objectFieldsOf, name);
}
