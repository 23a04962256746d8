/** Grey shapes while something loads, and a word for those who do not see them. */

import { t } from '../messages/translate.js';
import { element } from './element.js';

/** @param {number} rows */
export function skeleton(rows) {
  return element(
    'div',
    { class: 'skeletons', role: 'status' },
    element('span', { class: 'visually-hidden' }, t('loading')),
    ...Array.from({ length: rows }, () => element('div', { class: 'skeleton', 'aria-hidden': 'true' })),
  );
}
