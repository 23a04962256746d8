/** Of each mutation that runs our own documents, the payload's fields that hold objects of the platform. */

const CYCLE = ['billingCycle'];
const CYCLE_AND_CONTRACT = ['billingCycle', 'contract'];
const CONTRACT = ['contract'];

export const objectFieldsOf = {
  subscriptionBillingCycleCharge: ['subscriptionBillingAttempt'],
  subscriptionBillingCycleReschedule: CYCLE_AND_CONTRACT,
  subscriptionBillingCycleSkip: CYCLE,
  subscriptionContractDeliveryUpdate: CONTRACT,
  subscriptionContractDiscountCodeApply: CONTRACT,
  subscriptionContractDiscountRemove: CONTRACT,
  subscriptionContractActivate: CONTRACT,
  subscriptionContractCancel: CONTRACT,
  subscriptionContractLinesUpdate: CONTRACT,
  subscriptionContractIntervalUpdate: CONTRACT,
  subscriptionContractNoteUpdate: CONTRACT,
  subscriptionContractPause: CONTRACT,
  subscriptionContractPaymentMethodUpdate: CONTRACT,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ServiceMutationName = keyof typeof objectFieldsOf;
