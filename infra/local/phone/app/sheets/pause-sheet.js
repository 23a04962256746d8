/** A break: until a day, or until the customer ends it. */
import { pause } from '../subscriptions/pause.js';
import { element } from '../ui/element.js';
import { textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { longDate } from '../words/format.js';
import { dayOf, startOf } from '../words/store-day.js';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 364;

/** @param {string} contractId @param {(words: string) => Promise<void>} changed */
export function openPause(contractId, changed) {
  openSheet({
    title: 'Take a break',
    content: [
      element(
        'p',
        { class: 'quiet' },
        'Nothing is sent or charged while your subscription is paused. Leave the date empty to pause it until you resume it yourself.',
      ),
      textField('Resume on (optional)', {
        name: 'until',
        type: 'date',
        min: dayOf(Date.now() + DAY_MS),
        max: dayOf(Date.now() + LONGEST_DAYS * DAY_MS),
      }),
      textField('Reason (optional)', { name: 'reason', maxlength: '200' }),
    ],
    action: 'Pause',
    done: changed,
    run: async (form) => {
      const [until, reason] = [form.get('until'), form.get('reason')].map(
        (value) => `${value ?? ''}` || undefined,
      );
      await pause(contractId, { until, reason });
      return until === undefined ? 'Paused.' : `Paused until ${longDate(startOf(until))}.`;
    },
  });
}
