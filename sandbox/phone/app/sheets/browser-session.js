/**
 * The system's browser session: a sheet with the platform's own sign-in pages, which closes itself when they
 * redirect to the app's scheme. The pages run no script in it and so cannot reach the app behind it.
 */
import { ServiceError } from '../../../../clients/typescript/src/client.ts';
import { t } from '../messages/translate.js';
import { configuration, shopName } from '../service/configuration.js';
import { element } from '../ui/element.js';
import { icon } from '../ui/icon.js';

/**
 * @param {{ authUrl: string, shop: string }} session
 * @returns {Promise<string | null>} The redirect's address; null when the sheet is closed.
 */
export async function openBrowserSession({ authUrl, shop }) {
  const { origin, pathname, search } = new URL(authUrl);
  if (origin !== configuration.platformOrigin) throw new ServiceError('FOREIGN_REDIRECT');
  const frame = element('iframe', {
    title: t('signInTo', { shop: shopName(shop) }),
    sandbox: 'allow-forms allow-popups allow-same-origin',
    src: pathname + search,
  });
  const cancel = element('button', { type: 'button', class: 'plain' }, t('cancel'));
  const sheet = element(
    'dialog',
    { class: 'sheet', 'aria-label': t('signInTo', { shop: shopName(shop) }) },
    element('div', { class: 'sheet-bar' }, cancel, address(new URL(authUrl).host), element('span', {})),
    element('div', { class: 'sheet-page' }, frame),
  );
  document.body.append(sheet);
  return new Promise((resolve) => {
    const finish = (/** @type {() => void} */ settle) => {
      sheet.close();
      sheet.remove();
      settle();
    };
    const giveUp = () => finish(() => resolve(null));
    cancel.addEventListener('click', giveUp);
    sheet.addEventListener('cancel', giveUp);
    frame.addEventListener('load', () => {
      const callbackUrl = settlePage(frame, giveUp);
      if (callbackUrl !== undefined) finish(() => resolve(callbackUrl));
    });
    sheet.showModal();
  });
}

/** @param {string} host */
function address(host) {
  return element('span', { class: 'sheet-address' }, icon('lock'), host);
}

/**
 * Makes a loaded page usable by keyboard: the first field has the focus, Escape closes the sheet.
 * @param {HTMLIFrameElement} frame
 * @param {() => void} giveUp
 * @returns {string | undefined} The redirect to the app, if that is what has been reached.
 */
function settlePage(frame, giveUp) {
  const page = frame.contentDocument;
  if (page === null) return undefined;
  const callback = page.querySelector('meta[name="callback-url"]')?.getAttribute('content');
  if (callback) return callback;
  page.addEventListener('keydown', ({ key }) => key === 'Escape' && giveUp());
  const first = page.querySelector('[autofocus], input:not([type="hidden"])');
  frame.focus();
  /** @type {HTMLElement | null} */ (first)?.focus();
  return undefined;
}
