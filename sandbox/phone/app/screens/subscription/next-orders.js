/** The next orders; or why there are none, with the way back from a pause. */

import { longDate } from '../../messages/format.js';
import { t } from '../../messages/translate.js';
import { resume } from '../../subscriptions/pause.js';
import { button, element, setBusy } from '../../ui/element.js';
import { errorNotice } from '../../ui/notice.js';
import { ordersList } from './orders.js';

/**
 * @typedef {import('../../subscriptions/load-one.js').Subscription} Subscription
 * @typedef {import('./changes.js').Changes} Changes
 */

/** @param {Subscription} subscription @param {Changes} changes */
export function nextOrdersSection({ contract, orders }, changes) {
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'next-orders' },
    element('h2', { id: 'next-orders' }, t('nextOrders')),
    ...orderText({ contract, orders }, changes),
  );
}

/** @param {Subscription} subscription @param {Changes} changes */
function orderText({ contract, orders }, changes) {
  const { id, status, currentPause } = contract;
  if (status === 'ACTIVE') return [ordersList(contract, orders, changes)];
  if (status !== 'PAUSED') return [element('p', { class: 'quiet' }, t('endedNoOrders'))];
  const resumesAt = currentPause?.resumesAt ?? undefined;
  const text =
    resumesAt === undefined ? t('pausedText') : t('pausedUntilText', { date: longDate(resumesAt) });
  return [element('p', { class: 'quiet' }, text), resumeButton(id, changes)];
}

/** @param {string} id @param {Changes} changes */
function resumeButton(id, changes) {
  const problem = element('div', {});
  const control = button(t('resumeNow'), {
    class: 'secondary small',
    onClick: async () => {
      setBusy(control, true);
      try {
        await resume(id);
        await changes.after()(t('activeAgain'));
      } catch (error) {
        setBusy(control, false);
        problem.replaceChildren(errorNotice(error));
      }
    },
  });
  control.dataset.action = 'resume';
  return element('div', { class: 'ends' }, control, problem);
}
