/** One subscription: what is in it, what it costs, and its next orders. */
import { loadOne } from '../subscriptions/load-one.js';
import { stateChip, titleOf } from '../ui/card.js';
import { element } from '../ui/element.js';
import { icon } from '../ui/icon.js';
import { errorNotice } from '../ui/notice.js';
import { ordersList } from '../ui/orders.js';
import { picture } from '../ui/picture.js';
import { skeleton } from '../ui/skeleton.js';
import { everyInterval, price, total } from '../words/format.js';

const MOST_PICTURES = 3;

/** @typedef {import('../subscriptions/load-one.js').FullContract} FullContract */

/** @param {import('../router.js').Visit} visit @returns {import('../router.js').View} */
export function subscriptionScreen({ match, signal }) {
  const id = `gid://platform/SubscriptionContract/${match}`;
  const heading = element('h1', {}, 'Subscription');
  const body = element('div', { class: 'sections' });

  async function load() {
    body.replaceChildren(skeleton(3));
    try {
      const { contract, orders } = await loadOne(id);
      if (signal.aborted) return;
      heading.textContent = titleOf(contract.lines.nodes);
      document.title = `${heading.textContent} · Pantry`;
      body.replaceChildren(summary(contract), ordersSection(contract, orders), content(contract));
    } catch (error) {
      if (!signal.aborted) body.replaceChildren(errorNotice(error, { retry: load }));
    }
  }
  void load();
  return {
    title: 'Subscription',
    tab: 'subscriptions',
    content: element(
      'div',
      { class: 'screen' },
      element(
        'div',
        { class: 'heading' },
        element('a', { class: 'back', href: '#/subscriptions' }, icon('back'), 'Subscriptions'),
        heading,
      ),
      body,
    ),
  };
}

/** @param {FullContract} contract */
function summary(contract) {
  return element(
    'div',
    { class: 'summary' },
    element(
      'div',
      { class: 'pictures' },
      ...contract.lines.nodes.slice(0, MOST_PICTURES).map(({ variantImage }) => picture(variantImage)),
    ),
    element(
      'p',
      {},
      stateChip(contract),
      element(
        'span',
        { class: 'summary-interval' },
        icon('truck'),
        `Delivered ${everyInterval(contract.deliveryPolicy)}`,
      ),
    ),
  );
}

/** @param {FullContract} contract @param {import('../subscriptions/billing-cycles.js').Cycle[]} orders */
function ordersSection(contract, orders) {
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'next-orders' },
    element('h2', { id: 'next-orders' }, 'Next orders'),
    contract.status === 'ACTIVE'
      ? ordersList(contract.id, orders)
      : element('p', { class: 'quiet' }, idleWords(contract.status)),
  );
}

/** @param {string} status */
function idleWords(status) {
  if (status === 'PAUSED') return 'This subscription is paused. Nothing is sent or charged meanwhile.';
  return 'This subscription sends no more orders.';
}

/** @param {FullContract} contract */
function content({ lines, deliveryPrice }) {
  const items = lines.nodes.map(({ title, variantTitle, quantity, lineDiscountedPrice }) =>
    priceRow({ label: `${quantity} × ${title}`, detail: variantTitle, money: lineDiscountedPrice }),
  );
  const sum = total([...lines.nodes.map((line) => line.lineDiscountedPrice), deliveryPrice]);
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'in-each-order' },
    element('h2', { id: 'in-each-order' }, 'In each order'),
    element(
      'ul',
      { class: 'rows' },
      ...items,
      priceRow({ label: 'Delivery', money: deliveryPrice }),
      sum && priceRow({ label: 'Total', money: sum, class: 'total' }),
    ),
  );
}

/**
 * @param {{ label: string, detail?: string | null, money: import('../words/format.js').Money, class?: string }} row
 */
function priceRow({ label, detail, money, class: name }) {
  return element(
    'li',
    { class: `row ${name ?? ''}` },
    element('span', {}, label, detail ? element('small', {}, detail) : undefined),
    element('span', { class: 'price' }, Number(money.amount) === 0 ? 'Free' : price(money)),
  );
}
