/** What is in each order: how many, what instead, what more. Each change is one commit at the service. */
import { execute } from '../session/graphql.js';
import { change } from './change.js';
import { LINE_OPTIONS } from './documents.js';

const LINES = `mutation Lines($key: String!, $id: ID!, $add: [SubscriptionLineAddInput!], $update: [SubscriptionLineChangeInput!], $remove: [ID!]) {
  subscriptionContractLinesUpdate(contractId: $id, add: $add, update: $update, remove: $remove) @idempotent(key: $key) {
    contract { id }
    userErrors { field message }
  }
}`;

const MOST_PAGES = 4;

/**
 * @typedef {{
 *   productVariant: { id: string, title: string }, product: { title: string, featuredMedia: { preview: { image: { url: string } | null } | null } | null },
 *   sellingPlan: { id: string } | null,
 *   currentPrice: import('../words/format.js').Money, availableForSale: boolean,
 * }} LineOption
 */

/** @param {string} id @param {string} lineId @param {{ quantity: number, productVariantId: string | undefined }} line */
export async function changeLine(id, lineId, { quantity, productVariantId }) {
  await change(LINES, { id, update: [{ lineId, quantity, productVariantId }] });
}

/** @param {string} id @param {string} lineId */
export async function removeLine(id, lineId) {
  await change(LINES, { id, remove: [lineId] });
}

/** @param {string} id @param {LineOption} option @param {number} quantity */
export async function addLine(id, { productVariant, sellingPlan }, quantity) {
  const line = { productVariantId: productVariant.id, quantity, sellingPlanId: sellingPlan?.id };
  await change(LINES, { id, add: [line] });
}

/**
 * What a line can be swapped for, or without a line what can be added; what is in the orders already is left out.
 * @param {{ id: string, lines: { nodes: import('./load-list.js').Line[] } }} contract
 * @param {string} [lineId]
 */
export async function loadLineOptions({ id, lines }, lineId) {
  /** @type {LineOption[]} */
  const options = [];
  /** @type {string | undefined} */
  let after;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { subscriptionLineOptions: connection } = await execute(LINE_OPTIONS, { id, line: lineId, after });
    options.push(...connection.nodes);
    if (!connection.pageInfo.hasNextPage) break;
    after = connection.pageInfo.endCursor;
  }
  const present = new Set(lines.nodes.map(({ variantId }) => variantId));
  return options.filter((one) => one.availableForSale && !present.has(one.productVariant.id));
}
