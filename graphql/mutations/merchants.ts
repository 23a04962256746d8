/** The mutations of a merchant: webhook endpoints, and the admin key that sends the request. */
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { ServiceMutationRecord } from '../plan/mutation-record.ts';

const loadWebhookChanges = loadOnce(() => import('../roots/webhooks/change-webhooks.ts'));

export const MERCHANT_MUTATIONS: readonly ServiceMutationRecord[] = [
  {
    name: 'adminKeyRevokeCurrent',
    kind: 'service',
    objects: [],
    idempotency: { storedFields: ['revokedKeyId'] },
    perform: async (context) => (await import('../roots/revoke-current-key.ts')).revokeCurrentKey(context),
  },
  createWebhookMutation('webhookDeliveryResend', ['delivery']),
  createWebhookMutation('webhookEndpointCreate', ['endpoint']),
  createWebhookMutation('webhookEndpointDelete', ['deletedId']),
  createWebhookMutation('webhookEndpointReplay', ['endpoint', 'eventCount']),
  createWebhookMutation('webhookEndpointRotateSecret', ['endpoint']),
  createWebhookMutation('webhookEndpointTest', ['endpoint', 'statusCode']),
  createWebhookMutation('webhookEndpointUpdate', ['endpoint']),
];

function createWebhookMutation(name: string, storedFields: readonly string[]): ServiceMutationRecord {
  return {
    name,
    kind: 'service',
    objects: [],
    idempotency: { storedFields },
    async perform(context, { args }) {
      const change = (await loadWebhookChanges()).WEBHOOK_MUTATIONS[name];
      if (change === undefined) throw new Error(`${name} has no implementation`);
      return change(context, args);
    },
  };
}
