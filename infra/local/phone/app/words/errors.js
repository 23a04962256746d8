/** What is said to the customer for each of the service's codes: what happened, and what to do. */
import { ServiceError } from '../service/service-error.js';

/** @typedef {{ title: string, advice: string }} Words */

/** @type {Record<string, Words>} */
const WORDS = {
  NETWORK: {
    title: 'No connection.',
    advice: 'You are still signed in. Check that this phone is online, then try again.',
  },
  TEMPORARILY_UNAVAILABLE: {
    title: 'The service does not answer right now.',
    advice: 'Nothing is lost, and you stay signed in. Try again in a moment.',
  },
  PLATFORM_UNAVAILABLE: {
    title: 'The shop does not answer right now.',
    advice: 'Nothing was changed, and you stay signed in. Try again in a moment.',
  },
  THROTTLED: {
    title: 'The shop is very busy.',
    advice: 'You stay signed in. Wait a moment, then try again.',
  },
  STORE_DISCONNECTED: {
    title: 'The shop has disconnected this app.',
    advice: 'You stay signed in. Ask the shop to connect it again.',
  },
  SHOP_NOT_INSTALLED: {
    title: 'This shop does not offer sign-in here.',
    advice: 'Choose another shop, or ask this one to install the service.',
  },
  CLIENT_ID_NOT_CONFIGURED: {
    title: 'This shop has not finished setting up sign-in.',
    advice: 'Ask the shop to finish it, then try again.',
  },
  INVALID_NONCE: {
    title: 'This sign-in took too long or was used before.',
    advice: 'Sign in again; it takes a moment only.',
  },
  SIGN_IN_REJECTED: {
    title: 'The shop did not accept this sign-in.',
    advice: 'Sign in again. If it keeps happening, ask the shop for help.',
  },
  SIGN_IN_REFUSED: {
    title: 'The shop ended the sign-in.',
    advice: 'Sign in again when you are ready.',
  },
  FOREIGN_REDIRECT: {
    title: 'This sign-in did not come back as it went out.',
    advice: 'For your safety it was stopped. Sign in again.',
  },
  SIGNED_OUT: {
    title: 'Your sign-in has ended.',
    advice: 'Sign in again to see your subscriptions.',
  },
  FORBIDDEN: {
    title: 'This subscription is not there.',
    advice: 'It may belong to another account. Go back to your subscriptions.',
  },
  OUTCOME_UNKNOWN: {
    title: 'It is not sure whether this was done.',
    advice: 'Close this and look at the subscription before you try again.',
  },
};

const OTHERWISE = { title: 'Something went wrong.', advice: 'You stay signed in. Try again in a moment.' };

/** @param {unknown} error @returns {Words} */
export function wordsFor(error) {
  if (!(error instanceof ServiceError)) return OTHERWISE;
  // A problem the service put in words itself, such as a userError.
  if (error.code === 'NOT_APPLIED') return { title: error.message, advice: 'Nothing was changed.' };
  const known = WORDS[error.code];
  if (known !== undefined) return known;
  return error.transient ? /** @type {Words} */ (WORDS.TEMPORARILY_UNAVAILABLE) : OTHERWISE;
}
