/** Changing how often a contract comes: with every kind of trouble, and with both ways a platform takes it. */

import type { ContractRecord } from '../../infra/local/platform/state/contract-records.ts';
import { describeOperation } from './operation-cases.ts';

const QUERY = `mutation ($contractId: ID!, $interval: SubscriptionIntervalInput, $plan: ID, $date: DateTime) {
  subscriptionContractIntervalUpdate(contractId: $contractId, interval: $interval, sellingPlanId: $plan, nextBillingDate: $date) {
    contract { billingPolicy { interval intervalCount } deliveryPolicy { interval intervalCount } }
    droppedEdits { cycleIndex originalDate skipped movedTo reason }
    userErrors { field message code }
  }
}`;
const FORTNIGHT = { interval: 'WEEK', intervalCount: 2 };

const policiesOf = ({ content: { billingPolicy, deliveryPolicy } }: ContractRecord) =>
  [billingPolicy, deliveryPolicy].map(({ interval, intervalCount }) => `${intervalCount} ${interval}`);

describeOperation('subscriptionContractIntervalUpdate', {
  query: QUERY,
  variables: () => ({ interval: FORTNIGHT }),
  contractArgument: 'contractId',
  fact: policiesOf,
  after: ['2 WEEK', '2 WEEK'],
  payload: { contract: { billingPolicy: FORTNIGHT, deliveryPolicy: FORTNIGHT }, droppedEdits: [] },
  changesBy: 'subscriptionDraftCommit',
  // Customers are bound by what the plans of the lines offer: one look at them.
  requests: { change: { customer: 5, store: 4, 'store for a customer': 5 }, repeat: 2 },
  action: 'subscription_interval_updated',
});
