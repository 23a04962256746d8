/** The mutations that charge orders. */
import type { ForwardedChange } from '../plan/forwarded-change.ts';
import {
  createContractIntent,
  createForwardedMutation,
  createIntent,
  toCycleDetails,
} from './forwarded-mutation.ts';
import { createServiceMutation } from './service-mutation.ts';

/** Loaded on demand, because merchants' servers alone send these mutations. */
const rejectWhileServiceBills: ForwardedChange['readRefusal'] = async (context) =>
  (await import('../roots/billing/reject-while-service-bills.ts')).rejectWhileServiceBills(context);

const rejectSecondAttempt: ForwardedChange['readAttemptRefusal'] = async (context, order) =>
  (await import('../roots/billing/reject-while-service-bills.ts')).rejectSecondAttempt(context, order);

export const CHARGE_MUTATIONS = [
  createServiceMutation({
    name: 'subscriptionBillingCycleCharge',
    objectFields: ['subscriptionBillingAttempt', 'contract'],
    operation: async () =>
      (await import('../../lib/subscriptions/charge/charge-billing-cycle.ts')).chargeBillingCycle,
  }),
  createForwardedMutation({
    name: 'subscriptionBillingAttemptCreate',
    objectFields: ['subscriptionBillingAttempt'],
    readRefusal: rejectWhileServiceBills,
    readAttemptRefusal: rejectSecondAttempt,
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    cycle: ({ subscriptionContractId: contractId, subscriptionBillingAttemptInput: input }) =>
      input.billingCycleSelector && { contractId, selector: input.billingCycleSelector },
    makesAttempt: true,
    intentsOf: ({ subject, cycle }, { subscriptionBillingAttemptInput: { idempotencyKey } }) =>
      createContractIntent(subject, 'billing_cycle_charged', {
        details: { ...toCycleDetails(cycle), idempotencyKey },
      }),
  }),
  createForwardedMutation({
    name: 'subscriptionBillingCycleBulkCharge',
    objectFields: ['job'],
    readRefusal: rejectWhileServiceBills,
    reads: 'nothing',
    makesJob: true,
    intentsOf: (_priorState, { billingAttemptExpectedDateRange: { startDate, endDate } }) => [
      createIntent('billing_cycles_charged', null, { details: { startDate, endDate } }),
    ],
  }),
];
