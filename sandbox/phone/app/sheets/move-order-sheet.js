/** Moves one order to a day of its billing cycle. An order that was not moved is due at the cycle's end: it cannot come later. */

import { longDate } from '../messages/format.js';
import { dayOf } from '../messages/store-day.js';
import { t } from '../messages/translate.js';
import { moveOrder } from '../subscriptions/move-order.js';
import { element } from '../ui/element.js';
import { textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';

const DAY_MS = 86_400_000;

/**
 * @param {string} contractId
 * @param {import('../subscriptions/billing-cycles.js').Cycle} order
 * @param {(text: string) => Promise<void>} changed
 */
export function openMoveOrder(contractId, order, changed) {
  const { billingAttemptExpectedDate: date, cycleEndAt } = order;
  openSheet({
    title: t('moveThisOrder'),
    content: [
      element(
        'p',
        { class: 'quiet' },
        t('scheduledFor', { date: longDate(date), latest: longDate(cycleEndAt) }),
      ),
      textField(t('newDate'), {
        name: 'day',
        type: 'date',
        required: true,
        value: dayOf(Date.parse(date)),
        min: dayOf(Date.now() + DAY_MS),
        max: dayOf(Date.parse(cycleEndAt)),
      }),
    ],
    action: t('moveOrder'),
    done: changed,
    run: async (form) => {
      const moved = await moveOrder(contractId, order, `${form.get('day')}`);
      return t('movedTo', { date: longDate(moved) });
    },
  });
}
