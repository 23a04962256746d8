/** A notice instead of content that cannot be displayed, with advice. */
import { isServiceError } from '../../../../clients/typescript/src/client.ts';
import { textFor } from '../messages/errors.js';
import { t } from '../messages/translate.js';
import { button, element } from './element.js';
import { icon } from './icon.js';

/**
 * @param {unknown} error
 * @param {{ retry?: () => void }} [options]
 */
export function errorNotice(error, { retry } = {}) {
  const { title, advice } = textFor(error);
  const notice = element(
    'div',
    { class: 'notice problem', role: 'alert' },
    icon('alert'),
    element('h2', {}, title),
    element('p', {}, advice),
    retry && button(t('tryAgain'), { class: 'primary', onClick: retry }),
  );
  // Retry when the phone is online again, unless the notice is no longer displayed.
  if (retry !== undefined && isServiceError(error, 'NETWORK'))
    window.addEventListener('online', () => notice.isConnected && retry(), { once: true });
  return notice;
}

/** @param {{ title: string, text: string, icon: Parameters<typeof icon>[0] }} text */
export function emptyNotice({ title, text, icon: name }) {
  return element('div', { class: 'notice' }, icon(name), element('h2', {}, title), element('p', {}, text));
}
