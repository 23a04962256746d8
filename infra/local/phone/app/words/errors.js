/** What is said to the customer for each of the service's codes: what happened, and what to do. */
import { isServiceError } from '../../../../../clients/typescript/src/client.ts';
import { say } from './say.js';

/** @typedef {{ title: string, advice: string }} Words */

/** The message by code; what to do has the same name with `Advice`. */
const MESSAGES = /** @type {const} */ ({
  NETWORK: 'offline',
  TEMPORARILY_UNAVAILABLE: 'serviceSilent',
  PLATFORM_UNAVAILABLE: 'shopSilent',
  THROTTLED: 'busy',
  STORE_DISCONNECTED: 'disconnected',
  STORE_ACCESS_MISSING: 'notOffered',
  SHOP_NOT_INSTALLED: 'noSignInHere',
  CLIENT_ID_NOT_CONFIGURED: 'signInUnfinished',
  INVALID_NONCE: 'signInTooLong',
  SIGN_IN_REJECTED: 'signInRejected',
  SIGN_IN_REFUSED: 'signInStopped',
  FOREIGN_REDIRECT: 'signInUnverified',
  SIGNED_OUT: 'signedOut',
  FORBIDDEN: 'notFound',
  STORAGE: 'storageFailed',
});

/** @param {unknown} error @returns {Words} */
export function wordsFor(error) {
  if (!isServiceError(error)) return words('wentWrong');
  // A problem the service put in words itself, such as a userError.
  if (error.code === 'USER_ERRORS') return { title: error.message, advice: say('notApplied') };
  if (error.code === 'OUTCOME_UNKNOWN')
    return { title: say('notConfirmed'), advice: say('unknownOutcomeAdvice') };
  const known = MESSAGES[/** @type {keyof typeof MESSAGES} */ (error.code)];
  if (known !== undefined) return words(known);
  const isPassing = error.status === 429 || error.status >= 500;
  return words(isPassing ? 'serviceSilent' : 'wentWrong');
}

/** @param {typeof MESSAGES[keyof typeof MESSAGES] | 'wentWrong'} key @returns {Words} */
function words(key) {
  return { title: say(key), advice: say(`${key}Advice`) };
}
