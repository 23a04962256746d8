/** Moves one order to another day; its time of day stays. */
import { change } from './change.js';

const MOVE = `mutation Move($id: ID!, $index: Int!, $date: DateTime!) {
  subscriptionBillingCycleReschedule(contractId: $id, billingCycleIndex: $index, billingDate: $date) {
    billingCycle { cycleIndex }
    userErrors { field message }
  }
}`;

/**
 * @param {string} id The contract's.
 * @param {import('./billing-cycles.js').Cycle} order
 * @param {string} day As a date field gives it: 2027-01-31.
 */
export async function moveOrder(id, order, day) {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moved = new Date(order.billingAttemptExpectedDate);
  moved.setFullYear(year, month - 1, date);
  await change(MOVE, { id, index: order.cycleIndex, date: moved.toISOString() });
  return moved.toISOString();
}
