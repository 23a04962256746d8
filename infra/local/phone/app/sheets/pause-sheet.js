/** A break: until a day, or until the customer ends it. */
import { pause } from '../subscriptions/pause.js';
import { element } from '../ui/element.js';
import { textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { longDate } from '../words/format.js';
import { say } from '../words/say.js';
import { dayOf, startOf } from '../words/store-day.js';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 364;

/** @param {string} contractId @param {(words: string) => Promise<void>} changed */
export function openPause(contractId, changed) {
  openSheet({
    title: say('takeBreak'),
    content: [
      element('p', { class: 'quiet' }, say('breakText')),
      textField(say('resumeOn'), {
        name: 'until',
        type: 'date',
        min: dayOf(Date.now() + DAY_MS),
        max: dayOf(Date.now() + LONGEST_DAYS * DAY_MS),
      }),
      textField(say('reason'), { name: 'reason', maxlength: '200' }),
    ],
    action: say('pause'),
    done: changed,
    run: async (form) => {
      const [until, reason] = [form.get('until'), form.get('reason')].map(
        (value) => `${value ?? ''}` || undefined,
      );
      await pause(contractId, { until, reason });
      return until === undefined ? say('paused') : say('pausedUntil', { date: longDate(startOf(until)) });
    },
  });
}
