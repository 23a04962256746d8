/** Elements without markup strings, so that no text of the service can ever become markup. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | undefined>} attributes `true` sets an empty attribute, `false` none.
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/**
 * @param {string} label
 * @param {{ class?: string, onClick: (button: HTMLButtonElement) => void, 'aria-label'?: string }} options
 */
export function button(label, { onClick, ...attributes }) {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', () => {
    // Stays focusable while busy; a second click then does nothing.
    if (made.getAttribute('aria-disabled') !== 'true') onClick(made);
  });
  return made;
}

/** @param {HTMLElement} control @param {boolean} busy */
export function setBusy(control, busy) {
  control.toggleAttribute('data-busy', busy);
  control.setAttribute('aria-disabled', `${busy}`);
}
