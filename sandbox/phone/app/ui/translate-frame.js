/** Translates the texts in the HTML page itself. */
import { language, t } from '../messages/translate.js';

export function translateFrame() {
  document.documentElement.lang = language();
  document.querySelector('#tabs')?.setAttribute('aria-label', t('app'));
  for (const place of document.querySelectorAll('[data-says]')) {
    const key = /** @type {'account' | 'skipToContent' | 'subscriptions'} */ (
      place.getAttribute('data-says')
    );
    place.textContent = t(key);
  }
}
