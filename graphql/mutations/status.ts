/** The mutations of a contract's status, and of its next billing date. */
import { parseInstant } from '../../lib/domain/instant.ts';
import type { EventAction } from '../../lib/timeline/actions.ts';
import type { ObservedContract } from '../plan/forwarded-change.ts';
import { createContractIntent, createForwardedMutation, listFactChange } from './forwarded-mutation.ts';
import { createServiceMutation } from './service-mutation.ts';

export const STATUS_MUTATIONS = [
  createServiceMutation({
    name: 'subscriptionContractActivate',
    objectFields: ['contract'],
    operation: async () =>
      (await import('../../lib/subscriptions/status/activate-contract.ts')).activateContract,
  }),
  createServiceMutation({
    name: 'subscriptionContractCancel',
    objectFields: ['contract'],
    operation: async () => (await import('../../lib/subscriptions/status/cancel-contract.ts')).cancelContract,
  }),
  createServiceMutation({
    name: 'subscriptionContractPause',
    objectFields: ['contract'],
    operation: async () => (await import('../../lib/subscriptions/status/pause-contract.ts')).pauseContract,
  }),
  createServiceMutation({
    name: 'subscriptionContractPaymentRetry',
    objectFields: ['contract'],
    // It changes when billing tries again; the try itself is recorded.
    recordsChanges: false,
    operation: async () =>
      (await import('../../lib/billing/payment/request-payment-retry.ts')).requestPaymentRetry,
  }),
  createStatusMutation('subscriptionContractExpire', 'subscription_expired', 'EXPIRED'),
  createStatusMutation('subscriptionContractFail', 'subscription_failed', 'FAILED'),
  createForwardedMutation({
    name: 'subscriptionContractSetNextBillingDate',
    objectFields: ['contract'],
    reads: 'contract',
    id: ({ contractId }) => contractId,
    intentsOf: ({ subject }, { date }) => {
      const dateChanges = listFactChange(subject as ObservedContract | null, 'nextBillingDate', date);
      const dateDetails = { nextBillingDate: date };
      const isNoOp = dateChanges.every(
        ({ before }) => before !== null && parseInstant(before) === parseInstant(date),
      );
      return isNoOp
        ? []
        : createContractIntent(subject, 'subscription_next_billing_date_updated', {
            details: dateDetails,
            changes: dateChanges,
          });
    },
  }),
];

function createStatusMutation(name: string, action: EventAction, newStatus: string) {
  return createForwardedMutation({
    name,
    objectFields: ['contract'],
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    intentsOf: ({ subject }) => {
      const changes = listFactChange(subject as ObservedContract | null, 'status', newStatus);
      return changes.length === 0 ? [] : createContractIntent(subject, action, { changes });
    },
  });
}
