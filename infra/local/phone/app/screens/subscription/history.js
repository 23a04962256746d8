/** What has happened to a subscription, newest first, in plain words. */

import { button, element } from '../../ui/element.js';
import { momentWords } from '../../words/format.js';
import { plainText } from '../../words/plain-text.js';
import { say } from '../../words/say.js';

/**
 * @param {import('../../subscriptions/load-one.js').FullContract['events']} events
 * @param {(control: HTMLButtonElement) => void} showMore
 */
export function historySection({ nodes, pageInfo }, showMore) {
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'history' },
    element('h2', { id: 'history' }, say('history')),
    nodes.length === 0
      ? element('p', { class: 'quiet' }, say('noChanges'))
      : element('ol', { class: 'history' }, ...nodes.map(historyRow)),
    pageInfo.hasNextPage
      ? button(say('showMore'), { class: 'secondary small', onClick: showMore })
      : undefined,
  );
}

/** @param {import('../../subscriptions/load-one.js').HistoryEntry} entry */
function historyRow({ message, createdAt, outcome }) {
  const doubt = outcome === 'UNKNOWN' ? ` ${say('notConfirmed')}` : '';
  return element(
    'li',
    {},
    element('span', {}, `${plainText(message)}${doubt}`),
    element('small', {}, element('time', { datetime: createdAt }, momentWords(createdAt))),
  );
}
