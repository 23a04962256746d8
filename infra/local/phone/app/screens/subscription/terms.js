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
    element('h2', { id: 'terms' }, 'Your subscription'),
    element(
      'ul',
      { class: 'rows' },
      factRow({
        icon: 'repeat',
        label: 'How often',
        value: sentence(everyInterval(deliveryPolicy)),
        action: {
          name: 'interval',
          label: 'Change how often it comes',
          run: () => openInterval(contract, changes.after('interval')),
        },
      }),
      factRow({
        icon: 'truck',
        label: 'Delivered to',
        value: deliveryMethod?.address?.formatted.join(', ') ?? 'No shipping address',
        detail: deliveryMethod?.shippingOption?.title ?? undefined,
        action: {
          name: 'delivery',
          label: 'Change the delivery address',
          run: () => openDelivery(contract, changes.after('delivery')),
        },
      }),
      factRow({
        icon: 'card',
        label: 'Paid with',
        value: paymentWords(customerPaymentMethod),
        detail: expiryWords(customerPaymentMethod),
        action: {
          name: 'payment',
          label: 'Change the payment method',
          run: () => openPayment(contract, changes.after('payment')),
        },
      }),
    ),
    element(
      'div',
      { class: 'ends' },
      status === 'ACTIVE'
        ? button('Pause', {
            class: 'secondary',
            onClick: () => openPause(contract.id, changes.after('resume')),
          })
        : undefined,
      button('Cancel subscription', {
        class: 'final plain',
        onClick: () => openCancel(contract, changes.after()),
      }),
    ),
  );
}
