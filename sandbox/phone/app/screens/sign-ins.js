/** The customer's sign-ins: each device, with a button that signs it out. */

import { deviceText, useText } from '../messages/device.js';
import { textFor } from '../messages/errors.js';
import { t } from '../messages/translate.js';
import { change } from '../subscriptions/change.js';
import { REVOKE_OTHERS, REVOKE_SESSION } from '../subscriptions/documents.js';
import { button, element, setBusy } from '../ui/element.js';
import { openSheet } from '../ui/sheet.js';
import { showToast } from '../ui/toast.js';

/**
 * @typedef {{
 *   id: string, deviceLabel: string | null, createdAt: string, lastUsedAt: string | null, isCurrent: boolean,
 * }} SignIn
 */

/** @param {SignIn[]} sessions @param {() => Promise<void>} reload */
export function signInsSection(sessions, reload) {
  const heading = element('h2', { id: 'sign-ins', tabindex: '-1' }, t('whereSignedIn'));
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  /** @param {string} text */
  const done = async (text) => {
    await reload();
    // The focused row has been removed: move the focus to the heading of the list.
    /** @type {HTMLElement | null} */ (document.querySelector('#sign-ins'))?.focus();
    showToast(text);
  };
  return element(
    'section',
    { class: 'section', 'aria-labelledby': 'sign-ins' },
    heading,
    element('ul', { class: 'rows' }, ...sessions.map((session) => signInRow(session, done))),
    others.length > 1
      ? element(
          'div',
          { class: 'ends' },
          button(t('signOutOthers'), { class: 'final plain', onClick: () => askForAll(done) }),
        )
      : undefined,
  );
}

/** @param {SignIn} session @param {(text: string) => Promise<void>} done */
function signInRow(session, done) {
  const name = deviceText(session.deviceLabel);
  return element(
    'li',
    { class: 'row' },
    element(
      'span',
      { class: 'fact-text' },
      element('span', {}, name),
      element('small', {}, useText(session)),
    ),
    session.isCurrent
      ? element('span', { class: 'chip good' }, t('thisPhone'))
      : button(t('signOut'), {
          class: 'plain small',
          'aria-label': t('signOutOf', { device: name, use: useText(session) }),
          onClick: (control) => void endOne(control, session, done),
        }),
  );
}

/** @param {HTMLButtonElement} control @param {SignIn} session @param {(text: string) => Promise<void>} done */
async function endOne(control, { id, deviceLabel }, done) {
  setBusy(control, true);
  try {
    await change(REVOKE_SESSION, { id });
    await done(t('deviceSignedOut', { device: deviceText(deviceLabel) }));
  } catch (error) {
    setBusy(control, false);
    const { title, advice } = textFor(error);
    showToast(`${title} ${advice}`);
  }
}

/** @param {(text: string) => Promise<void>} done */
function askForAll(done) {
  openSheet({
    title: t('signOutOthersAsk'),
    content: [element('p', { class: 'quiet' }, t('signOutOthersText'))],
    action: t('signThemOut'),
    isFinal: true,
    run: async () => {
      const { revokedCount } = await change(REVOKE_OTHERS, {});
      return t('devicesSignedOut', { count: revokedCount });
    },
    done,
  });
}
