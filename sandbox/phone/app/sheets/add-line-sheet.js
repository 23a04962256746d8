/** Adds a product to every order. */

import { t } from '../messages/translate.js';
import { addLine, loadLineOptions } from '../subscriptions/lines.js';
import { deliveryChoice } from '../ui/delivery-choice.js';
import { element } from '../ui/element.js';
import { choiceField, textField } from '../ui/fields.js';
import { optionRow } from '../ui/line-option.js';
import { errorNotice } from '../ui/notice.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(text: string) => Promise<void>} changed
 */
export function openAddLine(contract, changed) {
  /** @type {import('../subscriptions/lines.js').LineOption[]} */
  let options = [];
  const place = element('div', {}, skeleton(2));
  const ways = deliveryChoice();
  openSheet({
    title: t('addProduct'),
    content: [
      place,
      textField(t('quantity'), {
        name: 'quantity',
        type: 'number',
        min: '1',
        max: '100',
        required: true,
        value: '1',
      }),
      ways.place,
    ],
    action: t('addToOrders'),
    done: changed,
    run: async (form) => {
      const option = options.find(({ productVariant }) => productVariant.id === form.get('variant'));
      if (option === undefined) return undefined;
      const added = { ...option, quantity: Number(form.get('quantity')) };
      const deliveryOptions = await addLine(contract.id, added, ways.chosen(form));
      return ways.show(deliveryOptions) ? undefined : t('added', { title: option.product.title });
    },
  });
  void show();

  async function show() {
    try {
      options = await loadLineOptions(contract);
      place.replaceChildren(options.length === 0 ? nothing() : choice());
    } catch (error) {
      place.replaceChildren(errorNotice(error, { retry: () => void show() }));
    }
  }

  function choice() {
    return choiceField({
      legend: t('product'),
      name: 'variant',
      chosen: undefined,
      options: options.map(optionRow),
    });
  }
}

function nothing() {
  return element('p', { class: 'quiet' }, t('nothingToAdd'));
}
