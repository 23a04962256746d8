/** A place in a sheet where the customer chooses a way of delivery, if a change needs one. */
import { price } from '../messages/format.js';
import { t } from '../messages/translate.js';
import { element } from './element.js';
import { choiceField } from './fields.js';

export function deliveryChoice() {
  const place = element('div', {});
  return {
    place,
    /** Another change may need no choice. */
    clear: () => place.replaceChildren(),
    /**
     * @param {FormData} form
     * @returns {string | undefined} The code that is chosen.
     */
    chosen: (form) => form.get('way')?.toString(),
    /**
     * Shows what can be chosen.
     * @param {import('../subscriptions/change.js').DeliveryOption[]} options
     * @returns {boolean} Whether there is something to choose.
     */
    show(options) {
      if (options.length === 0) return false;
      place.replaceChildren(choice(options));
      place.querySelector('input')?.focus();
      return true;
    },
  };
}

/** @param {import('../subscriptions/change.js').DeliveryOption[]} options */
function choice(options) {
  return choiceField({
    legend: t('deliveryOption'),
    name: 'way',
    chosen: undefined,
    options: options.map(({ code, title, price: money }) => ({
      value: code,
      label: title,
      detail: Number(money.amount) === 0 ? t('free') : price(money),
    })),
  });
}
