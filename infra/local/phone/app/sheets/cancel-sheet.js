/** The end of a subscription. A break is offered first; a reason is asked for. */
import { CANCELLATION_REASONS, cancel } from '../subscriptions/cancel.js';
import { button, element } from '../ui/element.js';
import { choiceField, longTextField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { say } from '../words/say.js';
import { openPause } from './pause-sheet.js';

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(words: string) => Promise<void>} changed
 */
export function openCancel({ id, status }, changed) {
  const sheet = openSheet({
    title: say('cancelSubscription'),
    content: [
      ...(status === 'ACTIVE' ? [pauseInstead()] : []),
      choiceField({
        legend: say('whyCancel'),
        name: 'code',
        chosen: undefined,
        options: CANCELLATION_REASONS.map((value) => ({ value, label: say(`reason${value}`) })),
      }),
      longTextField(say('tellShop'), { name: 'comment' }),
      element('p', { class: 'quiet' }, say('cannotRestart')),
    ],
    action: say('cancelSubscription'),
    isFinal: true,
    done: changed,
    run: async (form) => {
      const comment = `${form.get('comment') ?? ''}`.trim();
      await cancel(id, { code: `${form.get('code')}`, comment: comment === '' ? undefined : comment });
      return say('cancelled');
    },
  });

  function pauseInstead() {
    return element(
      'div',
      { class: 'offer' },
      element('p', {}, element('strong', {}, say('needBreak')), ` ${say('needBreakText')}`),
      button(say('pauseInstead'), {
        class: 'secondary wide',
        onClick: () => {
          sheet.close();
          openPause(id, changed);
        },
      }),
    );
  }
}
