/** How often, where to, paid with what; and the way to a break or the end. */

import { everyInterval, sentence } from '../../messages/format.js';
import { t } from '../../messages/translate.js';
import { openCancel } from '../../sheets/cancel-sheet.js';
import { openDelivery } from '../../sheets/delivery-sheet.js';
import { openInterval } from '../../sheets/interval-sheet.js';
import { openPause } from '../../sheets/pause-sheet.js';
import { openPayment } from '../../sheets/payment-sheet.js';
import { expiryText, paymentText } from '../../subscriptions/payment.js';
import { button, element } from '../../ui/element.js';
import { factRow } from '../../ui/rows.js';

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
    element('h2', { id: 'terms' }, t('yourSubscription')),
    element(
      'ul',
      { class: 'rows' },
      factRow({
        icon: 'repeat',
        label: t('howOften'),
        value: sentence(everyInterval(deliveryPolicy)),
        action: {
          name: 'interval',
          label: t('changeHowOften'),
          run: () => openInterval(contract, changes.after('interval')),
        },
      }),
      factRow({
        icon: 'truck',
        label: t('deliveredTo'),
        value: deliveryMethod?.address?.formatted.join(', ') ?? t('noAddress'),
        detail: deliveryMethod?.shippingOption?.title ?? undefined,
        action: {
          name: 'delivery',
          label: t('changeAddress'),
          run: () => openDelivery(contract, changes.after('delivery')),
        },
      }),
      factRow({
        icon: 'card',
        label: t('paidWith'),
        value: paymentText(customerPaymentMethod),
        detail: expiryText(customerPaymentMethod),
        action: {
          name: 'payment',
          label: t('changePayment'),
          run: () => openPayment(contract, changes.after('payment')),
        },
      }),
    ),
    element(
      'div',
      { class: 'ends' },
      status === 'ACTIVE'
        ? button(t('pause'), {
            class: 'secondary',
            onClick: () => openPause(contract.id, changes.after('resume')),
          })
        : undefined,
      button(t('cancelSubscription'), {
        class: 'final plain',
        onClick: () => openCancel(contract, changes.after()),
      }),
    ),
  );
}
