/** The mutations that charge orders. */
import { cycleDetails, forwardedMutation, intentOf, onContract } from './forwarded-mutation.ts';
import { serviceMutation } from './service-mutation.ts';

export const charges = [
  serviceMutation({
    name: 'subscriptionBillingCycleCharge',
    objects: ['subscriptionBillingAttempt', 'contract'],
    operation: async () =>
      (await import('../../lib/subscriptions/charge/charge-billing-cycle.ts')).chargeBillingCycle,
  }),
  forwardedMutation({
    name: 'subscriptionBillingAttemptCreate',
    objects: ['subscriptionBillingAttempt'],
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    cycle: ({ subscriptionContractId: contractId, subscriptionBillingAttemptInput: input }) =>
      input.billingCycleSelector && { contractId, selector: input.billingCycleSelector },
    makesAttempt: true,
    intentsOf: ({ subject, cycle }, { subscriptionBillingAttemptInput: { idempotencyKey } }) =>
      onContract(subject, 'billing_cycle_charged', { details: { ...cycleDetails(cycle), idempotencyKey } }),
  }),
  forwardedMutation({
    name: 'subscriptionBillingCycleBulkCharge',
    objects: ['job'],
    reads: 'nothing',
    makesJob: true,
    intentsOf: (_seen, { billingAttemptExpectedDateRange: { startDate, endDate } }) => [
      intentOf('billing_cycles_charged', null, { details: { startDate, endDate } }),
    ],
  }),
];
