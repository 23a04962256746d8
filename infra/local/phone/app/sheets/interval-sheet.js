/** Changes how often it comes, and says which skips and moves found no place in the new plan. */
import { changeInterval, loadIntervals } from '../subscriptions/interval.js';
import { element } from '../ui/element.js';
import { choiceField } from '../ui/fields.js';
import { errorNotice } from '../ui/notice.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';
import { everyInterval, longDate, price, sentence } from '../words/format.js';

/** @typedef {import('../subscriptions/interval.js').Offer} Offer */

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(words: string) => Promise<void>} changed
 */
export function openInterval({ id, deliveryPolicy }, changed) {
  /** @type {Offer[]} */
  let offers = [];
  const place = element('div', {}, skeleton(2));
  openSheet({
    title: 'How often',
    content: [
      place,
      element(
        'p',
        { class: 'quiet' },
        'Prices include delivery. Orders you have skipped or moved stay that way where possible.',
      ),
    ],
    action: 'Save',
    done: changed,
    run: async (form) => {
      const offer = offers.find((one) => everyInterval(one.deliveryPolicy) === form.get('interval'));
      if (offer === undefined) return undefined;
      const dropped = await changeInterval(id, offer.billingPolicy);
      return `Your orders now come ${everyInterval(offer.deliveryPolicy)}.${dropped.map(droppedWords).join('')}`;
    },
  });
  void show();

  async function show() {
    try {
      offers = await loadIntervals(id);
      place.replaceChildren(offers.length === 0 ? nothing() : choice());
    } catch (error) {
      place.replaceChildren(errorNotice(error, { retry: () => void show() }));
    }
  }

  function choice() {
    const chosen = everyInterval(deliveryPolicy);
    const options = offers.map((offer) => {
      const value = everyInterval(offer.deliveryPolicy);
      const mark = value === chosen ? 'Current' : undefined;
      return { value, label: sentence(value), detail: priceWords(offer), mark };
    });
    return choiceField({ legend: 'Deliver', name: 'interval', chosen, options });
  }
}

function nothing() {
  return element('p', { class: 'quiet' }, 'Only the shop can change how often this subscription comes.');
}

/** @param {Offer} offer */
function priceWords({ billingPolicy, deliveryPolicy, price: money }) {
  const paid = everyInterval(billingPolicy);
  const isPrepaid = paid !== everyInterval(deliveryPolicy);
  if (money === undefined) return isPrepaid ? `Paid ${paid}` : undefined;
  return isPrepaid ? `${price(money)}, paid ${paid}` : `${price(money)} per order`;
}

/** @param {import('../subscriptions/interval.js').DroppedEdit} edit */
function droppedWords({ skipped, originalDate, movedTo }) {
  const date = originalDate ?? movedTo;
  const which = date === null ? 'an order' : `the order of ${longDate(date)}`;
  return ` The change to ${which} could not be kept: it is no longer ${skipped ? 'skipped' : 'moved'}.`;
}
