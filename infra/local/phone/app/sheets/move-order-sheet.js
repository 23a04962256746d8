/** Moves one order: a day is asked for. */
import { moveOrder } from '../subscriptions/move-order.js';
import { element } from '../ui/element.js';
import { textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { longDate } from '../words/format.js';
import { dayOf } from '../words/store-day.js';

const DAY_MS = 86_400_000;

/**
 * @param {string} contractId
 * @param {import('../subscriptions/billing-cycles.js').Cycle} order
 * @param {(words: string) => Promise<void>} changed
 */
export function openMoveOrder(contractId, order, changed) {
  const { billingAttemptExpectedDate: date } = order;
  openSheet({
    title: 'Move this order',
    content: [
      element(
        'p',
        { class: 'quiet' },
        `Currently scheduled for ${longDate(date)}. Later orders keep their dates.`,
      ),
      textField('New date', {
        name: 'day',
        type: 'date',
        required: true,
        value: dayOf(Date.parse(date)),
        min: dayOf(Date.now() + DAY_MS),
      }),
    ],
    action: 'Move order',
    done: changed,
    run: async (form) => {
      const moved = await moveOrder(contractId, order, `${form.get('day')}`);
      return `Order moved to ${longDate(moved)}.`;
    },
  });
}
