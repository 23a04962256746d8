/** The message for each of the service's codes: what happened, and what to do. */
import { isServiceError } from '../../../../clients/typescript/src/client.ts';
import { t } from './translate.js';

/** @typedef {{ title: string, advice: string }} ErrorText */

/** The message by code; its advice has the same name with `Advice`. */
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

/** @param {unknown} error @returns {ErrorText} */
export function textFor(error) {
  if (!isServiceError(error)) return textOf('wentWrong');
  // The service has written the message itself, as for a userError.
  if (error.userErrors.length > 0) return { title: error.message, advice: t('notApplied') };
  if (error.code === 'OUTCOME_UNKNOWN')
    return { title: t('notConfirmed'), advice: t('unknownOutcomeAdvice') };
  const known = MESSAGES[/** @type {keyof typeof MESSAGES} */ (error.code)];
  if (known !== undefined) return textOf(known);
  const isTransient = error.status === 429 || error.status >= 500;
  return textOf(isTransient ? 'serviceSilent' : 'wentWrong');
}

/** @param {typeof MESSAGES[keyof typeof MESSAGES] | 'wentWrong'} key @returns {ErrorText} */
function textOf(key) {
  return { title: t(key), advice: t(`${key}Advice`) };
}
