/** Skips an order or takes the skip back. The date that is shown goes along, so no other order can be hit. */
import { hasCode } from '../service/service-error.js';
import { change } from './change.js';
import { loadOrders } from './load-one.js';

const SKIP = `mutation Skip($id: ID!, $index: Int!, $skip: Boolean!, $date: DateTime!) {
  subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $index, skip: $skip, expectedDate: $date) {
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
  const variables = { id, index: order.cycleIndex, skip, date: order.billingAttemptExpectedDate };
  try {
    await change(SKIP, variables);
  } catch (error) {
    if (!hasCode(error, 'OUTCOME_UNKNOWN')) throw error;
    // Read before trying again; a repeat that changes nothing is no error.
    const now = (await loadOrders(id)).find(({ cycleIndex }) => cycleIndex === order.cycleIndex);
    if (now?.skipped !== skip) await change(SKIP, variables);
  }
}
