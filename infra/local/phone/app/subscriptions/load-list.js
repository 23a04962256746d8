/** The customer's subscriptions page by page, kept while the app is open so that going back is instant. */
import { execute } from '../service/graphql.js';
import { readSession } from '../session/session-store.js';
import { comingOrders, comingYear, nextOrder } from './billing-cycles.js';
import { LIST, nextOrdersDocument } from './documents.js';

const PAGE = 10;

/**
 * @typedef {import('../words/format.js').Money} Money
 * @typedef {{
 *   id: string, title: string, variantTitle: string | null, quantity: number,
 *   variantImage: { url: string } | null, lineDiscountedPrice: Money, variantId?: string | null,
 * }} Line
 * @typedef {{
 *   id: string, status: string, lastPaymentStatus: string | null, lines: { nodes: Line[] },
 *   deliveryPolicy: { interval: string, intervalCount: number },
 * }} Contract
 * @typedef {{ contract: Contract, nextDate: string | undefined }} ListEntry
 * @typedef {{ firstName: string | null, entries: ListEntry[], after: string | undefined }} List
 *   `after`: where the next page begins, if there is one.
 */

/** @type {List | undefined} */
let kept;
/** Counts the customers: an answer for the one before is never kept for the next. */
let keptFor = 0;

export function keptList() {
  return kept;
}

export function forgetList() {
  kept = undefined;
  keptFor += 1;
}

/** Loads the first page, or the one after what is kept. @returns {Promise<List>} */
export async function loadNextPage() {
  const customer = `gid://platform/Customer/${readSession()?.customerId}`;
  const earlier = kept;
  const asked = keptFor;
  const data = await execute(LIST, { customer, first: PAGE, after: earlier?.after ?? null });
  const { nodes, pageInfo } = data.customer.subscriptionContracts;
  const list = {
    firstName: data.customer.firstName,
    entries: [...(earlier?.entries ?? []), ...(await withNextDates(nodes))],
    after: pageInfo.hasNextPage ? pageInfo.endCursor : undefined,
  };
  if (asked === keptFor) kept = list;
  return list;
}

/** Puts a subscription as it is now into the list that is kept. @param {ListEntry} entry */
export function keepEntry({ contract, nextDate }) {
  const entry = kept?.entries.find((one) => one.contract.id === contract.id);
  if (entry !== undefined) Object.assign(entry, { contract, nextDate });
}

/** @param {Contract[]} contracts @returns {Promise<ListEntry[]>} */
async function withNextDates(contracts) {
  const active = contracts.filter(({ status }) => status === 'ACTIVE');
  const ids = Object.fromEntries(active.map(({ id }, number) => [`c${number}`, id]));
  const data =
    active.length === 0 ? {} : await execute(nextOrdersDocument(active.length), { ...ids, ...comingYear() });
  const dates = new Map(active.map(({ id }, number) => [id, nextOrder(comingOrders(data[`c${number}`]))]));
  return contracts.map((contract) => ({
    contract,
    nextDate: dates.get(contract.id)?.billingAttemptExpectedDate,
  }));
}
