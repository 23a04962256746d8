/** Skips an order or takes the skip back. The date that is shown goes along, so no other order can be hit. */
import { change } from './change.js';

const SKIP = `mutation Skip($key: String!, $id: ID!, $index: Int!, $skip: Boolean!, $date: DateTime!) {
  subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $index, skip: $skip, expectedDate: $date) @idempotent(key: $key) {
    billingCycle { cycleIndex skipped billingAttemptExpectedDate }
    userErrors { field message }
  }
}`;

/**
 * @param {string} id The contract's.
 * @param {import('./billing-cycles.js').Cycle} order
 * @param {boolean} skip
 */
export async function skipOrder(id, order, skip) {
  const date = order.billingAttemptExpectedDate;
  await change(SKIP, { id, index: order.cycleIndex, skip, date });
}
