/** A sheet from below with a form in it: what is asked, one button that does it, and a way out. */
import { textFor } from '../messages/errors.js';
import { t } from '../messages/translate.js';
import { button, element, setBusy } from './element.js';
import { icon } from './icon.js';

/**
 * @typedef {object} Sheet
 * @property {string} title
 * @property {Node[]} content Fields and words, in the order in which they are read.
 * @property {string} action What the button says.
 * @property {boolean} [isFinal] Whether the button ends something.
 * @property {(form: FormData) => Promise<string | undefined>} run
 *   Does it and says what was done; undefined: more is asked. What it throws is put in words in the sheet.
 * @property {(text: string) => Promise<void>} done Called with these words when the sheet is closed.
 */

/** Opens a sheet; it closes when its work is done or the customer leaves it. @param {Sheet} sheet */
export function openSheet({ title, content, action, isFinal = false, run, done }) {
  const problem = element('div', { class: 'inline-problem', role: 'alert' });
  const submit = element('button', { class: `wide ${isFinal ? 'final' : 'primary'}` }, action);
  const form = element(
    'form',
    { class: 'sheet-form' },
    ...content,
    problem,
    element('div', { class: 'sheet-end' }, submit),
  );
  const heading = element('h2', { tabindex: '-1' }, title);
  const dialog = element(
    'dialog',
    { class: 'sheet form-sheet', 'aria-label': title },
    element(
      'div',
      { class: 'sheet-bar' },
      button(t('close'), { class: 'plain', onClick: () => dialog.close() }),
      heading,
    ),
    form,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.getAttribute('aria-disabled') === 'true') return;
    problem.replaceChildren();
    setBusy(submit, true);
    try {
      const text = await run(new FormData(form));
      if (text !== undefined) {
        dialog.close();
        await done(text);
      }
    } catch (error) {
      const { title: what, advice } = textFor(error);
      problem.replaceChildren(icon('alert'), element('p', {}, element('strong', {}, what), ' ', advice));
    }
    setBusy(submit, false);
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  heading.focus();
  return { close: () => dialog.close() };
}

/** Closes what is open: its screen is left. */
export function closeSheets() {
  for (const sheet of document.querySelectorAll('dialog.form-sheet')) {
    /** @type {HTMLDialogElement} */ (sheet).close();
  }
}
