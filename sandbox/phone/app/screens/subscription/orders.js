/** The next orders with skip, its undo, and move. A row changes only when the service has said that it is done. */

import { textFor } from '../../messages/errors.js';
import { howSoon, longDate } from '../../messages/format.js';
import { t } from '../../messages/translate.js';
import { openMoveOrder } from '../../sheets/move-order-sheet.js';
import { skipOrder } from '../../subscriptions/skip-order.js';
import { button, element, setBusy } from '../../ui/element.js';
import { icon } from '../../ui/icon.js';

/** @typedef {import('../../subscriptions/billing-cycles.js').Cycle} Cycle */

/**
 * @param {import('../../subscriptions/load-one.js').FullContract} contract
 * @param {Cycle[]} orders
 * @param {import('./changes.js').Changes} changes
 */
export function ordersList({ id: contractId, nextOrder }, orders, changes) {
  const problem = element('div', { class: 'inline-problem', role: 'alert' });

  /** @param {Cycle} order @param {boolean} skip @param {HTMLButtonElement} control */
  async function change(order, skip, control) {
    problem.replaceChildren();
    setBusy(control, true);
    try {
      await skipOrder(contractId, order, skip);
      const date = longDate(order.billingAttemptExpectedDate);
      const done = changes.after(nameOf(order));
      if (skip)
        await done(t('skippedOn', { date }), { label: t('undo'), run: () => controlOf(order)?.click() });
      else await done(t('backOn', { date }));
    } catch (error) {
      setBusy(control, false);
      const { title, advice } = textFor(error);
      problem.replaceChildren(icon('alert'), element('p', {}, element('strong', {}, title), ' ', advice));
    }
  }

  /** @param {Cycle} order */
  function move(order) {
    problem.replaceChildren();
    openMoveOrder(contractId, order, changes.after(nameOf(order)));
  }

  if (orders.length === 0) return element('p', { class: 'quiet' }, t('noOrdersInYear'));
  const rows = orders.map((order) => {
    const isNext = order.cycleIndex === nextOrder?.cycleIndex;
    return orderRow(order, { isNext, change, move });
  });
  return element('div', {}, element('ol', { class: 'orders' }, ...rows), problem);
}

/** @param {Cycle} order */
function nameOf({ cycleIndex }) {
  return `cycle-${cycleIndex}`;
}

/** The button of an order that is on the page now. @param {Cycle} order @returns {HTMLButtonElement | null} */
function controlOf(order) {
  return document.querySelector(`[data-action="${nameOf(order)}"]`);
}

/**
 * @param {Cycle} order
 * @param {{
 *   isNext: boolean,
 *   change: (order: Cycle, skip: boolean, control: HTMLButtonElement) => void,
 *   move: (order: Cycle) => void,
 * }} options
 */
function orderRow(order, { isNext, change, move }) {
  const { skipped, billingAttemptExpectedDate: date } = order;
  const soon = howSoon(date);
  const note = skipped ? t('skipped') : isNext ? t('nextOrderSoon', { soon }) : soon;
  return element(
    'li',
    { class: `order${skipped ? ' skipped' : ''}${isNext ? ' upcoming' : ''}` },
    element(
      'span',
      { class: 'order-date' },
      element('time', { datetime: date }, longDate(date)),
      element('small', {}, note),
    ),
    element(
      'span',
      { class: 'order-actions' },
      skipButton(order, change),
      skipped
        ? undefined
        : button(t('move'), {
            class: 'plain small',
            'aria-label': t('moveOn', { date: longDate(date) }),
            onClick: () => move(order),
          }),
    ),
  );
}

/** @param {Cycle} order @param {(order: Cycle, skip: boolean, control: HTMLButtonElement) => void} change */
function skipButton(order, change) {
  const { skipped, billingAttemptExpectedDate: date } = order;
  const label = t(skipped ? 'undoSkip' : 'skip');
  const control = button(label, {
    class: skipped ? 'secondary small' : 'plain small',
    'aria-label': t(skipped ? 'undoSkipOn' : 'skipOn', { date: longDate(date) }),
    onClick: () => change(order, !skipped, control),
  });
  control.dataset.action = nameOf(order);
  return control;
}
