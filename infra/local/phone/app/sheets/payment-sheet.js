/** Changes what it is paid with, or asks the shop for the e-mail that renews a card. */
import {
  changePaymentMethod,
  expiryWords,
  loadPaymentMethods,
  paymentWords,
  sendPaymentEmail,
} from '../subscriptions/payment.js';
import { button, element, setBusy } from '../ui/element.js';
import { choiceField } from '../ui/fields.js';
import { errorNotice } from '../ui/notice.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';
import { say } from '../words/say.js';

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(words: string) => Promise<void>} changed
 */
export function openPayment({ id, customerPaymentMethod: current }, changed) {
  const place = element('div', {}, skeleton(1));
  const letter = element('div', { role: 'status' });
  const sheet = openSheet({
    title: say('paymentMethod'),
    content: [place, ...(current === null ? [] : [emailButton(current.id)]), letter],
    action: say('save'),
    done: changed,
    run: async (form) => {
      const method = form.get('method');
      if (method === null) return undefined;
      await changePaymentMethod(id, `${method}`);
      return say('paymentUpdated');
    },
  });
  void show();

  async function show() {
    try {
      const methods = await loadPaymentMethods();
      const options = methods.map((method) => ({
        value: method.id,
        label: paymentWords(method),
        detail: expiryWords(method),
      }));
      place.replaceChildren(
        choiceField({ legend: say('payWith'), name: 'method', chosen: current?.id, options }),
      );
    } catch (error) {
      place.replaceChildren(errorNotice(error, { retry: () => void show() }));
    }
  }

  /** @param {string} method */
  function emailButton(method) {
    return button(say('emailLink'), {
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
      await changed(say('emailSent'));
    } catch (error) {
      letter.replaceChildren(errorNotice(error));
    }
    setBusy(control, false);
  }
}
