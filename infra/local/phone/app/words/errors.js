/** What is said to the customer for each of the service's codes: what happened, and what to do. */
import { isServiceError } from '../../../../../clients/typescript/src/client.ts';

/** @typedef {{ title: string, advice: string }} Words */

/** @type {Record<string, Words>} */
const WORDS = {
  NETWORK: {
    title: 'No connection.',
    advice: 'You are still signed in. Check that this phone is online, then try again.',
  },
  TEMPORARILY_UNAVAILABLE: {
    title: 'The service is not responding right now.',
    advice: 'Nothing has been lost, and you are still signed in. Try again in a moment.',
  },
  PLATFORM_UNAVAILABLE: {
    title: 'The shop is not responding right now.',
    advice: 'Nothing was changed, and you are still signed in. Try again in a moment.',
  },
  THROTTLED: {
    title: 'The shop is very busy.',
    advice: 'You are still signed in. Wait a moment, then try again.',
  },
  STORE_DISCONNECTED: {
    title: 'The shop has disconnected this app.',
    advice: 'You are still signed in. Ask the shop to reconnect it.',
  },
  STORE_ACCESS_MISSING: {
    title: 'The shop does not offer this at present.',
    advice: 'Nothing was changed, and you are still signed in. Ask the shop about it.',
  },
  SHOP_NOT_INSTALLED: {
    title: 'This shop does not offer sign-in here.',
    advice: 'Choose another shop, or ask this one to set it up.',
  },
  CLIENT_ID_NOT_CONFIGURED: {
    title: 'This shop has not finished setting up sign-in.',
    advice: 'Ask the shop to finish it, then try again.',
  },
  INVALID_NONCE: {
    title: 'This sign-in took too long or has already been used.',
    advice: 'Sign in again; it only takes a moment.',
  },
  SIGN_IN_REJECTED: {
    title: 'The shop did not accept this sign-in.',
    advice: 'Sign in again. If it keeps happening, ask the shop for help.',
  },
  SIGN_IN_REFUSED: {
    title: 'The shop stopped the sign-in.',
    advice: 'Sign in again when you are ready.',
  },
  FOREIGN_REDIRECT: {
    title: 'This sign-in could not be verified.',
    advice: 'It was stopped to keep your account safe. Please sign in again.',
  },
  SIGNED_OUT: {
    title: 'You have been signed out.',
    advice: 'Sign in again to see your subscriptions.',
  },
  FORBIDDEN: {
    title: 'This subscription could not be found.',
    advice: 'It may belong to another account. Go back to your subscriptions.',
  },
  OUTCOME_UNKNOWN: {
    title: 'We could not confirm whether this went through.',
    advice: 'Close this and check the subscription before you try again.',
  },
};

const OTHERWISE = {
  title: 'Something went wrong.',
  advice: 'You are still signed in. Try again in a moment.',
};

/** @param {unknown} error @returns {Words} */
export function wordsFor(error) {
  if (!isServiceError(error)) return OTHERWISE;
  // A problem the service put in words itself, such as a userError.
  if (error.code === 'USER_ERRORS') return { title: error.message, advice: 'Nothing was changed.' };
  const known = WORDS[error.code];
  if (known !== undefined) return known;
  const isPassing = error.status === 429 || error.status >= 500;
  return isPassing ? /** @type {Words} */ (WORDS.TEMPORARILY_UNAVAILABLE) : OTHERWISE;
}
