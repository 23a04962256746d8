/** The router shows an address's screen, which fills its place at once and loads on; leaving it aborts `signal`. */

import { closeSheets } from './sheet.js';
import { hideToast } from './toast.js';

/**
 * @typedef {{ title: string, content: Node, tab?: string }} View
 * @typedef {{ match: string | undefined, signal: AbortSignal, from: string }} Visit
 *   `from`: the address of the screen before.
 * @typedef {{ pattern: RegExp, show: (visit: Visit) => View }} Route
 */

let current = new AbortController();
let address = '';

/** @param {Route[]} routes */
export function startRouter(routes) {
  window.addEventListener('hashchange', () => {
    // Other fragments are places within the screen, such as the skip link's.
    if (location.hash.startsWith('#/')) show(routes);
  });
  show(routes);
}

/** @param {string} hash */
export function go(hash) {
  if (location.hash === hash) window.dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = hash;
}

/** @param {Route[]} routes */
function show(routes) {
  const hash = location.hash || '#/';
  const route = routes.find(({ pattern }) => pattern.test(hash)) ?? routes[0];
  if (route === undefined) return;
  current.abort();
  hideToast();
  closeSheets();
  current = new AbortController();
  const from = address;
  address = hash;
  const visit = { match: route.pattern.exec(hash)?.[1], signal: current.signal, from };
  const { title, content, tab } = route.show(visit);
  document.title = `${title} · Pantry`;
  const main = /** @type {HTMLElement} */ (document.querySelector('#main'));
  main.replaceChildren(content);
  markTab(tab);
  if (from !== '') focusHeading(main);
}

/** @param {string | undefined} tab */
function markTab(tab) {
  const tabs = /** @type {HTMLElement} */ (document.querySelector('#tabs'));
  tabs.hidden = tab === undefined;
  for (const link of tabs.querySelectorAll('a')) {
    if (link.dataset.tab === tab) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** A new screen is read out from its heading. @param {HTMLElement} main */
function focusHeading(main) {
  const heading = main.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
