/** One subscription with its next orders. */

import { keepStoreZone } from '../messages/store-day.js';
import { execute } from '../session/graphql.js';
import { comingOrders } from './billing-cycles.js';
import { ONE } from './documents.js';
import { keepEntry } from './load-list.js';

/**
 * @typedef {{
 *   firstName: string | null, lastName: string | null, address1: string | null, address2: string | null,
 *   city: string | null, zip: string | null, provinceCode: string | null, countryCodeV2: string | null,
 *   phone: string | null, formatted: string[],
 * }} Address
 * @typedef {{ __typename: string, address?: Address, shippingOption?: { title: string | null } }} DeliveryMethod
 * @typedef {{ id: string, message: string, createdAt: string, outcome: string }} HistoryEntry
 * @typedef {import('./load-list.js').Contract & {
 *   currentPause: { resumesAt: string | null, reason: string | null } | null,
 *   deliveryMethod: DeliveryMethod | null,
 *   customerPaymentMethod: import('./payment.js').PaymentMethod | null,
 *   events: { nodes: HistoryEntry[], pageInfo: { hasNextPage: boolean } },
 * }} FullContract
 * @typedef {{ contract: FullContract, orders: import('./billing-cycles.js').Cycle[] }} Subscription
 */

/** @param {string} id @param {number} events How much of the history. @returns {Promise<Subscription>} */
export async function loadOne(id, events) {
  const data = await execute(ONE, { id, events });
  keepStoreZone(data.serviceInfo.storeTimeZone);
  const contract = data.subscriptionContract;
  const orders = comingOrders(data.subscriptionBillingCycles);
  keepEntry(contract);
  return { contract, orders };
}
