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
        legend: 'Why are you cancelling?',
        name: 'code',
        chosen: undefined,
        options: Object.entries(CANCELLATION_REASONS).map(([value, label]) => ({ value, label })),
      }),
      longTextField('Anything else the shop should know? (optional)', { name: 'comment' }),
      element('p', { class: 'quiet' }, 'A cancelled subscription cannot be restarted.'),
    ],
    action: 'Cancel subscription',
    isFinal: true,
    done: changed,
    run: async (form) => {
      const comment = `${form.get('comment') ?? ''}`.trim();
      await cancel(id, { code: `${form.get('code')}`, comment: comment === '' ? undefined : comment });
      return 'Your subscription has been cancelled.';
    },
  });

  function pauseInstead() {
    return element(
      'div',
      { class: 'offer' },
      element(
        'p',
        {},
        element('strong', {}, 'Need a break instead?'),
        ' Pause, and nothing is sent or charged until you are ready.',
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
