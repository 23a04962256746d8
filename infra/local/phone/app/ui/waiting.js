/** The line under the title that says why nothing moves while a request is being repeated. */
import { connection } from '../session/sessions.js';
import { wordsFor } from '../words/errors.js';

export function showWaiting() {
  const line = /** @type {HTMLElement} */ (document.querySelector('#waiting'));
  connection.addEventListener('waiting', (event) => {
    line.textContent = `${wordsFor(/** @type {CustomEvent} */ (event).detail).title} Trying again…`;
    line.hidden = false;
  });
  connection.addEventListener('answered', () => {
    line.hidden = true;
    line.textContent = '';
  });
}
