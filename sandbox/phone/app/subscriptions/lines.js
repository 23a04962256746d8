/** The lines of each order: change the quantity, swap, add. Each change is one commit in the service. */
import { execute } from '../session/graphql.js';
import { changeOrChoose } from './change.js';
import { LINE_OPTIONS } from './documents.js';

const LINES = `mutation Lines($key: String!, $id: ID!, $add: [SubscriptionLineAddInput!], $update: [SubscriptionLineChangeInput!], $remove: [ID!], $option: String) {
  subscriptionContractLinesUpdate(contractId: $id, add: $add, update: $update, remove: $remove, optionCode: $option) @idempotent(key: $key) {
    contract { id }
    deliveryOptions { code title price { amount currencyCode } }
    userErrors { field message code }
  }
}`;

const MAX_PAGES = 4;

/**
 * @typedef {{
 *   productVariant: { id: string, title: string }, product: { title: string, featuredMedia: { preview: { image: { url: string } | null } | null } | null },
 *   sellingPlan: { id: string } | null,
 *   currentPrice: import('../messages/format.js').Money, availableForSale: boolean,
 * }} LineOption
 */

// Each function returns the delivery options to choose from when the current one is no longer offered; otherwise it
// makes the change.

/**
 * @param {string} id
 * @param {{ lineId: string, quantity: number, productVariantId: string | undefined }} update
 * @param {string | undefined} option
 */
export function changeLine(id, update, option) {
  return changeOrChoose(LINES, { id, update: [update], option });
}

/** @param {string} id @param {string} lineId @param {string | undefined} option */
export function removeLine(id, lineId, option) {
  return changeOrChoose(LINES, { id, remove: [lineId], option });
}

/**
 * @param {string} id
 * @param {LineOption & { quantity: number }} added
 * @param {string | undefined} option
 */
export function addLine(id, { productVariant, sellingPlan, quantity }, option) {
  const line = { productVariantId: productVariant.id, quantity, sellingPlanId: sellingPlan?.id };
  return changeOrChoose(LINES, { id, add: [line], option });
}

/**
 * Returns the options for swapping a line, or for adding one when no line is given, without products that are already
 * in the orders.
 * @param {{ id: string, lines: { nodes: readonly import('./load-list.js').Line[] } }} contract
 * @param {string} [lineId]
 */
export async function loadLineOptions({ id, lines }, lineId) {
  /** @type {LineOption[]} */
  const options = [];
  /** @type {string | undefined} */
  let after;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { subscriptionLineOptions: connection } = await execute(LINE_OPTIONS, { id, line: lineId, after });
    options.push(...connection.nodes);
    if (!connection.pageInfo.hasNextPage) break;
    after = connection.pageInfo.endCursor;
  }
  const present = new Set(lines.nodes.map(({ variantId }) => variantId));
  return options.filter((one) => one.availableForSale && !present.has(one.productVariant.id));
}
