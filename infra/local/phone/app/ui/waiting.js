/** The line under the title that says why nothing moves while a request is being repeated. */
import { connection } from '../session/sessions.js';
import { wordsFor } from '../words/errors.js';
import { say } from '../words/say.js';

export function showWaiting() {
  const line = /** @type {HTMLElement} */ (document.querySelector('#waiting'));
  connection.addEventListener('waiting', (event) => {
    const { title } = wordsFor(/** @type {CustomEvent} */ (event).detail);
    line.textContent = say('tryingAgain', { problem: title });
    line.hidden = false;
  });
  connection.addEventListener('answered', () => {
    line.hidden = true;
    line.textContent = '';
  });
}
