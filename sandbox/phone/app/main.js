/** Starts the app: the address decides what is shown, and who is signed in decides whether it may be. */

import { chooseLanguage } from './messages/translate.js';
import { accountScreen } from './screens/account.js';
import { subscriptionScreen } from './screens/subscription.js';
import { subscriptionsScreen } from './screens/subscriptions.js';
import { welcomeScreen } from './screens/welcome.js';
import { signedIn, startSessions } from './session/sessions.js';
import { openBrowserSession } from './sheets/browser-session.js';
import { clearList } from './subscriptions/load-list.js';
import { go, startRouter } from './ui/router.js';
import { translateFrame } from './ui/translate-frame.js';
import { showWaiting } from './ui/waiting.js';

/** @typedef {import('./ui/router.js').Route['show']} Screen */

/** @param {Screen} screen @returns {Screen} */
function guarded(screen) {
  return (visit) => (signedIn() === undefined ? welcomeScreen() : screen(visit));
}

await chooseLanguage(navigator.languages);
translateFrame();
showWaiting();
await startSessions({
  openBrowser: openBrowserSession,
  changed: () => {
    clearList();
    go('#/subscriptions');
  },
});
startRouter([
  { pattern: /^#\/(?:subscriptions)?$/, show: guarded(subscriptionsScreen) },
  { pattern: /^#\/subscriptions\/(\d+)$/, show: guarded(subscriptionScreen) },
  { pattern: /^#\/account$/, show: guarded(accountScreen) },
]);
