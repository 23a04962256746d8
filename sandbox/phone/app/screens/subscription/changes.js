/** The actions after each change of a subscription, for all sections. */
import { showToast } from '../../ui/toast.js';

/**
 * @typedef {{ after: (name?: string) => (text: string, undo?: { label: string, run: () => void }) => Promise<void> }} Changes
 *   After a change: reloads the page, displays the message, and focuses the control of that name.
 */

/**
 * @param {{ read: () => Promise<void>, signal: AbortSignal, heading: HTMLElement, body: HTMLElement }} screen
 *   The heading gets the focus when the control no longer exists; the signal is aborted when the screen is left.
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
