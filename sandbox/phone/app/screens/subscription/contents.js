/** The content of each order with its prices; each line has a button that changes it. */

import { price } from '../../messages/format.js';
import { t } from '../../messages/translate.js';
import { openAddLine } from '../../sheets/add-line-sheet.js';
import { openLine } from '../../sheets/line-sheet.js';
import { button, element } from '../../ui/element.js';
import { totalOf } from '../../ui/total-of.js';

/**
 * @typedef {import('../../subscriptions/load-one.js').FullContract} FullContract
 * @typedef {import('./changes.js').Changes} Changes
 */

/**
 * @param {FullContract} contract
 * @param {Changes | undefined} changes Undefined when the subscription has ended.
 */
export function contentsSection(contract, changes) {
  const { lines, deliveryPrice } = contract;
  const { label, amount: sum } = totalOf(contract);
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'in-each-order' },
    element('h2', { id: 'in-each-order' }, t('inEachOrder')),
    element(
      'ul',
      { class: 'rows' },
      ...lines.nodes.map((line) => lineRow(contract, line, changes)),
      priceRow(t('delivery'), deliveryPrice),
      sum && priceRow(label, sum, 'total'),
    ),
    changes && addButton(contract, changes),
  );
}

/**
 * @param {FullContract} contract
 * @param {import('../../subscriptions/load-list.js').Line} line
 * @param {Changes | undefined} changes
 */
function lineRow(contract, line, changes) {
  const { title, variantTitle, quantity, lineDiscountedPrice } = line;
  const row = element(
    'li',
    { class: 'row' },
    element(
      'span',
      {},
      `${quantity} × ${title}`,
      variantTitle ? element('small', {}, variantTitle) : undefined,
    ),
    element('span', { class: 'price' }, amount(lineDiscountedPrice)),
  );
  if (changes !== undefined) {
    const control = button(t('change'), {
      class: 'plain small',
      'aria-label': t('changeThis', { title }),
      onClick: () => openLine(contract, line, changes.after(line.id)),
    });
    control.dataset.action = line.id;
    row.append(control);
  }
  return row;
}

/** @param {FullContract} contract @param {Changes} changes */
function addButton(contract, changes) {
  const control = button(t('addProduct'), {
    class: 'secondary small',
    onClick: () => openAddLine(contract, changes.after('add')),
  });
  control.dataset.action = 'add';
  return control;
}

/** @param {string} label @param {import('../../messages/format.js').Money} money @param {string} [name] */
function priceRow(label, money, name = '') {
  return element(
    'li',
    { class: `row ${name}` },
    element('span', {}, label),
    element('span', { class: 'price' }, amount(money)),
  );
}

/** @param {import('../../messages/format.js').Money} money */
function amount(money) {
  return Number(money.amount) === 0 ? t('free') : price(money);
}
