/** The mutations of a merchant: billing, webhook endpoints, and the admin key that sends the request. */
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { ServiceMutationRecord } from '../plan/mutation-record.ts';

const loadBillingChanges = loadOnce(() => import('../roots/billing/change-billing.ts'));
const loadWebhookChanges = loadOnce(() => import('../roots/webhooks/change-webhooks.ts'));

export const MERCHANT_MUTATIONS: readonly ServiceMutationRecord[] = [
  {
    name: 'adminKeyRevokeCurrent',
    kind: 'service',
    objectFields: [],
    idempotency: { storedFields: ['revokedKeyId'] },
    perform: async (context) => (await import('../roots/revoke-current-key.ts')).revokeCurrentKey(context),
  },
  createBillingMutation('billingResume', 'settings'),
  createBillingMutation('billingRunConfirm', 'run'),
  createBillingMutation('billingSettingsUpdate', 'settings'),
  createBillingMutation('billingStop', 'settings'),
  createWebhookMutation('webhookDeliveryResend', ['delivery']),
  createWebhookMutation('webhookEndpointCreate', ['endpoint']),
  createWebhookMutation('webhookEndpointDelete', ['deletedId']),
  createWebhookMutation('webhookEndpointReplay', ['endpoint', 'eventCount']),
  createWebhookMutation('webhookEndpointRotateSecret', ['endpoint']),
  createWebhookMutation('webhookEndpointTest', ['endpoint', 'statusCode']),
  createWebhookMutation('webhookEndpointUpdate', ['endpoint']),
];

function createBillingMutation(name: string, storedField: string): ServiceMutationRecord {
  return {
    name,
    kind: 'service',
    objectFields: [],
    idempotency: { storedFields: [storedField] },
    async perform(context, { args }) {
      const performMutation = (await loadBillingChanges()).BILLING_MUTATIONS[name];
      if (performMutation === undefined) throw new Error(`${name} has no implementation`);
      return performMutation(context, args);
    },
  };
}

function createWebhookMutation(name: string, storedFields: readonly string[]): ServiceMutationRecord {
  return {
    name,
    kind: 'service',
    objectFields: [],
    idempotency: { storedFields },
    async perform(context, { args }) {
      const runWebhookChange = (await loadWebhookChanges()).WEBHOOK_MUTATIONS[name];
      if (runWebhookChange === undefined) throw new Error(`${name} has no implementation`);
      return runWebhookChange(context, args);
    },
  };
}
