/** Changes how often it comes, and says which skips and moves found no place in the new plan. */
import { changeInterval, loadIntervals } from '../subscriptions/interval.js';
import { element } from '../ui/element.js';
import { choiceField } from '../ui/fields.js';
import { errorNotice } from '../ui/notice.js';
import { openSheet } from '../ui/sheet.js';
import { skeleton } from '../ui/skeleton.js';
import { everyInterval, longDate } from '../words/format.js';

/** @typedef {import('../subscriptions/interval.js').Interval} Interval */

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(words: string) => Promise<void>} changed
 */
export function openInterval({ id, deliveryPolicy }, changed) {
  /** @type {Interval[]} */
  let intervals = [];
  const place = element('div', {}, skeleton(2));
  openSheet({
    title: 'How often',
    content: [
      place,
      element('p', { class: 'quiet' }, 'Orders that you skipped or moved stay so where they can.'),
    ],
    action: 'Save',
    done: changed,
    run: async (form) => {
      const interval = intervals.find((one) => everyInterval(one) === form.get('interval'));
      if (interval === undefined) return undefined;
      const dropped = await changeInterval(id, interval);
      return `It now comes ${everyInterval(interval)}.${dropped.map(droppedWords).join('')}`;
    },
  });
  void show();

  async function show() {
    try {
      intervals = await loadIntervals(id);
      const options = intervals.map((one) => ({
        value: everyInterval(one),
        label: sentence(everyInterval(one)),
      }));
      const chosen = everyInterval(deliveryPolicy);
      place.replaceChildren(choiceField({ legend: 'It comes', name: 'interval', chosen, options }));
    } catch (error) {
      place.replaceChildren(errorNotice(error, { retry: () => void show() }));
    }
  }
}

/** @param {string} words */
function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {import('../subscriptions/interval.js').DroppedEdit} edit */
function droppedWords({ skipped, originalDate, movedTo }) {
  const date = originalDate ?? movedTo;
  const which = date === null ? 'an order' : longDate(date);
  return skipped ? ` The skip of ${which} no longer applies.` : ` The move of ${which} no longer applies.`;
}
