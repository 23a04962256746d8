/** Changes how often it comes, and says which skips and moves found no place in the new plan. */
import { changeInterval, loadIntervals } from '../subscriptions/interval.js';
import { element } from '../ui/element.js';
import { choiceField } from '../ui/fields.js';
import { errorNotice } from '../ui/notice.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';
import { everyInterval, longDate, price, sentence } from '../words/format.js';
import { say } from '../words/say.js';

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
    title: say('howOften'),
    content: [place, element('p', { class: 'quiet' }, say('intervalHint'))],
    action: say('save'),
    done: changed,
    run: async (form) => {
      const offer = offers.find((one) => everyInterval(one.deliveryPolicy) === form.get('interval'));
      if (offer === undefined) return undefined;
      const dropped = await changeInterval(id, offer.billingPolicy);
      const done = say('ordersNowCome', { every: everyInterval(offer.deliveryPolicy) });
      return [done, ...dropped.map(droppedWords)].join(' ');
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
      const mark = value === chosen ? say('current') : undefined;
      return { value, label: sentence(value), detail: priceWords(offer), mark };
    });
    return choiceField({ legend: say('deliver'), name: 'interval', chosen, options });
  }
}

function nothing() {
  return element('p', { class: 'quiet' }, say('onlyShopChangesInterval'));
}

/** @param {Offer} offer */
function priceWords({ billingPolicy, deliveryPolicy, price: money }) {
  const paid = everyInterval(billingPolicy);
  const isPrepaid = paid !== everyInterval(deliveryPolicy);
  if (money === undefined) return isPrepaid ? say('paidEvery', { every: paid }) : undefined;
  return isPrepaid
    ? say('pricePaidEvery', { price: price(money), every: paid })
    : say('pricePerOrder', { price: price(money) });
}

/** @param {import('../subscriptions/interval.js').DroppedEdit} edit */
function droppedWords({ skipped, originalDate, movedTo }) {
  const date = originalDate ?? movedTo;
  const kind = skipped ? 'skipped' : 'moved';
  return date === null
    ? say('droppedAnOrder', { kind })
    : say('droppedOrder', { date: longDate(date), kind });
}
