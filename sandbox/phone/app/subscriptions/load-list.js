/** The customer's subscriptions page by page, kept while the app is open so that going back is instant. */

import { keepStoreZone } from '../messages/store-day.js';
import { readCompletely } from '../session/graphql.js';

const PAGE = 10;

/**
 * @typedef {import('../messages/format.js').Money} Money
 * @typedef {{
 *   id: string, title: string, variantTitle: string | null, quantity: number,
 *   variantImage: { url: string } | null, lineDiscountedPrice: Money,
 *   variantId?: string | null, currentPrice?: Money,
 * }} Line
 * @typedef {{
 *   id: string, status: string, lastPaymentStatus: string | null, lines: { nodes: readonly Line[] },
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

/** Loads the first page with all that the first screen shows, or the page after the cached ones. @returns {Promise<List>} */
export async function loadNextPage() {
  const earlier = stored;
  const requestedCursor = cachedEpoch;
  const { firstName, nodes, pageInfo } =
    earlier === undefined ? await readHome() : await readPageAfter(earlier);
  const list = {
    firstName,
    entries: [...(earlier?.entries ?? []), ...nodes],
    after: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
  if (requestedCursor === cachedEpoch) stored = list;
  return list;
}

async function readHome() {
  const { customer, subscriptions, store } = await readCompletely((client) => client.home({ first: PAGE }));
  if (store !== null) keepStoreZone(store.storeTimeZone);
  return { firstName: customer.firstName, ...subscriptions };
}

/** @param {List} earlier */
async function readPageAfter({ firstName, after }) {
  const page = await readCompletely((client) =>
    client.subscriptions.list({ first: PAGE, after: after ?? null }),
  );
  return { firstName, ...page };
}

/** Puts a subscription as it is now into the list that is kept. @param {Contract} contract */
export function keepEntry(contract) {
  const entry = stored?.entries.find((one) => one.id === contract.id);
  if (entry !== undefined) Object.assign(entry, contract);
}
