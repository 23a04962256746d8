/** The fields of the sheets, each with its label. */
import { element } from './element.js';

/**
 * @param {string} label
 * @param {{ name: string } & Record<string, string | boolean | null | undefined>} attributes
 */
export function textField(label, { value, ...attributes }) {
  const input = element('input', { type: 'text', ...withoutNull(attributes) });
  input.value = `${value ?? ''}`;
  return element('label', { class: 'field' }, element('span', {}, label), input);
}

/** @param {string} label @param {{ name: string }} attributes */
export function longTextField(label, attributes) {
  const area = element('textarea', { rows: '3', maxlength: '500', ...attributes });
  return element('label', { class: 'field' }, element('span', {}, label), area);
}

/**
 * One of several, all of them seen at once.
 * @typedef {{ value: string, label: string, detail?: string | undefined, picture?: Node, badge?: string | undefined }} Option
 *   `mark`: a word that sets this one apart, such as what the customer has now.
 * @param {{ legend: string, name: string, chosen: string | undefined, options: Option[] }} choice
 */
export function choiceField({ legend, name, chosen, options }) {
  const rows = options.map(({ value, label, detail, picture, badge }) =>
    element(
      'label',
      { class: 'choice' },
      element('input', { type: 'radio', name, value, required: true, checked: value === chosen }),
      picture,
      element(
        'span',
        { class: 'choice-text' },
        label,
        element(
          'span',
          { class: 'choice-detail' },
          detail === undefined ? undefined : element('small', {}, detail),
          badge === undefined ? undefined : element('span', { class: 'chip' }, badge),
        ),
      ),
    ),
  );
  return element('fieldset', { class: 'choices' }, element('legend', {}, legend), ...rows);
}

/** @param {Record<string, string | boolean | null | undefined>} attributes */
function withoutNull(attributes) {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, value ?? undefined]));
}
