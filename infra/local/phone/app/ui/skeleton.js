/** Grey shapes while something loads, and a word for those who do not see them. */
import { element } from './element.js';

/** @param {number} rows */
export function skeleton(rows) {
  return element(
    'div',
    { class: 'skeletons', role: 'status' },
    element('span', { class: 'visually-hidden' }, 'Loading…'),
    ...Array.from({ length: rows }, () => element('div', { class: 'skeleton', 'aria-hidden': 'true' })),
  );
}
