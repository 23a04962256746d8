/** Changes one line: how many, another product in its place, or none of it. */

import { price } from '../messages/format.js';
import { t } from '../messages/translate.js';
import { changeLine, loadLineOptions, removeLine } from '../subscriptions/lines.js';
import { deliveryChoice } from '../ui/delivery-choice.js';
import { button, element } from '../ui/element.js';
import { choiceField, textField } from '../ui/fields.js';
import { optionRow } from '../ui/line-option.js';
import { errorNotice } from '../ui/notice.js';
import { picture } from '../ui/picture.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';

const MAX_QUANTITY = 100;
const KEEP = 'keep';

/** @typedef {import('../subscriptions/load-list.js').Line} Line */

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {Line} line
 * @param {(text: string) => Promise<void>} changed
 */
export function openLine(contract, line, changed) {
  const swaps = element('div', {}, skeleton(1));
  const ways = deliveryChoice();
  const isLast = contract.lines.nodes.length === 1;
  const sheet = openSheet({
    title: line.title,
    content: [
      textField(t('quantity'), {
        name: 'quantity',
        type: 'number',
        inputmode: 'numeric',
        min: '1',
        max: `${MAX_QUANTITY}`,
        required: true,
        value: `${line.quantity}`,
      }),
      swaps,
      ways.place,
      isLast
        ? element('p', { class: 'quiet' }, t('onlyProduct'))
        : button(t('removeFromOrders'), {
            class: 'final plain',
            onClick: () => openRemoval(contract, line, removed),
          }),
    ],
    action: t('save'),
    done: changed,
    run: async (form) => {
      const chosen = `${form.get('swap') ?? KEEP}`;
      const productVariantId = chosen === KEEP ? undefined : chosen;
      const update = { lineId: line.id, quantity: Number(form.get('quantity')), productVariantId };
      const options = await changeLine(contract.id, update, ways.chosen(form));
      return ways.show(options) ? undefined : t('ordersUpdated');
    },
  });
  /** @param {string} text */
  const removed = async (text) => {
    sheet.close();
    await changed(text);
  };
  void showSwaps();

  async function showSwaps() {
    try {
      const others = await loadLineOptions(contract, line.id);
      swaps.replaceChildren(...(others.length === 0 ? [] : [swapChoice(line, others)]));
    } catch (error) {
      swaps.replaceChildren(errorNotice(error, { retry: () => void showSwaps() }));
    }
  }
}

/** @param {Line} line @param {import('../subscriptions/lines.js').LineOption[]} others */
function swapChoice(line, others) {
  const { title, variantTitle, currentPrice, variantImage } = line;
  return choiceField({
    legend: t('product'),
    name: 'swap',
    chosen: KEEP,
    options: [
      {
        value: KEEP,
        label: variantTitle ? `${title}, ${variantTitle}` : title,
        detail: currentPrice && t('priceEach', { price: price(currentPrice) }),
        picture: picture(variantImage),
        badge: t('current'),
      },
      ...others.map(optionRow),
    ],
  });
}

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {Line} line
 * @param {(text: string) => Promise<void>} removed
 */
function openRemoval(contract, line, removed) {
  const ways = deliveryChoice();
  openSheet({
    title: t('removeAsk'),
    content: [element('p', {}, t('removeText', { title: line.title })), ways.place],
    action: t('remove'),
    isFinal: true,
    done: removed,
    run: async (form) => {
      const options = await removeLine(contract.id, line.id, ways.chosen(form));
      return ways.show(options) ? undefined : t('removed', { title: line.title });
    },
  });
}
