/** Starts the app: the address decides what is shown, and who is signed in decides whether it may be. */

import { accountScreen } from './screens/account.js';
import { subscriptionScreen } from './screens/subscription.js';
import { subscriptionsScreen } from './screens/subscriptions.js';
import { welcomeScreen } from './screens/welcome.js';
import { onSessionChange, readSession } from './session/session-store.js';
import { finishRevocation } from './session/sign-out.js';
import { forgetList } from './subscriptions/load-list.js';
import { go, startRouter } from './ui/router.js';
import { showWaiting } from './ui/waiting.js';

/** @typedef {import('./ui/router.js').Route['show']} Screen */

/** @param {Screen} screen @returns {Screen} */
function signedIn(screen) {
  return (visit) => (readSession() === undefined ? welcomeScreen() : screen(visit));
}

showWaiting();
onSessionChange(() => {
  forgetList();
  go('#/subscriptions');
});
startRouter([
  { pattern: /^#\/(?:subscriptions)?$/, show: signedIn(subscriptionsScreen) },
  { pattern: /^#\/subscriptions\/(\d+)$/, show: signedIn(subscriptionScreen) },
  { pattern: /^#\/account$/, show: signedIn(accountScreen) },
]);
window.addEventListener('online', finishRevocation);
await finishRevocation();
