/** Moves one order to another day; its time of day stays. */
import { sameTimeOn } from '../messages/store-day.js';
import { change } from './change.js';

const MOVE = `mutation Move($key: String!, $id: ID!, $index: Int!, $date: DateTime!) {
  subscriptionBillingCycleReschedule(contractId: $id, billingCycleIndex: $index, billingDate: $date) @idempotent(key: $key) {
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
  const moved = sameTimeOn(order.billingAttemptExpectedDate, day);
  await change(MOVE, { id, index: order.cycleIndex, date: moved });
  return moved;
}
