/** Changes one line: how many, another product in its place, or none of it. */
import { changeLine, loadLineOptions, removeLine } from '../subscriptions/lines.js';
import { button, element } from '../ui/element.js';
import { choiceField, textField } from '../ui/fields.js';
import { optionRow } from '../ui/line-option.js';
import { errorNotice } from '../ui/notice.js';
import { picture } from '../ui/picture.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';
import { price } from '../words/format.js';

const MOST = 100;
const KEEP = 'keep';

/** @typedef {import('../subscriptions/load-list.js').Line} Line */

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {Line} line
 * @param {(words: string) => Promise<void>} changed
 */
export function openLine(contract, line, changed) {
  const swaps = element('div', {}, skeleton(1));
  const isLast = contract.lines.nodes.length === 1;
  const sheet = openSheet({
    title: line.title,
    content: [
      textField('Quantity', {
        name: 'quantity',
        type: 'number',
        inputmode: 'numeric',
        min: '1',
        max: `${MOST}`,
        required: true,
        value: `${line.quantity}`,
      }),
      swaps,
      isLast
        ? element(
            'p',
            { class: 'quiet' },
            'This is the only product in your subscription. To stop receiving it, pause or cancel the subscription.',
          )
        : button('Remove from my orders', {
            class: 'final plain',
            onClick: () => openRemoval(contract, line, removed),
          }),
    ],
    action: 'Save',
    done: changed,
    run: async (form) => {
      const chosen = `${form.get('swap') ?? KEEP}`;
      const productVariantId = chosen === KEEP ? undefined : chosen;
      await changeLine(contract.id, line.id, { quantity: Number(form.get('quantity')), productVariantId });
      return 'Your upcoming orders have been updated.';
    },
  });
  /** @param {string} words */
  const removed = async (words) => {
    sheet.close();
    await changed(words);
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
    legend: 'Product',
    name: 'swap',
    chosen: KEEP,
    options: [
      {
        value: KEEP,
        label: variantTitle ? `${title}, ${variantTitle}` : title,
        detail: currentPrice && `${price(currentPrice)} each`,
        picture: picture(variantImage),
        mark: 'Current',
      },
      ...others.map(optionRow),
    ],
  });
}

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {Line} line
 * @param {(words: string) => Promise<void>} removed
 */
function openRemoval(contract, line, removed) {
  openSheet({
    title: 'Remove this product?',
    content: [
      element(
        'p',
        {},
        `You will no longer receive ${line.title}. The rest of your subscription stays as it is.`,
      ),
    ],
    action: 'Remove',
    isFinal: true,
    done: removed,
    run: async () => {
      await removeLine(contract.id, line.id);
      return `${line.title} has been removed.`;
    },
  });
}
