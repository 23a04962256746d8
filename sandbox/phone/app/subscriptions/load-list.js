/** The customer's subscriptions page by page, kept while the app is open so that going back is instant. */

import { keepStoreZone } from '../messages/store-day.js';
import { execute } from '../session/graphql.js';
import { signedIn } from '../session/sessions.js';
import { LIST } from './documents.js';

const PAGE = 10;

/**
 * @typedef {import('../messages/format.js').Money} Money
 * @typedef {{
 *   id: string, title: string, variantTitle: string | null, quantity: number,
 *   variantImage: { url: string } | null, lineDiscountedPrice: Money,
 *   variantId?: string | null, currentPrice?: Money,
 * }} Line
 * @typedef {{
 *   id: string, status: string, lastPaymentStatus: string | null, lines: { nodes: Line[] },
 *   deliveryPolicy: { interval: string, intervalCount: number }, deliveryPrice: Money,
 *   nextOrder: { date: string, cycleIndex: number, total: Money | null } | null,
 * }} Contract
 * @typedef {{ firstName: string | null, entries: Contract[], after: string | undefined }} List
 *   `after`: where the next page begins, if there is one.
 */

/** @type {List | undefined} */
let stored;
/** Counts the customers: an answer for the one before is never kept for the next. */
let cachedEpoch = 0;

export function cachedList() {
  return stored;
}

export function clearList() {
  stored = undefined;
  cachedEpoch += 1;
}

/** Loads the first page, or the one after what is kept. @returns {Promise<List>} */
export async function loadNextPage() {
  const customer = `gid://platform/Customer/${signedIn()?.customerId}`;
  const earlier = stored;
  const requestedCursor = cachedEpoch;
  const data = await execute(LIST, { customer, first: PAGE, after: earlier?.after ?? null });
  keepStoreZone(data.serviceInfo.storeTimeZone);
  const { nodes, pageInfo } = data.customer.subscriptionContracts;
  const list = {
    firstName: data.customer.firstName,
    entries: [...(earlier?.entries ?? []), ...nodes],
    after: pageInfo.hasNextPage ? pageInfo.endCursor : undefined,
  };
  if (requestedCursor === cachedEpoch) stored = list;
  return list;
}

/** Puts a subscription as it is now into the list that is kept. @param {Contract} contract */
export function keepEntry(contract) {
  const entry = stored?.entries.find((one) => one.id === contract.id);
  if (entry !== undefined) Object.assign(entry, contract);
}
