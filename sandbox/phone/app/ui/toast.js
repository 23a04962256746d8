/** A short word about what was just done, with its undo. One at a time; it stays while it has the focus. */
import { button, element } from './element.js';

const VISIBLE_MS = 10_000;

/** @type {AbortController | undefined} */
let current;

/** @param {string} text @param {{ label: string, run: () => void }} [action] */
export function showToast(text, action) {
  current?.abort();
  const place = document.querySelector('#toasts');
  if (place === null) return;
  current = new AbortController();
  const { signal } = current;
  const toast = element('div', { class: 'toast' }, element('span', {}, text));
  if (action !== undefined)
    toast.append(
      button(action.label, {
        onClick: () => {
          hideToast();
          action.run();
        },
      }),
    );
  place.replaceChildren(toast);
  const timer = setInterval(() => {
    if (!toast.matches(':hover, :focus-within')) hideToast();
  }, VISIBLE_MS);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    toast.remove();
  });
}

export function hideToast() {
  current?.abort();
}
