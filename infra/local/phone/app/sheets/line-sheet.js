/** Changes one line: how many, another product in its place, or none of it. */
import { changeLine, loadLineOptions, removeLine } from '../subscriptions/lines.js';
import { button, element } from '../ui/element.js';
import { choiceField, textField } from '../ui/fields.js';
import { errorNotice } from '../ui/notice.js';
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
      textField('How many', {
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
            'This is the only product. To stop it, cancel or pause the subscription.',
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
      return 'Your next orders are changed.';
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
      swaps.replaceChildren(...(others.length === 0 ? [] : [swapChoice(others)]));
    } catch (error) {
      swaps.replaceChildren(errorNotice(error, { retry: () => void showSwaps() }));
    }
  }
}

/** @param {import('../subscriptions/lines.js').LineOption[]} options */
function swapChoice(options) {
  return choiceField({
    legend: 'Swap it for',
    name: 'swap',
    chosen: KEEP,
    options: [
      { value: KEEP, label: 'Keep what it is' },
      ...options.map(({ productVariant, product, currentPrice }) => ({
        value: productVariant.id,
        label: `${product.title}, ${productVariant.title}`,
        detail: price(currentPrice),
      })),
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
    title: 'Remove it?',
    content: [element('p', {}, `${line.title} is no longer sent. The rest of the subscription goes on.`)],
    action: 'Remove',
    isFinal: true,
    done: removed,
    run: async () => {
      await removeLine(contract.id, line.id);
      return `${line.title} is removed.`;
    },
  });
}
