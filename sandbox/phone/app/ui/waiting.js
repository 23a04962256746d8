/** The line under the title that says why nothing moves while a request is being repeated. */

import { textFor } from '../messages/errors.js';
import { t } from '../messages/translate.js';
import { connection } from '../session/sessions.js';

export function showWaiting() {
  const line = /** @type {HTMLElement} */ (document.querySelector('#waiting'));
  connection.addEventListener('waiting', (event) => {
    const { title } = textFor(/** @type {CustomEvent} */ (event).detail);
    line.textContent = t('tryingAgain', { problem: title });
    line.hidden = false;
  });
  connection.addEventListener('answered', () => {
    line.hidden = true;
    line.textContent = '';
  });
}
