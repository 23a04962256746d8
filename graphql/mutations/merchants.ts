/** The mutations of a merchant: webhook endpoints, and the admin key that sends the request. */
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { ServiceMutationRecord } from '../plan/mutation-record.ts';

const loadWebhookChanges = loadOnce(() => import('../roots/webhooks/change-webhooks.ts'));

export const merchantMutations: readonly ServiceMutationRecord[] = [
  {
    name: 'adminKeyRevokeCurrent',
    kind: 'service',
    objects: [],
    idempotency: { storedFields: ['revokedKeyId'] },
    perform: async (context) => (await import('../roots/revoke-current-key.ts')).revokeCurrentKey(context),
  },
  webhookMutation('webhookDeliveryResend', ['delivery']),
  webhookMutation('webhookEndpointCreate', ['endpoint']),
  webhookMutation('webhookEndpointDelete', ['deletedId']),
  webhookMutation('webhookEndpointReplay', ['endpoint', 'eventCount']),
  webhookMutation('webhookEndpointRotateSecret', ['endpoint']),
  webhookMutation('webhookEndpointTest', ['endpoint', 'statusCode']),
  webhookMutation('webhookEndpointUpdate', ['endpoint']),
];

function webhookMutation(name: string, storedFields: readonly string[]): ServiceMutationRecord {
  return {
    name,
    kind: 'service',
    objects: [],
    idempotency: { storedFields },
    async perform(context, { args }) {
      const change = (await loadWebhookChanges()).webhookMutations[name];
      if (change === undefined) throw new Error(`${name} has no implementation`);
      return change(context, args);
    },
  };
}
