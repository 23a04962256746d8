/** The next orders with skip and its undo. A row changes only when the service has said that it is done. */
import { loadOrders } from '../subscriptions/load-one.js';
import { skipOrder } from '../subscriptions/skip-order.js';
import { wordsFor } from '../words/errors.js';
import { howSoon, longDate } from '../words/format.js';
import { button, element, setBusy } from './element.js';
import { icon } from './icon.js';
import { showToast } from './toast.js';

/** @typedef {import('../subscriptions/billing-cycles.js').Cycle} Cycle */

/** @param {string} contractId @param {Cycle[]} orders */
export function ordersList(contractId, orders) {
  const list = element('ol', { class: 'orders' });
  const problem = element('div', { class: 'inline-problem', role: 'alert' });

  /** @param {Cycle} order @param {boolean} skip @param {HTMLButtonElement} control */
  async function change(order, skip, control) {
    problem.replaceChildren();
    setBusy(control, true);
    try {
      await skipOrder(contractId, order, skip);
      await redraw(order.cycleIndex);
      const date = longDate(order.billingAttemptExpectedDate);
      if (skip) showToast(`Skipped ${date}.`, { label: 'Undo', run: () => undo(order) });
      else showToast(`${date} is on again.`);
    } catch (error) {
      setBusy(control, false);
      const { title, advice } = wordsFor(error);
      problem.replaceChildren(icon('alert'), element('p', {}, element('strong', {}, title), ' ', advice));
    }
  }

  /** @param {Cycle} order */
  function undo(order) {
    const control = controlOf(order.cycleIndex);
    if (control !== null) void change(order, false, control);
  }

  /** Shows what the service now says, and keeps the focus on the order that was changed. @param {number} cycleIndex */
  async function redraw(cycleIndex) {
    draw(await loadOrders(contractId));
    controlOf(cycleIndex)?.focus();
  }

  /** @param {number} cycleIndex @returns {HTMLButtonElement | null} */
  function controlOf(cycleIndex) {
    return list.querySelector(`[data-cycle="${cycleIndex}"] button`);
  }

  /** @param {Cycle[]} current */
  function draw(current) {
    const next = current.find(({ skipped }) => !skipped);
    list.replaceChildren(...current.map((order) => orderRow(order, { isNext: order === next, change })));
  }

  draw(orders);
  if (orders.length > 0) return element('div', {}, list, problem);
  return element('p', { class: 'quiet' }, 'No order is planned within a year.');
}

/**
 * @param {Cycle} order
 * @param {{ isNext: boolean, change: (order: Cycle, skip: boolean, control: HTMLButtonElement) => void }} options
 */
function orderRow(order, { isNext, change }) {
  const { cycleIndex, skipped, billingAttemptExpectedDate: date } = order;
  const note = skipped ? 'Skipped' : `${isNext ? 'Next order · ' : ''}${howSoon(date)}`;
  return element(
    'li',
    { class: `order${skipped ? ' skipped' : ''}${isNext ? ' upcoming' : ''}`, 'data-cycle': `${cycleIndex}` },
    element(
      'span',
      { class: 'order-date' },
      element('time', { datetime: date }, longDate(date)),
      element('small', {}, note),
    ),
    button(skipped ? 'Undo skip' : 'Skip', {
      class: skipped ? 'secondary small' : 'plain small',
      'aria-label': `${skipped ? 'Undo the skip of' : 'Skip'} ${longDate(date)}`,
      onClick: (control) => change(order, !skipped, control),
    }),
  );
}
