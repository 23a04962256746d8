/** Says to a screen reader what has changed on the screen without the focus moving there. */

/** @param {string} text */
export function announce(text) {
  const announcer = document.querySelector('#announcer');
  if (announcer !== null) announcer.textContent = text;
}
