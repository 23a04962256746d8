/** Changes what it is paid with, or asks the shop for the e-mail that renews a card. */

import { t } from '../messages/translate.js';
import {
  changePaymentMethod,
  expiryText,
  loadPaymentMethods,
  paymentText,
  sendPaymentEmail,
} from '../subscriptions/payment.js';
import { button, element, setBusy } from '../ui/element.js';
import { choiceField } from '../ui/fields.js';
import { errorNotice } from '../ui/notice.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(text: string) => Promise<void>} changed
 */
export function openPayment({ id, customerPaymentMethod: current }, changed) {
  const place = element('div', {}, skeleton(1));
  const letter = element('div', { role: 'status' });
  const sheet = openSheet({
    title: t('paymentMethod'),
    content: [place, ...(current === null ? [] : [emailButton(current.id)]), letter],
    action: t('save'),
    done: changed,
    run: async (form) => {
      const method = form.get('method');
      if (method === null) return undefined;
      await changePaymentMethod(id, `${method}`);
      return t('paymentUpdated');
    },
  });
  void show();

  async function show() {
    try {
      const methods = await loadPaymentMethods();
      const options = methods.map((method) => ({
        value: method.id,
        label: paymentText(method),
        detail: expiryText(method),
      }));
      place.replaceChildren(
        choiceField({ legend: t('payWith'), name: 'method', chosen: current?.id, options }),
      );
    } catch (error) {
      place.replaceChildren(errorNotice(error, { retry: () => void show() }));
    }
  }

  /** @param {string} method */
  function emailButton(method) {
    return button(t('emailLink'), {
      class: 'secondary wide',
      onClick: (control) => void send(control, method),
    });
  }

  /** @param {HTMLButtonElement} control @param {string} method */
  async function send(control, method) {
    setBusy(control, true);
    try {
      await sendPaymentEmail(method);
      sheet.close();
      await changed(t('emailSent'));
    } catch (error) {
      letter.replaceChildren(errorNotice(error));
    }
    setBusy(control, false);
  }
}
