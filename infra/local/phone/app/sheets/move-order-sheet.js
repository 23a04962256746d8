/** Moves one order to a day of its billing cycle. An order that was not moved is due at the cycle's end: it cannot come later. */
import { moveOrder } from '../subscriptions/move-order.js';
import { element } from '../ui/element.js';
import { textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { longDate } from '../words/format.js';
import { say } from '../words/say.js';
import { dayOf } from '../words/store-day.js';

const DAY_MS = 86_400_000;

/**
 * @param {string} contractId
 * @param {import('../subscriptions/billing-cycles.js').Cycle} order
 * @param {(words: string) => Promise<void>} changed
 */
export function openMoveOrder(contractId, order, changed) {
  const { billingAttemptExpectedDate: date, cycleEndAt } = order;
  openSheet({
    title: say('moveThisOrder'),
    content: [
      element(
        'p',
        { class: 'quiet' },
        say('scheduledFor', { date: longDate(date), latest: longDate(cycleEndAt) }),
      ),
      textField(say('newDate'), {
        name: 'day',
        type: 'date',
        required: true,
        value: dayOf(Date.parse(date)),
        min: dayOf(Date.now() + DAY_MS),
        max: dayOf(Date.parse(cycleEndAt)),
      }),
    ],
    action: say('moveOrder'),
    done: changed,
    run: async (form) => {
      const moved = await moveOrder(contractId, order, `${form.get('day')}`);
      return say('movedTo', { date: longDate(moved) });
    },
  });
}
