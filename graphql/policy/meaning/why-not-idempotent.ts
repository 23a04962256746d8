/**
 * The mutations that take a key (`@idempotent`). All of the service's own do. Of those that are only forwarded, the ones
 * whose change the timeline tells, so that a lost answer can be settled, and whose payload is objects that can be read again.
 */
import { fieldPolicy } from '../../schema/field-policy.ts';

/** The fields of the payload that are read again. */
const FORWARDED: Readonly<Record<string, readonly string[]>> = {
  // Its arguments name the address.
  customerAddressUpdate: ['address'],
  // The customer is the payment method's.
  customerPaymentMethodSendUpdateEmail: ['customer'],
  // The attempt's id is kept.
  subscriptionBillingAttemptCreate: ['subscriptionBillingAttempt'],
  // The job's id is kept.
  subscriptionBillingCycleBulkCharge: ['job'],
  // Their arguments name the cycle.
  subscriptionBillingCycleScheduleEdit: ['billingCycle'],
  subscriptionBillingCycleUnskip: ['billingCycle'],
  // The contract's id is kept.
  subscriptionContractAtomicCreate: ['contract'],
  subscriptionDraftCommit: ['contract'],
  // Their arguments name the contract.
  subscriptionContractExpire: ['contract'],
  subscriptionContractFail: ['contract'],
  subscriptionContractSetNextBillingDate: ['contract'],
};

/** Mutations whose change is told, and which take no key all the same. */
const UNREADABLE: Readonly<Record<string, string>> = {
  customerPaymentMethodRevoke: 'it answers an id alone, and a repeat revokes nothing more',
  subscriptionBillingCycleContractDraftCommit: 'the contract of a single order has no id to read it by',
  subscriptionBillingCycleEditDelete: 'it answers a list of orders, and a repeat deletes nothing more',
  subscriptionBillingCycleEditsDelete: 'it answers a list of orders, and a repeat deletes nothing more',
  subscriptionContractProductChange: 'the line that it answers cannot be read by itself',
};
const NOT_RECORDED = 'no timeline tells its change, so nobody could say what came of the first';

/** Why this mutation takes no key; undefined: it does. */
export function whyNotIdempotent(name: string): string | undefined {
  if (fieldPolicy('Mutation', name)?.isService || Object.hasOwn(FORWARDED, name)) return undefined;
  return Object.hasOwn(UNREADABLE, name) ? UNREADABLE[name] : NOT_RECORDED;
}

/** The fields of a forwarded mutation's payload that are read again for a repeat. */
export function readAgainOf(name: string): readonly string[] {
  return (Object.hasOwn(FORWARDED, name) ? FORWARDED[name] : undefined) ?? [];
}
