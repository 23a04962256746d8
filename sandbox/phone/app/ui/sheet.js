/** A form in a sheet at the bottom of the page: content, one button that submits it, and a button that closes it. */
import { textFor } from '../messages/errors.js';
import { t } from '../messages/translate.js';
import { button, element, setBusy } from './element.js';
import { icon } from './icon.js';

/**
 * @typedef {object} Sheet
 * @property {string} title
 * @property {Node[]} content Fields and texts, in reading order.
 * @property {string} action The button's label.
 * @property {boolean} [isFinal] Whether the action is irreversible.
 * @property {(form: FormData) => Promise<string | undefined>} run
 *   Runs the action and returns a message, or undefined when the sheet needs more input. The sheet displays its errors.
 * @property {(text: string) => Promise<void>} done Called with the message when the sheet is closed.
 */

/**
 * Opens a sheet. It closes after its action or when the customer leaves it.
 * @param {Sheet} sheet
 */
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

/** Closes all open sheets, because their screen is left. */
export function closeSheets() {
  for (const sheet of document.querySelectorAll('dialog.form-sheet')) {
    /** @type {HTMLDialogElement} */ (sheet).close();
  }
}
