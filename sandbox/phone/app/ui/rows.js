/** A row of facts with the button that changes them. */

import { t } from '../messages/translate.js';
import { button, element } from './element.js';
import { icon } from './icon.js';

/**
 * @param {object} row
 * @param {Parameters<typeof icon>[0]} row.icon
 * @param {string} row.label
 * @param {string} row.value
 * @param {string | undefined} [row.detail]
 * @param {{ name: string, label: string, run: () => void }} [row.action] `name`: where the focus returns to.
 */
export function factRow({ icon: name, label, value, detail, action }) {
  return element(
    'li',
    { class: 'row fact' },
    icon(name),
    element(
      'span',
      { class: 'fact-text' },
      element('small', {}, label),
      element('span', {}, value),
      detail === undefined ? undefined : element('small', {}, detail),
    ),
    action && actionButton(action),
  );
}

/** @param {{ name: string, label: string, run: () => void }} action */
function actionButton({ name, label, run }) {
  const made = button(t('change'), { class: 'plain small', 'aria-label': label, onClick: run });
  made.dataset.action = name;
  return made;
}
