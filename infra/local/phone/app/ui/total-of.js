/** What is paid: for the next order, as the service tells it; else for each order, delivery included. */
import { total } from '../words/format.js';
import { say } from '../words/say.js';

/** @param {import('../subscriptions/load-list.js').Contract} contract */
export function totalOf({ lines, deliveryPrice, nextOrder }) {
  if (nextOrder?.total) return { label: say('nextOrderTotal'), amount: nextOrder.total };
  const parts = lines.nodes.map(({ lineDiscountedPrice }) => lineDiscountedPrice);
  return { label: say('total'), amount: total([...parts, deliveryPrice]) };
}
