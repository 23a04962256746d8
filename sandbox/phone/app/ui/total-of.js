/** The total to pay: for the next order, from the service; otherwise for each order, including delivery. */
import { total } from '../messages/format.js';
import { t } from '../messages/translate.js';

/** @param {import('../subscriptions/load-list.js').Contract} contract */
export function totalOf({ lines, deliveryPrice, nextOrder }) {
  if (nextOrder?.total) return { label: t('nextOrderTotal'), amount: nextOrder.total };
  const parts = lines.nodes.map(({ lineDiscountedPrice }) => lineDiscountedPrice);
  return { label: t('total'), amount: total([...parts, deliveryPrice]) };
}
