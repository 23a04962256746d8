/** Changes how often it comes, and says which skips and moves found no place in the new plan. */

import { everyInterval, longDate, price, sentence } from '../messages/format.js';
import { t } from '../messages/translate.js';
import { changeInterval, loadIntervals } from '../subscriptions/interval.js';
import { element } from '../ui/element.js';
import { choiceField } from '../ui/fields.js';
import { errorNotice } from '../ui/notice.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';

/** @typedef {import('../subscriptions/interval.js').Offer} Offer */

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(text: string) => Promise<void>} changed
 */
export function openInterval({ id, deliveryPolicy }, changed) {
  /** @type {Offer[]} */
  let offers = [];
  const place = element('div', {}, skeleton(2));
  openSheet({
    title: t('howOften'),
    content: [place, element('p', { class: 'quiet' }, t('intervalHint'))],
    action: t('save'),
    done: changed,
    run: async (form) => {
      const offer = offers.find((one) => everyInterval(one.deliveryPolicy) === form.get('interval'));
      if (offer === undefined) return undefined;
      const dropped = await changeInterval(id, offer.billingPolicy);
      const done = t('ordersNowCome', { every: everyInterval(offer.deliveryPolicy) });
      return [done, ...dropped.map(droppedText)].join(' ');
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
      const badge = value === chosen ? t('current') : undefined;
      return { value, label: sentence(value), detail: priceText(offer), badge };
    });
    return choiceField({ legend: t('deliver'), name: 'interval', chosen, options });
  }
}

function nothing() {
  return element('p', { class: 'quiet' }, t('onlyShopChangesInterval'));
}

/** @param {Offer} offer */
function priceText({ billingPolicy, deliveryPolicy, price: money }) {
  const paid = everyInterval(billingPolicy);
  const isPrepaid = paid !== everyInterval(deliveryPolicy);
  if (money === undefined) return isPrepaid ? t('paidEvery', { every: paid }) : undefined;
  return isPrepaid
    ? t('pricePaidEvery', { price: price(money), every: paid })
    : t('pricePerOrder', { price: price(money) });
}

/** @param {import('../subscriptions/interval.js').DroppedEdit} edit */
function droppedText({ skipped, originalDate, movedTo }) {
  const date = originalDate ?? movedTo;
  const kind = skipped ? 'skipped' : 'moved';
  return date === null ? t('droppedAnOrder', { kind }) : t('droppedOrder', { date: longDate(date), kind });
}
