/** The history of a subscription, newest first. */

import { momentText } from '../../messages/format.js';
import { plainText } from '../../messages/plain-text.js';
import { t } from '../../messages/translate.js';
import { button, element } from '../../ui/element.js';

/**
 * @param {import('../../subscriptions/load-one.js').FullContract['events']} events
 * @param {(control: HTMLButtonElement) => void} showMore
 */
export function historySection({ nodes, pageInfo }, showMore) {
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'history' },
    element('h2', { id: 'history' }, t('history')),
    nodes.length === 0
      ? element('p', { class: 'quiet' }, t('noChanges'))
      : element('ol', { class: 'history' }, ...nodes.map(historyRow)),
    pageInfo.hasNextPage ? button(t('showMore'), { class: 'secondary small', onClick: showMore }) : undefined,
  );
}

/** @param {import('../../subscriptions/load-one.js').HistoryEntry} entry */
function historyRow({ message, createdAt, outcome }) {
  const doubt = outcome === 'UNKNOWN' ? ` ${t('notConfirmed')}` : '';
  return element(
    'li',
    {},
    element('span', {}, `${plainText(message)}${doubt}`),
    element('small', {}, element('time', { datetime: createdAt }, momentText(createdAt))),
  );
}
