/** The end of a subscription. A break is offered first; a reason is asked for. */
import { CANCELLATION_REASONS, cancel } from '../subscriptions/cancel.js';
import { button, element } from '../ui/element.js';
import { choiceField, longTextField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { openPause } from './pause-sheet.js';

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(words: string) => Promise<void>} changed
 */
export function openCancel({ id, status }, changed) {
  const sheet = openSheet({
    title: 'Cancel subscription',
    content: [
      ...(status === 'ACTIVE' ? [pauseInstead()] : []),
      choiceField({
        legend: 'Why do you cancel?',
        name: 'code',
        chosen: undefined,
        options: Object.entries(CANCELLATION_REASONS).map(([value, label]) => ({ value, label })),
      }),
      longTextField('Anything the shop should know', { name: 'comment' }),
      element('p', { class: 'quiet' }, 'A cancelled subscription cannot be started again.'),
    ],
    action: 'Cancel subscription',
    isFinal: true,
    done: changed,
    run: async (form) => {
      const comment = `${form.get('comment') ?? ''}`.trim();
      await cancel(id, { code: `${form.get('code')}`, comment: comment === '' ? undefined : comment });
      return 'The subscription is cancelled.';
    },
  });

  function pauseInstead() {
    return element(
      'div',
      { class: 'offer' },
      element(
        'p',
        {},
        element('strong', {}, 'Would a break do?'),
        ' Nothing is sent or charged until the day you choose.',
      ),
      button('Pause instead', {
        class: 'secondary wide',
        onClick: () => {
          sheet.close();
          openPause(id, changed);
        },
      }),
    );
  }
}
