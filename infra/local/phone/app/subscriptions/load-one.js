/** One subscription with its next orders, in one request. */
import { execute } from '../service/graphql.js';
import { comingOrders, comingYear, nextOrder } from './billing-cycles.js';
import { ONE, ORDERS } from './documents.js';
import { keepNextDate } from './load-list.js';

/**
 * @typedef {import('./load-list.js').Contract & { deliveryPrice: import('../words/format.js').Money }} FullContract
 * @typedef {{ contract: FullContract, orders: import('./billing-cycles.js').Cycle[] }} Subscription
 */

/** @param {string} id @returns {Promise<Subscription>} */
export async function loadOne(id) {
  const data = await execute(ONE, { id, ...comingYear() });
  return { contract: data.subscriptionContract, orders: comingOrders(data.subscriptionBillingCycles) };
}

/** @param {string} id */
export async function loadOrders(id) {
  const data = await execute(ORDERS, { id, ...comingYear() });
  const orders = comingOrders(data.subscriptionBillingCycles);
  keepNextDate(id, nextOrder(orders)?.billingAttemptExpectedDate);
  return orders;
}
