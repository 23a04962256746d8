/** One subscription in the list. The whole card is one link, read as one sentence. */
import { everyInterval, howSoon, price, shortDate, stateOf } from '../messages/format.js';
import { t } from '../messages/translate.js';
import { element } from './element.js';
import { icon } from './icon.js';
import { picture } from './picture.js';
import { totalOf } from './total-of.js';

/** @param {import('../subscriptions/load-list.js').Contract} contract */
export function subscriptionCard(contract) {
  const lines = contract.lines.nodes;
  const { amount } = totalOf(contract);
  return element(
    'li',
    {},
    element(
      'a',
      { class: 'card', href: `#/subscriptions/${contract.id.split('/').at(-1)}` },
      picture(lines[0]?.variantImage),
      element(
        'span',
        { class: 'card-text' },
        element('strong', {}, titleOf(lines)),
        element(
          'span',
          { class: 'card-price quiet' },
          amount && element('span', { class: 'price' }, price(amount)),
          ` ${everyInterval(contract.deliveryPolicy)}`,
          stateChip(contract),
        ),
        element('span', { class: 'next' }, icon('calendar'), nextText(contract)),
      ),
    ),
  );
}

/** @param {readonly import('../subscriptions/load-list.js').Line[]} lines */
export function titleOf(lines) {
  const [first, ...others] = lines;
  if (first === undefined) return t('subscription');
  return others.length === 0 ? first.title : t('andMore', { title: first.title, count: others.length });
}

/** @param {Parameters<typeof stateOf>[0]} contract */
export function stateChip(contract) {
  const { label, tone } = stateOf(contract);
  return element('span', { class: `chip ${tone}` }, label);
}

/** @param {import('../subscriptions/load-list.js').Contract} contract */
function nextText({ status, nextOrder }) {
  if (status === 'PAUSED') return t('noOrdersPaused');
  if (status !== 'ACTIVE') return t('noMoreOrders');
  if (nextOrder === null) return t('noOrderScheduled');
  return `${shortDate(nextOrder.date)} · ${howSoon(nextOrder.date)}`;
}
