/** What follows each change of a subscription, whichever section it was made in. */
import { showToast } from '../../ui/toast.js';

/**
 * @typedef {{ after: (name?: string) => (text: string, undo?: { label: string, run: () => void }) => Promise<void> }} Changes
 *   What is done after a change: the page is read again, the words are shown, the control of that name has the focus.
 */

/**
 * @param {{ read: () => Promise<void>, signal: AbortSignal, heading: HTMLElement, body: HTMLElement }} screen
 *   The heading has the focus where the control is no longer there; an aborted signal: the screen was left.
 * @returns {Changes}
 */
export function createChanges({ read, signal, heading, body }) {
  return {
    after: (name) => async (text, undo) => {
      await read();
      if (signal.aborted) return;
      showToast(text, undo);
      const control = name === undefined ? null : body.querySelector(`[data-action="${CSS.escape(name)}"]`);
      const target = /** @type {HTMLElement} */ (control ?? heading);
      if (target === heading) heading.setAttribute('tabindex', '-1');
      target.focus();
    },
  };
}
