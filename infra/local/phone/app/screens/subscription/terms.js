/** How often, where to, paid with what; and the way to a break or the end. */
import { openCancel } from '../../sheets/cancel-sheet.js';
import { openDelivery } from '../../sheets/delivery-sheet.js';
import { openInterval } from '../../sheets/interval-sheet.js';
import { openPause } from '../../sheets/pause-sheet.js';
import { openPayment } from '../../sheets/payment-sheet.js';
import { expiryWords, paymentWords } from '../../subscriptions/payment.js';
import { button, element } from '../../ui/element.js';
import { factRow } from '../../ui/rows.js';
import { everyInterval, sentence } from '../../words/format.js';
import { say } from '../../words/say.js';

/**
 * @typedef {import('../../subscriptions/load-one.js').FullContract} FullContract
 * @typedef {import('./changes.js').Changes} Changes
 */

/** @param {FullContract} contract @param {Changes} changes */
export function termsSection(contract, changes) {
  const { deliveryPolicy, deliveryMethod, customerPaymentMethod, status } = contract;
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'terms' },
    element('h2', { id: 'terms' }, say('yourSubscription')),
    element(
      'ul',
      { class: 'rows' },
      factRow({
        icon: 'repeat',
        label: say('howOften'),
        value: sentence(everyInterval(deliveryPolicy)),
        action: {
          name: 'interval',
          label: say('changeHowOften'),
          run: () => openInterval(contract, changes.after('interval')),
        },
      }),
      factRow({
        icon: 'truck',
        label: say('deliveredTo'),
        value: deliveryMethod?.address?.formatted.join(', ') ?? say('noAddress'),
        detail: deliveryMethod?.shippingOption?.title ?? undefined,
        action: {
          name: 'delivery',
          label: say('changeAddress'),
          run: () => openDelivery(contract, changes.after('delivery')),
        },
      }),
      factRow({
        icon: 'card',
        label: say('paidWith'),
        value: paymentWords(customerPaymentMethod),
        detail: expiryWords(customerPaymentMethod),
        action: {
          name: 'payment',
          label: say('changePayment'),
          run: () => openPayment(contract, changes.after('payment')),
        },
      }),
    ),
    element(
      'div',
      { class: 'ends' },
      status === 'ACTIVE'
        ? button(say('pause'), {
            class: 'secondary',
            onClick: () => openPause(contract.id, changes.after('resume')),
          })
        : undefined,
      button(say('cancelSubscription'), {
        class: 'final plain',
        onClick: () => openCancel(contract, changes.after()),
      }),
    ),
  );
}
