/** Skips an order or takes the skip back. The date that is shown goes along, so no other order can be hit. */
import { execute } from '../service/graphql.js';
import { hasCode, ServiceError } from '../service/service-error.js';
import { SKIP } from './documents.js';
import { loadOrders } from './load-one.js';

/**
 * @param {string} id The contract's.
 * @param {import('./billing-cycles.js').Cycle} order
 * @param {boolean} skip
 */
export async function skipOrder(id, order, skip) {
  const variables = { id, index: order.cycleIndex, skip, date: order.billingAttemptExpectedDate };
  let data;
  try {
    data = await execute(SKIP, variables);
  } catch (error) {
    if (!hasCode(error, 'OUTCOME_UNKNOWN')) throw error;
    // Read before trying again; a repeat that changes nothing is no error.
    const now = (await loadOrders(id)).find(({ cycleIndex }) => cycleIndex === order.cycleIndex);
    if (now?.skipped === skip) return;
    data = await execute(SKIP, variables);
  }
  const [problem] = data.subscriptionBillingCycleSkip.userErrors;
  if (problem !== undefined)
    throw new ServiceError({ code: 'NOT_APPLIED', status: 200, message: problem.message });
}
