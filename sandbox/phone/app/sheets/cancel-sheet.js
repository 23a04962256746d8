/** The cancellation of a subscription. It first offers a pause, and requires a reason. */

import { t } from '../messages/translate.js';
import { CANCELLATION_REASONS, cancel } from '../subscriptions/cancel.js';
import { button, element } from '../ui/element.js';
import { choiceField, longTextField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { openPause } from './pause-sheet.js';

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(text: string) => Promise<void>} changed
 */
export function openCancel({ id, status }, changed) {
  const sheet = openSheet({
    title: t('cancelSubscription'),
    content: [
      ...(status === 'ACTIVE' ? [pauseInstead()] : []),
      choiceField({
        legend: t('whyCancel'),
        name: 'code',
        chosen: undefined,
        options: CANCELLATION_REASONS.map((value) => ({ value, label: t(`reason${value}`) })),
      }),
      longTextField(t('tellShop'), { name: 'comment' }),
      element('p', { class: 'quiet' }, t('cannotRestart')),
    ],
    action: t('cancelSubscription'),
    isFinal: true,
    done: changed,
    run: async (form) => {
      const comment = `${form.get('comment') ?? ''}`.trim();
      await cancel(id, { code: `${form.get('code')}`, comment: comment === '' ? undefined : comment });
      return t('cancelled');
    },
  });

  function pauseInstead() {
    return element(
      'div',
      { class: 'offer' },
      element('p', {}, element('strong', {}, t('needBreak')), ` ${t('needBreakText')}`),
      button(t('pauseInstead'), {
        class: 'secondary wide',
        onClick: () => {
          sheet.close();
          openPause(id, changed);
        },
      }),
    );
  }
}
