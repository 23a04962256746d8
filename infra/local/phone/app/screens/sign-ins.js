/** Where the customer is signed in: each device, and a way to sign it out from here. */
import { change } from '../subscriptions/change.js';
import { REVOKE_OTHERS, REVOKE_SESSION } from '../subscriptions/documents.js';
import { button, element, setBusy } from '../ui/element.js';
import { openSheet } from '../ui/sheet.js';
import { showToast } from '../ui/toast.js';
import { deviceWords, useWords } from '../words/device.js';
import { wordsFor } from '../words/errors.js';
import { say } from '../words/say.js';

/**
 * @typedef {{
 *   id: string, deviceLabel: string | null, createdAt: string, lastUsedAt: string | null, isCurrent: boolean,
 * }} SignIn
 */

/** @param {SignIn[]} sessions @param {() => Promise<void>} reload */
export function signInsSection(sessions, reload) {
  const heading = element('h2', { id: 'sign-ins', tabindex: '-1' }, say('whereSignedIn'));
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  /** @param {string} words */
  const done = async (words) => {
    await reload();
    // What had the focus is gone: the reader goes on at the head of the list.
    /** @type {HTMLElement | null} */ (document.querySelector('#sign-ins'))?.focus();
    showToast(words);
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
          button(say('signOutOthers'), { class: 'final plain', onClick: () => askForAll(done) }),
        )
      : undefined,
  );
}

/** @param {SignIn} session @param {(words: string) => Promise<void>} done */
function signInRow(session, done) {
  const name = deviceWords(session.deviceLabel);
  return element(
    'li',
    { class: 'row' },
    element(
      'span',
      { class: 'fact-text' },
      element('span', {}, name),
      element('small', {}, useWords(session)),
    ),
    session.isCurrent
      ? element('span', { class: 'chip good' }, say('thisPhone'))
      : button(say('signOut'), {
          class: 'plain small',
          'aria-label': say('signOutOf', { device: name, use: useWords(session) }),
          onClick: (control) => void endOne(control, session, done),
        }),
  );
}

/** @param {HTMLButtonElement} control @param {SignIn} session @param {(words: string) => Promise<void>} done */
async function endOne(control, { id, deviceLabel }, done) {
  setBusy(control, true);
  try {
    await change(REVOKE_SESSION, { id });
    await done(say('deviceSignedOut', { device: deviceWords(deviceLabel) }));
  } catch (error) {
    setBusy(control, false);
    const { title, advice } = wordsFor(error);
    showToast(`${title} ${advice}`);
  }
}

/** @param {(words: string) => Promise<void>} done */
function askForAll(done) {
  openSheet({
    title: say('signOutOthersAsk'),
    content: [element('p', { class: 'quiet' }, say('signOutOthersText'))],
    action: say('signThemOut'),
    isFinal: true,
    run: async () => {
      const { revokedCount } = await change(REVOKE_OTHERS, {});
      return say('devicesSignedOut', { count: revokedCount });
    },
    done,
  });
}
