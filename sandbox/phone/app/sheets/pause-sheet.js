/** A break: until a day, or until the customer ends it. */

import { longDate } from '../messages/format.js';
import { dayOf, startOf } from '../messages/store-day.js';
import { t } from '../messages/translate.js';
import { pause } from '../subscriptions/pause.js';
import { element } from '../ui/element.js';
import { textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 364;

/** @param {string} contractId @param {(text: string) => Promise<void>} changed */
export function openPause(contractId, changed) {
  openSheet({
    title: t('takeBreak'),
    content: [
      element('p', { class: 'quiet' }, t('breakText')),
      textField(t('resumeOn'), {
        name: 'until',
        type: 'date',
        min: dayOf(Date.now() + DAY_MS),
        max: dayOf(Date.now() + LONGEST_DAYS * DAY_MS),
      }),
      textField(t('reason'), { name: 'reason', maxlength: '200' }),
    ],
    action: t('pause'),
    done: changed,
    run: async (form) => {
      const [until, reason] = [form.get('until'), form.get('reason')].map(
        (value) => `${value ?? ''}` || undefined,
      );
      await pause(contractId, { until, reason });
      return until === undefined ? t('paused') : t('pausedUntil', { date: longDate(startOf(until)) });
    },
  });
}
